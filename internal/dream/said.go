package dream

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/store"
)

// origin describes where a fact came from.
type origin struct {
	at     time.Time // when it was said last
	byUser bool
	turns  []string
}

// originOf returns when a fact was said, and whether the user said it, according to the
// turns from which it was learned. A fact without turns counts as said when it was saved.
// A missing turn does not count as said by the user.
func originOf(ctx context.Context, r store.Reader, f strata.Fact) (origin, error) {
	out := origin{at: f.RecordedAt, turns: f.Sources}
	if len(f.Sources) == 0 {
		out.byUser = f.Origin.Explicit() || f.Origin == strata.OriginFile
		return out, nil
	}
	// A fact about the user may have been said in any scope.
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

// undecided returns why time does not settle which of two contradicting facts holds, or
// "" if the later one does.
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

// confirmed reports whether a fact was said again since a time.
func confirmed(ctx context.Context, r store.Reader, f strata.Fact, since time.Time) (bool, error) {
	list, err := r.Decisions(ctx, f.Scope, strata.DecisionFilter{FactID: f.ID, Since: since})
	return slices.ContainsFunc(list, decide.SaysAgain), err
}

// broughtBack reports whether a decision about a fact was reverted, such as one that
// retired it.
func broughtBack(ctx context.Context, r store.Reader, f strata.Fact) (bool, error) {
	list, err := r.Decisions(ctx, f.Scope, strata.DecisionFilter{FactID: f.ID})
	return slices.ContainsFunc(list, func(d strata.Decision) bool { return d.Reverts != "" }), err
}

// advised reports whether a model was consulted when a fact was saved, and kept it beside
// the others.
func advised(ctx context.Context, r store.Reader, f strata.Fact) (bool, error) {
	list, err := r.Decisions(ctx, f.Scope, strata.DecisionFilter{FactID: f.ID, Op: strata.OpAdd})
	return slices.ContainsFunc(list, func(d strata.Decision) bool { return slices.Contains(d.Rules, "advice") }), err
}
