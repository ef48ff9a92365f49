package store

import (
	"context"

	"github.com/strata-memory/strata"
)

// Row is a row of a table that docs/formats/schema.md describes. Values holds an int64,
// float64, string, []byte or nil for each column.
type Row struct {
	Table   string
	Columns []string
	Values  []any
}

// RowOptions select the rows to read. The zero value selects what the memory of every
// scope says.
type RowOptions struct {
	Scopes []strata.Scope // empty: all
	// Whole selects everything that a store is rebuilt from, including bookkeeping, in
	// all scopes.
	Whole bool
}

// RowStore is a [Store] whose rows can be exported as they are and read back.
type RowStore interface {
	// Rows calls begin with the schema version, then visit with each row, table by table
	// in key order. All rows are of one state, even if others write meanwhile.
	Rows(ctx context.Context, o RowOptions, begin func(schema int) error, visit func(Row) error) error
	// OfRows makes a store from rows of a schema. The store lies in the directory for
	// temporary files until it is closed, and it has no index. next returns io.EOF after
	// the last row. OfRows calls refuse with the reason for each row that it cannot take.
	OfRows(ctx context.Context, schema int, next func() (Row, error), refuse func(reason string)) (Store, error)
}
