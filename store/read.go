package store

import (
	"context"

	"github.com/strata-memory/strata"
)

// Read returns what fn reads in a read transaction.
func Read[T any](ctx context.Context, s Store, fn func(Reader) (T, error)) (T, error) {
	var out T
	err := s.View(ctx, func(r Reader) error {
		var err error
		out, err = fn(r)
		return err
	})
	return out, err
}

// ReadEach validates a view and joins what fn reads of each of its scopes, in
// order, in one read transaction.
func ReadEach[T any](ctx context.Context, s Store, view strata.View, fn func(Reader, strata.Scope) ([]T, error)) ([]T, error) {
	if err := view.Validate(); err != nil {
		return nil, err
	}
	return Read(ctx, s, func(r Reader) ([]T, error) {
		var out []T
		for _, scope := range view.Scopes {
			list, err := fn(r, scope)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
		return out, nil
	})
}
