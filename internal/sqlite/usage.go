package sqlite

import (
	"context"
	"database/sql"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
)

// usageScope reads and writes what a scope records about the use of memory:
// explanations, recall events, accesses and tool runs; and about dreams: promotions,
// runs, leases, pairs of facts to compare, questions and concept tags.
type usageScope struct {
	*tx
	of strata.Scope
	no int64 // its number
}

// queryOne returns the only row of a query, or [sql.ErrNoRows].
func queryOne[T any](ctx context.Context, t *tx, query string, args []any, read func(scan scanner) (T, error)) (T, error) {
	list, err := collect(ctx, t, query, args, read)
	if err != nil || len(list) == 0 {
		var zero T
		if err == nil {
			err = sql.ErrNoRows
		}
		return zero, err
	}
	return list[0], nil
}

// scanNumber scans a row of one number.
func scanNumber(scan scanner) (n int64, err error) { return n, scan(&n) }

// Last returns the greatest number that a table has in the scope, or the number
// before the first. Rows are numbered consecutively, so that the rows beyond those
// to keep are found by arithmetic; forgetting may leave gaps.
func (s usageScope) Last(ctx context.Context, table string) (int64, error) {
	low, high := passage.Numbers(s.no)
	return queryOne(ctx, s.tx, `SELECT coalesce(max(number), ?1) FROM `+table+` WHERE number BETWEEN ?1 AND ?2`, []any{low, high}, scanNumber)
}

// keep removes all rows of a table in the scope except the newest keep, where newest
// is the number of the newest.
func (s usageScope) keep(ctx context.Context, table string, newest int64, keep int) error {
	low, _ := passage.Numbers(s.no)
	_, err := s.exec(ctx, `DELETE FROM `+table+` WHERE number BETWEEN ? AND ?`, low, newest-int64(keep))
	return err
}
