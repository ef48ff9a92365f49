package engine

import (
	"context"

	"github.com/strata-memory/strata/internal/recall/reopen"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store"
)

// Expand reopens turns of a session: a whole range, or the ones that answer a query. It
// reads the ledger, so the turns need not be in anybody's context, and it records
// nothing. It reads the session from the first scope of the view that has it. A group
// session can reopen only turns of group sessions.
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
