package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/strata-memory/strata/internal/sqlite/check"
)

// scanner reads the columns of the row at hand.
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

// scanText reads a row of one text.
func scanText(scan scanner) (s string, err error) { return s, scan(&s) }

// sum gives a row its checksum, once all that it is of is written.
func (t *tx) sum(ctx context.Context, table check.Summed, number int64) error {
	_, err := t.exec(ctx, table.OfNumber, number)
	return err
}

// defaultLimit and maxLimit bound the lists of the port.
const (
	defaultLimit = 100
	maxLimit     = 10_000
)

// clampLimit returns how many rows to list for a limit that was asked for.
func clampLimit(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return min(limit, maxLimit)
}

// micros is how times are stored: microseconds since 1970 in UTC.
func micros(t time.Time) int64 { return t.UnixMicro() }

// fromMicros is the inverse of micros.
func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

// nullMicros is micros for a time that may be missing.
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
