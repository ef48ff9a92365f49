package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/sqlite/shortid"
)

// IDs lists ids of a kind by how they begin or end: where none is there, of what was
// forgotten.
func (t *tx) IDs(ctx context.Context, scope strata.Scope, kind, begin, end string, limit int) ([]string, error) {
	query, ok := shortid.Select(kind)
	if !ok || begin == "" || end == "" {
		return nil, nil
	}
	return inScope(ctx, t, scope, "find id", func(no int64) ([]string, error) {
		list, err := collect(ctx, t, query, []any{no, begin, end, clampLimit(limit)}, scanText)
		if err != nil || len(list) > 0 {
			return list, err
		}
		return collect(ctx, t, shortid.Forgotten, []any{no, begin, end, clampLimit(limit), kind + "_"}, scanText)
	})
}
