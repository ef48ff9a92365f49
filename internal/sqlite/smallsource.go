package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/index/small"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

var _ small.Source = smallSource{}

// smallSource implements [small.Source] for a transaction that reads.
type smallSource struct{ *tx }

// smallScope returns the facts of a scope if they can answer a search with filter f
// from memory, and nil if the tables must. A transaction that writes always uses the
// tables.
func (t *tx) smallScope(ctx context.Context, scopeNo int64, f store.Filter) (*small.Set, error) {
	if t.group != nil || !small.Serves(f) {
		return nil, nil
	}
	if set, ok := t.small[scopeNo]; ok {
		return set, nil
	}
	set, err := t.db.small.Facts(ctx, smallSource{t}, scopeNo)
	if err != nil {
		return nil, wrap("read facts of a scope", err)
	}
	if t.small == nil {
		t.small = make(map[int64]*small.Set)
	}
	t.small[scopeNo] = set
	return set, nil
}

// Scope returns the counts kept of a scope.
func (s smallSource) Scope(ctx context.Context, scope int64) (small.Scope, error) {
	n, err := s.queryIntegers(ctx, 5, `SELECT
		coalesce((SELECT passages FROM scope_stat WHERE scope_no = ?1 AND kind = 1), 0),
		coalesce((SELECT sum(passages) FROM scope_stat WHERE scope_no = ?1), 0),
		coalesce((SELECT next FROM scope WHERE no = ?1), 0),
		coalesce((SELECT change FROM passage WHERE number >> 40 = ?1 ORDER BY change DESC LIMIT 1), 0),
		coalesce((SELECT change FROM removal WHERE scope_no = ?1 ORDER BY change DESC LIMIT 1), 0)`,
		scope)
	if err != nil {
		return small.Scope{}, err
	}
	return small.Scope{Facts: n[0], Passages: n[1], Used: n[2], Changed: n[3], Removed: n[4]}, nil
}

// The terms of passage p, from table pending or table term_index; empty if they are
// in neither.
const (
	termsOfPassage = `coalesce(w.terms, (SELECT c0 FROM term_index_content WHERE id = p.number), '')`
	joinTerms      = ` LEFT JOIN pending AS w ON w.number = p.number`
)

// Current calls fn with the current facts of a scope.
func (s smallSource) Current(ctx context.Context, scope int64, fn func(small.Fact) error) error {
	return s.facts(ctx, `fact AS f INDEXED BY fact_category CROSS JOIN passage AS p ON p.number = f.number`+joinTerms+`
		WHERE f.scope_no = ? AND f.retired_at IS NULL AND p.kind = 1 AND p.retired_at IS NULL`, []any{scope}, fn)
}

// Changed calls fn with the facts of a scope that changed after a change.
func (s smallSource) Changed(ctx context.Context, scope, after int64, fn func(small.Fact) error) error {
	return s.facts(ctx, `passage AS p INDEXED BY passage_change`+joinTerms+`
		WHERE p.number >> 40 = ? AND p.change > ? AND p.kind = 1`, []any{scope, after}, fn)
}

// facts calls fn with the facts of passages p that a query selects.
func (s smallSource) facts(ctx context.Context, from string, args []any, fn func(small.Fact) error) error {
	return s.rows(ctx, columnsOfRow+1, `
		SELECT pack_rows(p.number, p.parent, p.seq, p.words, p.kind, p.type, p.recorded_at, p.retired_at, `+termsOfPassage+`) FROM `+from,
		args, func(row []packed.Value) error {
			return fn(small.Fact{Row: readRow(row), Terms: string(row[columnsOfRow].Bytes())})
		})
}

// Removed lists the passages of a scope that were removed after a change.
func (s smallSource) Removed(ctx context.Context, scope, after int64) ([]int64, error) {
	return s.queryIntegers(ctx, 1, `SELECT number FROM removal WHERE scope_no = ? AND change > ?`, scope, after)
}

// The normalized text of passage p, which is in one of two tables.
const (
	normalText = `coalesce(u.normal, x.c0)`
	joinNormal = ` LEFT JOIN pending AS u ON u.number = p.number LEFT JOIN trigram_index_content AS x ON x.id = p.number`
)

// Texts calls fn with the normalized texts of some facts.
func (s smallSource) Texts(ctx context.Context, numbers []int64, fn func(int64, []byte) error) error {
	return s.rows(ctx, 2, `
		SELECT pack_rows(p.number, coalesce(`+normalText+`, '')) FROM unpack(?) AS j CROSS JOIN passage AS p ON p.number = j.c0`+joinNormal,
		[]any{packed.Numbers(numbers)}, func(row []packed.Value) error { return fn(row[0].Int(), row[1].Bytes()) })
}
