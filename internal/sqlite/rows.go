package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/strata-memory/strata/internal/sqlite/check"
)

// scanner scans the columns of the current row.
type scanner func(dest ...any) error

// collect reads all rows of a query.
func collect[T any](ctx context.Context, t *tx, query string, args []any, read func(scanner) (T, error)) (out []T, err error) {
	err = t.eachRow(ctx, query, args, func(scan scanner) error {
		v, err := read(scan)
		out = append(out, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// eachRow calls read with every row of a query.
func (t *tx) eachRow(ctx context.Context, query string, args []any, read func(scanner) error) error {
	rows, err := t.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return wrap("read row", err)
		}
	}
	return wrap("read rows", rows.Err())
}

// scanText scans a row of one text.
func scanText(scan scanner) (s string, err error) { return s, scan(&s) }

// sum stores the checksum of a row. Everything the checksum covers must be written
// before.
func (t *tx) sum(ctx context.Context, table check.Summed, number int64) error {
	_, err := t.exec(ctx, table.OfNumber, number)
	return err
}

// defaultLimit and maxLimit bound the lists that the store returns.
const (
	defaultLimit = 100
	maxLimit     = 10_000
)

// clampLimit returns how many rows to list for a requested limit.
func clampLimit(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return min(limit, maxLimit)
}

// micros returns a time as it is stored: microseconds since 1970 in UTC.
func micros(t time.Time) int64 { return t.UnixMicro() }

// fromMicros is the inverse of micros.
func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

// nullMicros is like micros, for a time that may be missing.
func nullMicros(t *time.Time) any {
	if t == nil {
		return nil
	}
	return micros(*t)
}

// fromNullMicros is the inverse of nullMicros.
func fromNullMicros(us sql.NullInt64) *time.Time {
	if !us.Valid {
		return nil
	}
	t := fromMicros(us.Int64)
	return &t
}
