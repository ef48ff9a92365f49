package sessions

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/store"
)

// PruneOptions select the closed sessions to prune: those that are old enough, then the
// oldest of the others until the rest fits. The zero value selects none.
type PruneOptions struct {
	OlderThan time.Duration // minimum time since they were closed; 0: do not prune by age
	MaxBytes  int64         // maximum size of the turns of all closed sessions; 0: no limit
	DryRun    bool          // only report what would be done
}

// Pruned reports what was done with the sessions that a policy selects.
type Pruned struct {
	Sessions []PrunedSession
	Skipped  []SkippedSession
	Left     int64 // size of the turns of the closed sessions that are left
	// Remaining names transcripts that still hold the texts. They are rewritten in the
	// background as soon as they can be.
	Remaining []string
}

// PrunedSession is a session whose turns were removed.
type PrunedSession struct {
	strata.Session
	Bytes int64
}

// SkippedSession is a session that was not pruned.
type SkippedSession struct {
	strata.Session
	Reason string
}

// Prune removes the texts of the turns of closed sessions from the store and from their
// transcripts, by a policy. Facts learnt from them stay. Each session is pruned as a
// whole, in one transaction. Open sessions are not considered. A session whose transcript
// is not written, or from which facts are still to be extracted, is skipped with the
// reason.
func (t *Transcripts) Prune(ctx context.Context, view strata.View, now time.Time, o PruneOptions) (Pruned, error) {
	return t.retain(ctx, view, now, o, t.prune)
}

// retain calls remove for each session that a policy selects. remove takes the turns of
// the session out of the store and reports whether they are gone; they are not if the
// session changed meanwhile.
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
		if reason := t.whyKept(u); reason != "" {
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
			remaining, _ := t.Rewrite(ctx, u.Session.Scope, store.Forgotten{Transcripts: []string{u.Session.ID}}) // Rewrite logs the reason
			if t.kept() {
				out.Remaining = append(out.Remaining, remaining...)
			}
		}
		out.Left -= u.Bytes
		out.Sessions = append(out.Sessions, PrunedSession{u.Session, u.Bytes})
	}
	return out, nil
}

// whyKept returns why a closed session must not be pruned; empty if it may be.
func (t *Transcripts) whyKept(u store.SessionUse) string {
	switch {
	case u.Extraction:
		return "its facts are not all extracted yet"
	case u.SetAside != "":
		return "its transcript was given up: " + u.SetAside
	case t.kept() && u.WrittenAt == nil:
		return "its transcript is not written yet"
	}
	return ""
}

// prune prunes a session. It reports false if the session must be kept after all because
// of a change meanwhile.
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

// unchanged reports whether no turn of a closed session was blanked or restored since u
// was read, and no extraction of facts is outstanding; one that was given up is not.
func unchanged(ctx context.Context, r store.Reader, u store.SessionUse) (bool, error) {
	known, err := r.Transcript(ctx, u.Session.Scope, u.Session.ID)
	if err != nil || known.Revision != u.Revision {
		return false, err
	}
	for _, by := range []store.Extractor{store.ByRules, store.ByModel} {
		x, err := r.Extraction(ctx, u.Session.Scope, u.Session.ID, by)
		if err == nil && x.DeadAt == nil {
			return false, nil // an extraction is outstanding
		}
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return false, err
		}
	}
	return true, nil
}
