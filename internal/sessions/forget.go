package sessions

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/store"
)

// ForgetFact forgets a fact in the database, and blanks the turns that told it in every
// scope of the view, because people also speak about themselves in the conversations of
// projects. told comes from [Telling].
func ForgetFact(ctx context.Context, w store.Writer, view strata.View, f strata.Fact, told *forget.Telling, within ...strata.Scope) (store.Forgotten, error) {
	versions, err := w.FactVersions(ctx, f.Scope, f.ID)
	if err != nil {
		return store.Forgotten{}, err
	}
	var others store.Forgotten
	for _, s := range view.Scopes {
		if s == f.Scope || len(within) > 0 && !slices.Contains(within, s) {
			continue
		}
		there, err := w.ForgetTurns(ctx, s, versions, told, within...)
		if err != nil {
			return store.Forgotten{}, err
		}
		others.Turns, others.Shortened = append(others.Turns, there.Turns...), append(others.Shortened, there.Shortened...)
		others.Traces, others.States = others.Traces+there.Traces, others.States+there.States
		for _, id := range there.Transcripts {
			others.Elsewhere = append(others.Elsewhere, store.SessionOf{Scope: s, ID: id})
		}
	}
	out, err := w.Forget(ctx, f.Scope, f.ID, told, within...) // also names the turns that are left
	out.Turns, out.Elsewhere = append(out.Turns, others.Turns...), others.Elsewhere
	out.Shortened = append(out.Shortened, others.Shortened...)
	out.Traces, out.States = out.Traces+others.Traces, out.States+others.States
	slices.Sort(out.Turns)
	return out, err
}
