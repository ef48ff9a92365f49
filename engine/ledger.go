package engine

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/session"
)

// LedgerReport says what [Engine.WriteLedger] wrote.
type LedgerReport struct {
	Session strata.Session
	// Transcript says that it is the transcript as it was written at the close;
	// otherwise it was made of the turns that are kept.
	Transcript bool
}

// WriteLedger writes a session of a view as JSON lines, the session first: its
// transcript where there is one, else the same made of the turns that are
// kept, which is all there is of a session that is open. A transcript that is
// not what was written is corrupt; the lines before the damage are written then.
func (e *Engine) WriteLedger(ctx context.Context, view strata.View, id string, out io.Writer) (LedgerReport, error) {
	s, err := e.FindSession(ctx, view, id)
	if err != nil {
		return LedgerReport{}, err
	}
	if s.ClosedAt != nil {
		f, err := e.OpenTranscript(ctx, s.Scope, id)
		if err == nil {
			defer f.Close()
			return copyLedger(ctx, f, out, id)
		}
		switch strata.CodeOf(err) {
		case strata.CodeNotFound, strata.CodeUnsupported, strata.CodeUnavailable:
			// The file is not there or not at hand; the turns are.
		default:
			return LedgerReport{}, fmt.Errorf("transcript of session %s: %w", id, err)
		}
	}
	t, err := e.renderTranscript(ctx, out, s.Scope, id)
	if err != nil {
		return LedgerReport{}, fmt.Errorf("ledger of session %s: %w", id, err)
	}
	return LedgerReport{Session: t.Session}, nil
}

// copyLedger writes a ledger as it is, and reads it meanwhile.
func copyLedger(ctx context.Context, from io.Reader, out io.Writer, id string) (LedgerReport, error) {
	r, err := session.NewLedgerReader(io.TeeReader(from, out))
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
