package engine

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// noteShadowed appends an event for each fact of a shallower scope that a new one stands
// in front of, because it fills the same slot, for whoever sees both.
func noteShadowed(ctx context.Context, w store.Writer, f strata.Fact) error {
	if f.Entity == "" {
		return nil
	}
	scopes := strata.ViewOf(f.Scope.Workspace, f.Scope.Agent).Scopes
	for _, s := range scopes[slices.Index(scopes, f.Scope)+1:] {
		hidden, err := w.FactsBySlot(ctx, s, f.Entity, f.Attribute)
		if err != nil {
			return err
		}
		for _, h := range hidden {
			err := w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteShadowed, Scope: s, Ref: h.ID, Detail: "by " + f.Scope.Key(), At: w.Now()})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
