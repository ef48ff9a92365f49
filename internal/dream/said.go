package dream

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/store"
)

// origin is where a fact comes from.
type origin struct {
	at     time.Time // when it was said last
	byUser bool
	turns  []string
}

// originOf says when a fact was said and whether by the user: in the turns that it was
// learnt from, or else when it was saved, by the user or by an agent for them. A turn
// that is not there was said by nobody knows whom.
func originOf(ctx context.Context, r store.Reader, f strata.Fact) (origin, error) {
	out := origin{at: f.RecordedAt, turns: f.Sources}
	if len(f.Sources) == 0 {
		out.byUser = f.Origin.Explicit() || f.Origin == strata.OriginFile
		return out, nil
	}
	// A fact about the user is everybody's, and its turns are where it was said.
	all, err := r.Scopes(ctx)
	if err != nil {
		return out, err
	}
	out.at, out.byUser = time.Time{}, true
	for _, id := range f.Sources {
		t, err := r.Turn(ctx, append([]strata.Scope{f.Scope}, all...), id)
		switch {
		case strata.CodeOf(err) == strata.CodeNotFound:
			out.byUser = false
		case err != nil:
			return out, err
		default:
			out.byUser = out.byUser && store.SpeechOf(t) == store.SpeechUser
			if t.At.After(out.at) {
				out.at = t.At
			}
		}
	}
	return out, nil
}

// undecided says why time does not tell which of two facts that exclude each other
// holds; empty if the later one does.
func undecided(ctx context.Context, r store.Reader, earlier, later strata.Fact, was, is origin) (string, error) {
	switch {
	case !was.at.Before(is.at) || slices.ContainsFunc(was.turns, func(id string) bool { return slices.Contains(is.turns, id) }):
		return "said at the same time", nil
	case !was.byUser || !is.byUser:
		return "not both are said by you", nil
	}
	for _, f := range []strata.Fact{earlier, later} {
		if back, err := broughtBack(ctx, r, f); err != nil || back {
			return "you undid what retired one of them", err
		}
	}
	again, err := confirmed(ctx, r, earlier, later.RecordedAt)
	if err == nil && again {
		return "the older was confirmed since", nil
	}
	return "", err
}

// confirmed reports whether a fact was said once more since a time.
func confirmed(ctx context.Context, r store.Reader, f strata.Fact, since time.Time) (bool, error) {
	list, err := r.Decisions(ctx, f.Scope, strata.DecisionFilter{FactID: f.ID, Since: since})
	return slices.ContainsFunc(list, decide.SaysAgain), err
}

// broughtBack reports whether a fact is believed because what retired it was undone.
func broughtBack(ctx context.Context, r store.Reader, f strata.Fact) (bool, error) {
	list, err := r.Decisions(ctx, f.Scope, strata.DecisionFilter{FactID: f.ID})
	return slices.ContainsFunc(list, func(d strata.Decision) bool { return d.Reverts != "" }), err
}

// advised reports whether a model was asked about a fact when it was saved, and had it
// stand beside the others.
func advised(ctx context.Context, r store.Reader, f strata.Fact) (bool, error) {
	list, err := r.Decisions(ctx, f.Scope, strata.DecisionFilter{FactID: f.ID, Op: strata.OpAdd})
	return slices.ContainsFunc(list, func(d strata.Decision) bool { return slices.Contains(d.Rules, "advice") }), err
}
