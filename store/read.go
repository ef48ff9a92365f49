package store

import (
	"context"

	"github.com/strata-memory/strata"
)

// Read runs fn in a read transaction and returns its result.
func Read[T any](ctx context.Context, s Store, fn func(Reader) (T, error)) (T, error) {
	var out T
	err := s.View(ctx, func(r Reader) error {
		var err error
		out, err = fn(r)
		return err
	})
	return out, err
}

// ReadEach validates a view, runs fn for each of its scopes, in order, in one read
// transaction, and joins the results.
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

// ViewEach validates a view and runs fn for each of its scopes, in order, in one
// read transaction.
func ViewEach(ctx context.Context, s Store, view strata.View, fn func(Reader, strata.Scope) error) error {
	_, err := ReadEach(ctx, s, view, func(r Reader, scope strata.Scope) ([]struct{}, error) { return nil, fn(r, scope) })
	return err
}

// TurnsByID returns the turns with the given ids that one of the scopes owns, by id. It
// leaves out turns that do not exist.
func TurnsByID(ctx context.Context, r Reader, scopes []strata.Scope, ids []string) (map[string]strata.Turn, error) {
	out := make(map[string]strata.Turn)
	for _, id := range ids {
		t, err := r.Turn(ctx, scopes, id)
		if err == nil {
			out[id] = t
		} else if strata.CodeOf(err) != strata.CodeNotFound {
			return nil, err
		}
	}
	return out, nil
}

// AllFacts reads all facts of a scope that a filter selects, page by page. It ignores the
// limit and the start of the filter.
func AllFacts(ctx context.Context, r Reader, scope strata.Scope, f strata.FactFilter) (out []strata.Fact, err error) {
	f.Limit = 10_000
	for f.After = ""; ; f.After = out[len(out)-1].ID {
		page, err := r.Facts(ctx, scope, f)
		if out = append(out, page...); err != nil || len(page) < f.Limit {
			return out, err
		}
	}
}
