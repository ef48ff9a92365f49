package engine

import (
	"context"

	"github.com/strata-memory/strata/internal/recall/reopen"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store"
)

// Expand reopens turns of a session: a whole span, or what in it answers a
// query. It reads the ledger, so that it does not matter whether the turns are
// still in somebody's context, and it records nothing. The first scope of the
// view that has the session is read; in the view of a group session the
// sessions of others than groups do not exist.
func (e *Engine) Expand(ctx context.Context, x ExpandRequest) (Expansion, error) {
	if err := x.Validate(); err != nil {
		return Expansion{}, err
	}
	return store.Read(ctx, e.store, func(r store.Reader) (Expansion, error) {
		s, err := sessions.Find(ctx, r, "expand", x.View, x.Session)
		if err != nil {
			return Expansion{}, err
		}
		return reopen.Read(ctx, r, s, x, e.opts.Now())
	})
}
