package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// Trace returns a stored explanation that belongs to one of the scopes.
func (t *tx) Trace(ctx context.Context, scopes []strata.Scope, id string) (store.Trace, error) {
	return inUsage(ctx, t, scopes, "trace", id, func(s usageScope) (store.Trace, error) { return s.Trace(ctx, id) })
}

// Traces lists the newest traces of a scope.
func (t *tx) Traces(ctx context.Context, scope strata.Scope, f store.TraceFilter) ([]store.Trace, error) {
	return inScope(ctx, t, scope, "list traces", func(no int64) ([]store.Trace, error) {
		f.Limit = clampLimit(f.Limit)
		return t.usage(scope, no).Traces(ctx, f)
	})
}

// PutTrace inserts an explanation; the oldest of the scope make room for it.
func (t *tx) PutTrace(ctx context.Context, x store.Trace) error {
	const op = "put trace"
	if err := strata.ValidateName("trace id", x.ID); err != nil {
		return err
	}
	if x.At.IsZero() {
		x.At = t.now
	}
	err := t.changeUsage(ctx, op, x.Scope, func(s usageScope) error { return s.PutTrace(ctx, x) })
	if database.IsConstraint(err) {
		return conflict(op, "trace "+x.ID+" already exists")
	}
	return err
}
