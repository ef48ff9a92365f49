package sessions

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/store"
)

// AppendOnce appends the turns whose ids the scope does not have yet, and returns them as
// stored. It opens the session as s if it is new. In the same transaction it queues the
// session for the extraction of facts, unless the session is one of an agent with another
// agent.
func (l *Ledger) AppendOnce(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, error) {
	for {
		fresh, err := l.NewTurns(ctx, s.Scope, turns)
		if err != nil || len(fresh) == 0 {
			return nil, err
		}
		kept, err := l.appendTurns(ctx, s, fresh, func(ctx context.Context, w store.Writer) error { return l.queue(ctx, w, s, time.Time{}) })
		if err == nil {
			failpoint.Hit(failpoint.TurnsTakenIn)
			return kept, nil
		}
		if strata.CodeOf(err) != strata.CodeConflict {
			return nil, err
		}
		// Another process may have appended some of them: then fewer are new now.
		if now, readErr := l.NewTurns(ctx, s.Scope, fresh); readErr != nil || len(now) == len(fresh) {
			return nil, err
		}
	}
}

// NewTurns returns the turns whose ids a scope does not have yet, without duplicates.
func (l *Ledger) NewTurns(ctx context.Context, scope strata.Scope, turns []strata.Turn) ([]strata.Turn, error) {
	return store.Read(ctx, l.store, func(r store.Reader) ([]strata.Turn, error) {
		var fresh []strata.Turn
		seen := make(map[string]bool, len(turns))
		for _, t := range turns {
			if seen[t.ID] {
				continue
			}
			seen[t.ID] = true
			_, err := r.Turn(ctx, []strata.Scope{scope}, t.ID)
			switch strata.CodeOf(err) {
			case "":
			case strata.CodeNotFound:
				fresh = append(fresh, t)
			default:
				return nil, err
			}
		}
		return fresh, nil
	})
}

// AppendRest appends the turns that follow what the session ends with. A caller may pass
// turns again, together with what was said since, and they are stored once. AppendRest
// returns the turns that it added and how many were known. Turns are the same if they say
// the same and, if the given turn has a time, at the same time. For turns with ids see
// [Ledger.AppendOnce].
func (l *Ledger) AppendRest(ctx context.Context, s strata.Session, turns []strata.Turn) (added []strata.Turn, known int, err error) {
	clean, err := l.prepareTurns(s.Scope, s.ID, s.Kind, turns)
	if err != nil {
		return nil, 0, err
	}
	last, err := l.lastTurns(ctx, s, len(turns))
	if err != nil {
		return nil, 0, err
	}
	for known = min(len(last), len(turns)); known > 0; known-- {
		if endsWith(last, clean[:known], turns) {
			break
		}
	}
	rest := slices.Clone(turns[known:])
	place := int64(0)
	if len(last) > 0 {
		place = last[len(last)-1].Seq
	}
	for i := range rest {
		// With this id, callers that add the same turn at the same place add it once.
		rest[i].ID = id.Of(id.Turn, s.ID, strconv.FormatInt(place+int64(i), 10), string(rest[i].Role), rest[i].Text)
	}
	added, err = l.AppendOnce(ctx, s, rest)
	return added, len(turns) - len(added), err
}

// endsWith reports whether last ends with turns. Times are compared only if the caller
// gave them in named.
func endsWith(last, turns, named []strata.Turn) bool {
	last = last[len(last)-len(turns):]
	for i, t := range turns {
		same := t.Role == last[i].Role && t.Text == last[i].Text && t.CallID == last[i].CallID && t.Speaker == last[i].Speaker &&
			slices.Equal(t.Calls, last[i].Calls)
		if !same || !named[i].At.IsZero() && named[i].At.UnixMicro() != last[i].At.UnixMicro() {
			return false
		}
	}
	return true
}

// lastTurns returns the last turns of a session, up to n.
func (l *Ledger) lastTurns(ctx context.Context, s strata.Session, n int) ([]strata.Turn, error) {
	return store.Read(ctx, l.store, func(r store.Reader) ([]strata.Turn, error) {
		known, err := r.Session(ctx, s.Scope, s.ID)
		if strata.CodeOf(err) == strata.CodeNotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		turns, err := r.Turns(ctx, s.Scope, s.ID, store.TurnFilter{After: max(known.Turns-int64(n), 0), NoImages: true})
		return turns[max(len(turns)-n, 0):], err
	})
}
