package conversation

import (
	"context"
	"maps"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/forget"
	"github.com/strata-memory/strata/store"
)

// Sayings returns the sentences that told a fact, from the turns that it came from in the
// scopes of a view.
func Sayings(ctx context.Context, r store.Reader, view strata.View, f strata.Fact) ([]string, error) {
	versions, err := r.FactVersions(ctx, f.Scope, f.ID)
	if err != nil {
		return nil, err
	}
	var sources []string
	for _, v := range versions {
		sources = append(sources, v.Sources...)
	}
	found, err := store.TurnsByID(ctx, r, view.Scopes, sources)
	if err != nil {
		return nil, err
	}
	return forget.Sayings(versions, slices.Collect(maps.Values(found))), nil
}

// ForgetFact forgets a fact in the database, and the turns that told it in every scope of
// the view: what is said of a person stands in the conversations of projects. What was
// said is what [Sayings] finds.
func ForgetFact(ctx context.Context, w store.Writer, view strata.View, f strata.Fact, said []string, within ...strata.Scope) (store.Forgotten, error) {
	versions, err := w.FactVersions(ctx, f.Scope, f.ID)
	if err != nil {
		return store.Forgotten{}, err
	}
	var others store.Forgotten
	for _, s := range view.Scopes {
		if s == f.Scope || len(within) > 0 && !slices.Contains(within, s) {
			continue
		}
		there, err := w.ForgetTurns(ctx, s, versions, said, within...)
		if err != nil {
			return store.Forgotten{}, err
		}
		others.Turns = append(others.Turns, there.Turns...)
		others.Traces, others.States = others.Traces+there.Traces, others.States+there.States
		for _, id := range there.Transcripts {
			others.Elsewhere = append(others.Elsewhere, store.SessionOf{Scope: s, ID: id})
		}
	}
	out, err := w.Forget(ctx, f.Scope, f.ID, said, within...) // names the turns that are left
	out.Turns, out.Elsewhere = append(out.Turns, others.Turns...), others.Elsewhere
	out.Traces, out.States = out.Traces+others.Traces, out.States+others.States
	slices.Sort(out.Turns)
	return out, err
}
