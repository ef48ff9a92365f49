package engine

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/failpoint"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/session"
	"github.com/strata-memory/strata/store"
)

const (
	// exportAtOpen is how many outstanding transcripts Open writes itself; the
	// rest follow in the background.
	exportAtOpen = 64
	// exportBatch is how many are read at a time.
	exportBatch = 256
	// ledgerPage is how many turns of a session are in memory at a time.
	ledgerPage = 64
)

// exportPending writes every outstanding transcript. One that cannot be
// written keeps no other from it.
func (e *Engine) exportPending(ctx context.Context) error {
	return e.exportSome(ctx, exportBatch, false)
}

// exportSome writes outstanding transcripts, up to a number if once is set.
// Those of workspaces that are not at hand wait for a process that has them.
func (e *Engine) exportSome(ctx context.Context, n int, once bool) error {
	if e.opts.Transcripts == nil {
		return nil
	}
	var errs []error
	var after strata.Session
	for {
		var list []store.Transcript
		err := e.store.View(ctx, func(r store.Reader) error {
			var err error
			list, err = r.Unexported(ctx, after, n)
			return err
		})
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for _, t := range list {
			after = t.Session
			switch err := e.writeTranscript(ctx, t.Session.Scope, t.Session.ID); strata.CodeOf(err) {
			case "":
			case strata.CodeUnavailable, strata.CodeReadOnly, strata.CodeConflict:
				e.opts.Logger.Debug("a transcript is outstanding", "session", after.ID, "error", err)
			default:
				errs = append(errs, fmt.Errorf("session %s: %w", after.ID, err))
			}
			if ctx.Err() != nil {
				return errors.Join(append(errs, ctx.Err())...)
			}
		}
		if once || len(list) < n {
			return errors.Join(errs...)
		}
	}
}

// writeTranscript writes the transcript of a session if it is outstanding, and
// stamps it.
//
// The turns are read while the place is locked, and the stamp holds only for
// the revision that was read: where turns are forgotten meanwhile, it is
// written again. So no file with forgotten text is ever taken for done.
func (e *Engine) writeTranscript(ctx context.Context, scope strata.Scope, id string) error {
	for again := false; ; again = true {
		t, err := e.transcriptPlace(ctx, scope, id)
		if err != nil || !t.Outstanding() && !again {
			return err
		}
		var revision int64
		content := func(w io.Writer) error {
			shown, err := e.renderTranscript(ctx, w, scope, id)
			revision = shown.Revision
			return err
		}
		if t.Revision == 0 {
			err = e.opts.Transcripts.Write(ctx, t.Place, content)
		} else {
			err = e.opts.Transcripts.Replace(ctx, t.Place, content)
		}
		setAside := ""
		if code := strata.CodeOf(err); givesUp(code) {
			setAside, revision = text.Clip(err.Error(), 200), t.Revision
			e.opts.Logger.Warn("a transcript was given up", "session", id, "error", err)
		} else if err != nil {
			return err
		}
		failpoint.Hit(failpoint.TranscriptWritten)
		stamped, stampErr := e.stampTranscript(ctx, scope, id, revision, setAside)
		if stampErr != nil || stamped {
			return errors.Join(err, stampErr)
		}
	}
}

// givesUp reports whether trying to write a transcript again cannot help.
func givesUp(code strata.Code) bool {
	switch code {
	case strata.CodeConflict, strata.CodeCorrupt, strata.CodeInvalid, strata.CodeTooLarge:
		return true
	}
	return false
}

// transcriptPlace returns what is known of a transcript. One that is
// outstanding and was closed by a process without files gets its place.
func (e *Engine) transcriptPlace(ctx context.Context, scope strata.Scope, id string) (store.Transcript, error) {
	var t store.Transcript
	err := e.store.View(ctx, func(r store.Reader) error {
		var err error
		t, err = r.Transcript(ctx, scope, id)
		return err
	})
	if err != nil || t.Place != "" || !t.Outstanding() {
		return t, err
	}
	err = e.store.Update(ctx, func(w store.Writer) error {
		var err error
		t.Place, err = w.PlaceTranscript(ctx, scope, id, e.opts.Transcripts.Place(scope, id))
		return err
	})
	return t, err
}

// renderTranscript writes the transcript of a session, and returns what was
// known of it then: its revision and how many turns it has.
func (e *Engine) renderTranscript(ctx context.Context, out io.Writer, scope strata.Scope, id string) (t store.Transcript, err error) {
	err = e.store.View(ctx, func(r store.Reader) error {
		var err error
		if t, err = r.Transcript(ctx, scope, id); err != nil {
			return err
		}
		w, err := session.NewLedgerWriter(out, t.Session)
		if err != nil {
			return err
		}
		for after := int64(0); ; {
			turns, err := r.Turns(ctx, scope, id, store.TurnFilter{After: after, Limit: ledgerPage})
			if err != nil {
				return err
			}
			for _, u := range turns {
				if err := w.Append(u); err != nil {
					return err
				}
				after = u.Seq
			}
			if len(turns) < ledgerPage {
				return w.Close()
			}
		}
	})
	return t, err
}

func (e *Engine) stampTranscript(ctx context.Context, scope strata.Scope, id string, revision int64, setAside string) (stamped bool, err error) {
	err = e.store.Update(ctx, func(w store.Writer) error {
		if stamped, err = w.StampTranscript(ctx, scope, id, revision, setAside); err != nil || !stamped || setAside == "" {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventTranscriptSetAside, Scope: scope, Ref: id, At: w.Now()})
	})
	return stamped, err
}

// rewriteTranscripts rewrites the transcripts of sessions of which turns were
// forgotten, and names those that still hold the text.
func (e *Engine) rewriteTranscripts(ctx context.Context, scope strata.Scope, sessions []string) (remaining []string) {
	for _, id := range sessions {
		if e.opts.Transcripts != nil {
			err := e.writeTranscript(ctx, scope, id)
			if err == nil {
				continue
			}
			e.opts.Logger.Warn("a transcript still holds forgotten text", "session", id, "error", err)
			e.exports.wake()
		}
		var t store.Transcript
		err := e.store.View(ctx, func(r store.Reader) error {
			var err error
			t, err = r.Transcript(ctx, scope, id)
			return err
		})
		if err == nil && t.Place == "" {
			continue // no file was ever written
		}
		remaining = append(remaining, fmt.Sprintf("transcript %s of session %s", t.Place, id))
	}
	return remaining
}

// OpenTranscript reads the transcript of a closed session as it was written:
// one JSON object a line, the session first. Without one it is not_found.
func (e *Engine) OpenTranscript(ctx context.Context, scope strata.Scope, id string) (io.ReadCloser, error) {
	const op = "read transcript"
	if e.opts.Transcripts == nil {
		return nil, &strata.Error{Code: strata.CodeUnsupported, Op: op, Message: "this memory keeps no transcripts", Hint: "read the turns"}
	}
	var t store.Transcript
	err := e.store.View(ctx, func(r store.Reader) error {
		var err error
		t, err = r.Transcript(ctx, scope, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	if t.Place == "" || t.WrittenAt == nil {
		return nil, strata.NotFound(op, "transcript of session", id)
	}
	return e.opts.Transcripts.Open(ctx, t.Place)
}

// Transcript returns the session and the turns that a transcript holds. It
// reads the file; corrupt says that it is not what was written.
func (e *Engine) Transcript(ctx context.Context, scope strata.Scope, id string) (strata.Session, []strata.Turn, error) {
	f, err := e.OpenTranscript(ctx, scope, id)
	if err != nil {
		return strata.Session{}, nil, err
	}
	defer f.Close()
	s, turns, err := session.ReadLedger(f)
	if err != nil {
		return s, nil, fmt.Errorf("transcript of session %s: %w", id, err)
	}
	return s, turns, nil
}
