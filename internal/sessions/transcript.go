package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

const (
	// outstandingPage is how many outstanding transcripts are listed at a time.
	outstandingPage = 256
	// turnPage is how many turns of a session are held in memory at a time.
	turnPage = 64
)

// Transcripts writes the transcripts of closed sessions. The store records which are
// outstanding. It is safe for concurrent use.
type Transcripts struct {
	store store.Store
	files files.Transcripts // nil: none are kept
	log   *slog.Logger
	work  *worker.Worker
}

// NewTranscripts returns the transcripts of a store. files is nil if no transcripts are
// kept. work calls [Transcripts.WriteOutstanding] in the background; nil means that
// nothing does.
func NewTranscripts(st store.Store, files files.Transcripts, log *slog.Logger, work *worker.Worker) *Transcripts {
	return &Transcripts{store: st, files: files, log: log, work: work}
}

// kept reports whether transcripts are kept.
func (t *Transcripts) kept() bool { return t.files != nil }

// WriteOutstanding writes every outstanding transcript. One that cannot be written does
// not stop the others. Transcripts of workspaces that are not available wait for a
// process that has them.
func (t *Transcripts) WriteOutstanding(ctx context.Context) error {
	return t.writeSome(ctx, outstandingPage, false)
}

// firstWait is how long [Transcripts.WriteFirst] may take, because a query waits for it.
const firstWait = 200 * time.Millisecond

// WriteFirst is WriteOutstanding for at most n transcripts and at most 200 ms. It is no
// error if some are not written by then.
func (t *Transcripts) WriteFirst(ctx context.Context, n int) error {
	soon, cancel := context.WithTimeout(ctx, firstWait)
	defer cancel()
	err := t.writeSome(soon, n, true)
	if soon.Err() != nil && ctx.Err() == nil {
		t.log.Debug("transcripts of closed sessions wait", "error", err)
		return nil
	}
	return err
}

// writeSome writes outstanding transcripts, n at a time; if once is set, only the first
// n.
func (t *Transcripts) writeSome(ctx context.Context, n int, once bool) error {
	if !t.kept() {
		return nil
	}
	var errs []error
	var after strata.Session
	for {
		list, err := store.Read(ctx, t.store, func(r store.Reader) ([]store.Transcript, error) {
			return r.Unexported(ctx, after, n)
		})
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for _, x := range list {
			after = x.Session
			switch err := t.write(ctx, after.Scope, after.ID); strata.CodeOf(err) {
			case "":
			case strata.CodeUnavailable, strata.CodeReadOnly, strata.CodeConflict:
				t.log.Debug("a transcript is outstanding", "session", after.ID, "error", err)
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

// write writes the transcript of a session if it is outstanding, and stamps it.
//
// It reads the turns while the place is locked, and stamps only the revision that it
// read: if turns are forgotten meanwhile, it writes the transcript again. So a file that
// holds forgotten text never counts as written.
func (t *Transcripts) write(ctx context.Context, scope strata.Scope, id string) error {
	for again := false; ; again = true {
		known, err := t.place(ctx, scope, id)
		if err != nil || !known.Outstanding() && !again {
			return err
		}
		var revision int64
		content := func(w io.Writer) error {
			rendered, err := t.render(ctx, w, scope, id)
			revision = rendered.Revision
			return err
		}
		if known.Revision == 0 {
			err = t.files.Write(ctx, known.Place, content)
		} else {
			err = t.files.Replace(ctx, known.Place, content)
		}
		setAside := ""
		if files.IsFinal(strata.CodeOf(err)) {
			setAside, revision = text.Clip(err.Error(), 200), known.Revision
			t.log.Warn("a transcript was given up", "session", id, "error", err)
		} else if err != nil {
			return err
		}
		failpoint.Hit(failpoint.TranscriptWritten)
		stamped, stampErr := t.stamp(ctx, scope, id, revision, setAside)
		if stampErr != nil || stamped {
			return errors.Join(err, stampErr)
		}
	}
}

// place returns what the store knows of a transcript. It assigns a place to an
// outstanding transcript of a session that was closed by a process without files.
func (t *Transcripts) place(ctx context.Context, scope strata.Scope, id string) (store.Transcript, error) {
	known, err := t.known(ctx, scope, id)
	if err != nil || known.Place != "" || !known.Outstanding() {
		return known, err
	}
	err = t.store.Update(ctx, func(w store.Writer) error {
		var err error
		known.Place, err = w.PlaceTranscript(ctx, scope, id, t.files.Place(scope, id))
		return err
	})
	return known, err
}

// known returns what the store knows of a transcript.
func (t *Transcripts) known(ctx context.Context, scope strata.Scope, id string) (store.Transcript, error) {
	return store.Read(ctx, t.store, func(r store.Reader) (store.Transcript, error) {
		return r.Transcript(ctx, scope, id)
	})
}

// render writes the transcript of a session, and returns what the store knew of it at
// that moment, such as its revision.
func (t *Transcripts) render(ctx context.Context, out io.Writer, scope strata.Scope, id string) (known store.Transcript, err error) {
	err = t.store.View(ctx, func(r store.Reader) error {
		var err error
		if known, err = r.Transcript(ctx, scope, id); err != nil {
			return err
		}
		w, err := snapshot.NewLedgerWriter(out, known.Session)
		if err != nil {
			return err
		}
		for after := int64(0); ; {
			turns, err := r.Turns(ctx, scope, id, store.TurnFilter{After: after, Limit: turnPage})
			if err != nil {
				return err
			}
			for _, u := range turns {
				if err := w.Append(u); err != nil {
					return err
				}
				after = u.Seq
			}
			if len(turns) < turnPage {
				return w.Close()
			}
		}
	})
	return known, err
}

// stamp records that a revision of a transcript was written, or that it was given up and
// why. It reports false if the session has another revision by now.
func (t *Transcripts) stamp(ctx context.Context, scope strata.Scope, id string, revision int64, setAside string) (stamped bool, err error) {
	err = t.store.Update(ctx, func(w store.Writer) error {
		if stamped, err = w.StampTranscript(ctx, scope, id, revision, setAside); err != nil || !stamped || setAside == "" {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventTranscriptSetAside, Scope: scope, Ref: id, At: w.Now()})
	})
	return stamped, err
}

// Rewrite rewrites the transcripts of sessions in which turns were forgotten, in a scope
// and elsewhere. It returns the transcripts that still hold the text; failed says why.
func (t *Transcripts) Rewrite(ctx context.Context, scope strata.Scope, gone store.Forgotten) (remaining []string, failed error) {
	sessions := slices.Clone(gone.Elsewhere)
	for _, id := range gone.Transcripts {
		sessions = append(sessions, store.SessionOf{Scope: scope, ID: id})
	}
	for _, s := range sessions {
		scope, id := s.Scope, s.ID
		err := error(&strata.Error{Code: strata.CodeUnavailable, Op: "write transcript", Message: "no transcripts are written here"})
		if t.kept() {
			if err = t.write(ctx, scope, id); err == nil {
				continue
			}
			t.log.Warn("a transcript still holds forgotten text", "session", id, "error", err)
			t.work.Wake()
		}
		known, errKnown := t.known(ctx, scope, id)
		if errKnown == nil && known.Place == "" {
			continue // no file was ever written
		}
		remaining = append(remaining, fmt.Sprintf("transcript %s of session %s", known.Place, id))
		failed = errors.Join(failed, err)
	}
	return remaining, failed
}
