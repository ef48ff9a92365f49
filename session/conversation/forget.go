package conversation

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// ForgetFact forgets a fact in the database, and the turns that it came from in every
// scope of the view: what is said of a person stands in the conversations of projects.
func ForgetFact(ctx context.Context, w store.Writer, view strata.View, f strata.Fact, within ...strata.Scope) (store.Forgotten, error) {
	versions, err := w.FactVersions(ctx, f.Scope, f.ID)
	if err != nil {
		return store.Forgotten{}, err
	}
	var sources []string
	for _, v := range versions {
		sources = append(sources, v.Sources...)
	}
	var others store.Forgotten
	for _, s := range view.Scopes {
		if s == f.Scope || len(within) > 0 && !slices.Contains(within, s) {
			continue
		}
		there, err := w.ForgetSources(ctx, s, f.ID, sources, within...)
		if err != nil {
			return store.Forgotten{}, err
		}
		others.Turns = append(others.Turns, there.Turns...)
		others.Traces, others.States = others.Traces+there.Traces, others.States+there.States
		for _, id := range there.Transcripts {
			others.Elsewhere = append(others.Elsewhere, store.SessionOf{Scope: s, ID: id})
		}
	}
	out, err := w.Forget(ctx, f.Scope, f.ID, within...) // names the turns that are left
	out.Turns, out.Elsewhere = append(out.Turns, others.Turns...), others.Elsewhere
	out.Traces, out.States = out.Traces+others.Traces, out.States+others.States
	slices.Sort(out.Turns)
	return out, err
}
