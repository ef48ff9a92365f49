package contextmgr

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/secrets"
)

// memoryLedger keeps a conversation in process memory, for callers without a ledger.
type memoryLedger struct {
	now   func() time.Time
	ids   id.Maker
	turns []strata.Turn
	state []byte
}

func (l *memoryLedger) Append(_ context.Context, turns []strata.Turn) ([]strata.Turn, error) {
	kept := slices.Clone(turns)
	for i := range kept {
		t := &kept[i]
		text, found := secrets.Redact(t.Text)
		t.Text, t.Redacted = text, len(found)
		t.Calls = slices.Clone(t.Calls)
		for c := range t.Calls {
			args, found := secrets.Redact(t.Calls[c].Arguments)
			t.Calls[c].Arguments = args
			t.Redacted += len(found)
		}
		t.RecordedAt = l.now()
		t.ID = l.ids.New(id.Turn, t.RecordedAt)
		t.Seq = int64(len(l.turns) + i + 1)
	}
	l.turns = append(l.turns, kept...)
	return kept, nil
}

func (l *memoryLedger) Turns(_ context.Context, after int64, limit int) ([]strata.Turn, error) {
	rest := l.turns[min(max(after, 0), int64(len(l.turns))):]
	if limit > 0 && len(rest) > limit {
		rest = rest[:limit]
	}
	return slices.Clone(rest), nil
}

func (l *memoryLedger) LoadState(context.Context) ([]byte, error) { return l.state, nil }

func (l *memoryLedger) SaveState(_ context.Context, state []byte) error {
	l.state = slices.Clone(state)
	return nil
}

func (l *memoryLedger) SetStateAside(context.Context, string) error {
	l.state = nil
	return nil
}
