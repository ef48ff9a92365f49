package sqlite

import (
	"context"
	"database/sql"

	"github.com/strata-memory/strata/internal/sqlite/packed"
)

// readPacked runs a query that packs its rows with pack_rows, and reads them. It is
// meant for a few hundred rows of moderate size, since all of them are in memory at
// once.
func readPacked[T any](ctx context.Context, t *tx, query string, args []any, read func(scanner) (T, error)) ([]T, error) {
	blob, err := t.queryBlob(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var out []T
	for rows := packed.Reader(blob); len(rows) > 0; {
		v, err := read(rows.Scan)
		if err != nil {
			return nil, wrap("read row", err)
		}
		out = append(out, v)
	}
	return out, nil
}

// queryPackedRow is like queryRow, for a query that packs its row with pack_rows.
func (t *tx) queryPackedRow(ctx context.Context, query string, args []any, dest ...any) error {
	blob, err := t.queryBlob(ctx, query, args...)
	if err != nil {
		return err
	}
	if len(blob) == 0 {
		return sql.ErrNoRows
	}
	rows := packed.Reader(blob)
	return wrap("read row", rows.Scan(dest...))
}

// rows calls fn with each row that a query packs.
func (t *tx) rows(ctx context.Context, columns int, query string, args []any, fn func([]packed.Value) error) error {
	blob, err := t.queryBlob(ctx, query, args...)
	if err != nil {
		return err
	}
	_, err = packed.Each(blob, columns, fn)
	return err
}

// pages calls fn with each row that a query packs, reading them in parts. args
// returns the parameters of the next part, which say where it begins; the last
// parameter is the maximum number of rows in a part.
func (t *tx) pages(ctx context.Context, columns int, query string, args func() []any, fn func([]packed.Value) error) error {
	for {
		a := args()
		blob, err := t.queryBlob(ctx, query, a...)
		if err != nil {
			return err
		}
		n, err := packed.Each(blob, columns, fn)
		if err != nil || n < a[len(a)-1].(int) {
			return err
		}
	}
}
