package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// LedgerReport says what [Ledger.WriteLedger] wrote.
type LedgerReport struct {
	Session strata.Session
	// Transcript reports whether the transcript written when the session was closed was
	// copied; otherwise the ledger was made from the turns in the store.
	Transcript bool
}

// WriteLedger writes a session of a view as JSON lines, the session first. It copies the
// transcript if there is one, and otherwise makes the same from the turns in the store,
// as it always does for an open session. If the transcript is damaged, WriteLedger
// returns corrupt after writing the lines before the damage.
func (l *Ledger) WriteLedger(ctx context.Context, view strata.View, id string, out io.Writer) (LedgerReport, error) {
	s, err := l.FindSession(ctx, view, id)
	if err != nil {
		return LedgerReport{}, err
	}
	if s.ClosedAt != nil {
		f, err := l.OpenTranscript(ctx, s.Scope, id)
		if err == nil {
			defer f.Close()
			return copyLedger(ctx, f, out, id)
		}
		switch strata.CodeOf(err) {
		case strata.CodeNotFound, strata.CodeUnsupported, strata.CodeUnavailable:
			// The file does not exist or is not available; the turns are.
		default:
			return LedgerReport{}, fmt.Errorf("transcript of session %s: %w", id, err)
		}
	}
	t, err := l.transcripts.render(ctx, out, s.Scope, id)
	if err != nil {
		return LedgerReport{}, fmt.Errorf("ledger of session %s: %w", id, err)
	}
	return LedgerReport{Session: t.Session}, nil
}

// copyLedger copies a ledger unchanged and validates it on the way.
func copyLedger(ctx context.Context, from io.Reader, out io.Writer, id string) (LedgerReport, error) {
	r, err := snapshot.NewLedgerReader(io.TeeReader(from, out))
	for err == nil {
		if err = ctx.Err(); err != nil {
			break
		}
		if _, err = r.Next(); errors.Is(err, io.EOF) {
			return LedgerReport{Session: r.Session(), Transcript: true}, nil
		}
	}
	return LedgerReport{}, fmt.Errorf("transcript of session %s: %w", id, err)
}

// OpenTranscript opens the transcript of a closed session as it was written: one JSON
// object per line, the session first. It returns not_found if there is none.
func (l *Ledger) OpenTranscript(ctx context.Context, scope strata.Scope, id string) (io.ReadCloser, error) {
	const op = "read transcript"
	if !l.transcripts.kept() {
		return nil, &strata.Error{Code: strata.CodeUnsupported, Op: op, Message: "this memory keeps no transcripts", Hint: "read the turns"}
	}
	known, err := l.transcripts.known(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	if known.Place == "" || known.WrittenAt == nil {
		return nil, strata.NotFound(op, "transcript of session", id)
	}
	return l.transcripts.files.Open(ctx, known.Place)
}

// Transcript reads the transcript file of a session and returns the session and the turns
// in it; corrupt if it is not what was written.
func (l *Ledger) Transcript(ctx context.Context, scope strata.Scope, id string) (strata.Session, []strata.Turn, error) {
	f, err := l.OpenTranscript(ctx, scope, id)
	if err != nil {
		return strata.Session{}, nil, err
	}
	defer f.Close()
	s, turns, err := snapshot.ReadLedger(f)
	if err != nil {
		return s, nil, fmt.Errorf("transcript of session %s: %w", id, err)
	}
	return s, turns, nil
}
