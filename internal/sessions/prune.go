package sessions

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/store"
)

// PruneOptions say which closed sessions are pruned: those that are old enough, and the
// oldest of the others until the rest fits. The zero value prunes none.
type PruneOptions struct {
	OlderThan time.Duration // since they were closed; 0: none for their age
	MaxBytes  int64         // what the turns of closed sessions may take up; 0: any amount
	DryRun    bool          // say what would be done and change nothing
}

// Pruned says what became of the sessions that a policy is about.
type Pruned struct {
	Sessions []PrunedSession
	Skipped  []SkippedSession
	Left     int64 // bytes that the turns of closed sessions still take up
	// Remaining names transcripts that hold the texts until they can be written, which
	// the background does.
	Remaining []string
}

// PrunedSession is a session whose turns are gone.
type PrunedSession struct {
	strata.Session
	Bytes int64
}

// SkippedSession is a session that was left as it is.
type SkippedSession struct {
	strata.Session
	Reason string
}

// Prune takes the texts of the turns of closed sessions out of memory by a policy, and
// out of their transcripts. Facts that were learnt from them stay. A session goes whole,
// in one transaction. One that is open is not looked at, and one whose transcript is not
// written or from which facts are still to be extracted is left with the reason.
func (t *Transcripts) Prune(ctx context.Context, view strata.View, now time.Time, o PruneOptions) (Pruned, error) {
	return t.retain(ctx, view, now, o, t.prune)
}

// retain calls remove, which takes the turns of a session out of memory, for the sessions
// that a policy is about. It reports whether they are gone: not, where the session changed
// meanwhile.
func (t *Transcripts) retain(ctx context.Context, view strata.View, now time.Time, o PruneOptions,
	remove func(context.Context, store.SessionUse) (gone bool, err error)) (Pruned, error) {
	var out Pruned
	uses, err := store.ReadEach(ctx, t.store, view, func(r store.Reader, s strata.Scope) ([]store.SessionUse, error) {
		return r.SessionUses(ctx, s)
	})
	if err != nil {
		return out, err
	}
	slices.SortStableFunc(uses, func(a, b store.SessionUse) int { return a.Session.ClosedAt.Compare(*b.Session.ClosedAt) })
	for _, u := range uses {
		out.Left += u.Bytes
	}
	for _, u := range uses {
		old := o.OlderThan > 0 && now.Sub(*u.Session.ClosedAt) >= o.OlderThan
		if !old && (o.MaxBytes == 0 || out.Left <= o.MaxBytes) {
			continue
		}
		if reason := t.keeps(u); reason != "" {
			out.Skipped = append(out.Skipped, SkippedSession{u.Session, reason})
			continue
		}
		if !o.DryRun {
			gone, err := remove(ctx, u)
			if err != nil {
				return out, err
			}
			if !gone {
				out.Skipped = append(out.Skipped, SkippedSession{u.Session, "it changed meanwhile"})
				continue
			}
			remaining, _ := t.Rewrite(ctx, u.Session.Scope, store.Forgotten{Transcripts: []string{u.Session.ID}}) // it logs why
			if t.kept() {
				out.Remaining = append(out.Remaining, remaining...)
			}
		}
		out.Left -= u.Bytes
		out.Sessions = append(out.Sessions, PrunedSession{u.Session, u.Bytes})
	}
	return out, nil
}

// keeps is why a closed session must not be pruned; empty for one that may.
func (t *Transcripts) keeps(u store.SessionUse) string {
	switch {
	case u.Extraction:
		return "facts are still to be extracted from it"
	case u.SetAside != "":
		return "its transcript was given up: " + u.SetAside
	case t.kept() && u.WrittenAt == nil:
		return "its transcript is not written yet"
	}
	return ""
}

// prune prunes a session, unless something that keeps it came meanwhile.
func (t *Transcripts) prune(ctx context.Context, u store.SessionUse) (gone bool, err error) {
	err = t.store.Update(ctx, func(w store.Writer) error {
		if gone, err = unchanged(ctx, w, u); err != nil || !gone {
			return err
		}
		if _, err := w.PruneSession(ctx, u.Session.Scope, u.Session.ID); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventSessionPruned, Scope: u.Session.Scope, Ref: u.Session.ID, At: w.Now()})
	})
	if err == nil && gone {
		failpoint.Hit(failpoint.SessionPruned)
	}
	return gone, err
}

// unchanged reports whether no turn of a closed session was blanked or restored since its
// use was read, and nothing waits to be extracted from it.
func unchanged(ctx context.Context, r store.Reader, u store.SessionUse) (bool, error) {
	known, err := r.Transcript(ctx, u.Session.Scope, u.Session.ID)
	if err != nil || known.Revision != u.Revision {
		return false, err
	}
	for _, by := range []store.Extractor{store.ByRules, store.ByModel} {
		_, err := r.Extraction(ctx, u.Session.Scope, u.Session.ID, by)
		if err == nil {
			return false, nil // it waits
		}
		if strata.CodeOf(err) != strata.CodeNotFound {
			return false, err
		}
	}
	return true, nil
}
