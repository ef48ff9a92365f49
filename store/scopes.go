package store

import (
	"context"

	"github.com/strata-memory/strata"
)

// EachScope validates a view and runs fn for each of its scopes, in order, in
// one read transaction.
func EachScope(ctx context.Context, s Store, view strata.View, fn func(Reader, strata.Scope) error) error {
	if err := view.Validate(); err != nil {
		return err
	}
	return s.View(ctx, func(r Reader) error {
		for _, scope := range view.Scopes {
			if err := fn(r, scope); err != nil {
				return err
			}
		}
		return nil
	})
}
