// Package usage has the statements of what memory keeps of its own use: explanations,
// recall events, accesses and runs of tools, and of how dreams tend it: promotions,
// runs, leases, pairs of facts to compare, questions, concept tags.
package usage

import (
	"context"
	"database/sql"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
)

// Scope is a scope in one transaction.
type Scope struct {
	Query func(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	// Integers is Query for rows of n integers, which it returns row after row.
	Integers func(ctx context.Context, n int, query string, args ...any) ([]int64, error)
	Exec     func(ctx context.Context, query string, args ...any) (sql.Result, error)
	Of       strata.Scope
	No       int64 // its number
}

// scanner reads the columns of a row.
type scanner func(dest ...any) error

// collect reads all rows of a query.
func collect[T any](ctx context.Context, s Scope, query string, args []any, read func(scan scanner) (T, error)) (out []T, err error) {
	rows, err := s.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		v, err := read(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// one reads the only row of a query; [sql.ErrNoRows] where there is none.
func one[T any](ctx context.Context, s Scope, query string, args []any, read func(scan scanner) (T, error)) (T, error) {
	list, err := collect(ctx, s, query, args, read)
	if err != nil || len(list) == 0 {
		var zero T
		if err == nil {
			err = sql.ErrNoRows
		}
		return zero, err
	}
	return list[0], nil
}

// number reads a row of one number.
func number(scan scanner) (n int64, err error) { return n, scan(&n) }

// Last is the greatest number that a table has in the scope, or the number before
// the first. Rows follow on, so that those beyond the number to keep are found by
// arithmetic; forgetting may leave gaps.
func (s Scope) Last(ctx context.Context, table string) (int64, error) {
	low, high := passage.Numbers(s.No)
	return one(ctx, s, `SELECT coalesce(max(number), ?1) FROM `+table+` WHERE number BETWEEN ?1 AND ?2`, []any{low, high}, number)
}

// keep removes the rows of a table in the scope but for the newest up to a number.
func (s Scope) keep(ctx context.Context, table string, newest int64, keep int) error {
	low, _ := passage.Numbers(s.No)
	_, err := s.Exec(ctx, `DELETE FROM `+table+` WHERE number BETWEEN ? AND ?`, low, newest-int64(keep))
	return err
}

// micros is how times are stored: microseconds since 1970 in UTC.
func micros(t time.Time) int64 { return t.UnixMicro() }

func nullMicros(t *time.Time) any {
	if t == nil {
		return nil
	}
	return micros(*t)
}

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

func fromNullMicros(us sql.NullInt64) *time.Time {
	if !us.Valid {
		return nil
	}
	t := fromMicros(us.Int64)
	return &t
}
