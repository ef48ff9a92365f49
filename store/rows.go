package store

import (
	"context"

	"github.com/strata-memory/strata"
)

// Row is a row of a table of docs/formats/schema.md. Values are int64, float64, string,
// []byte or nil, one for each column.
type Row struct {
	Table   string
	Columns []string
	Values  []any
}

// RowOptions say which rows are read. The zero value reads what memory of every scope says.
type RowOptions struct {
	Scopes []strata.Scope // empty: all
	// Whole reads all that a store is made anew of, with its bookkeeping, of all scopes.
	Whole bool
}

// RowStore is a Store whose rows can be written out as they are, and read back.
type RowStore interface {
	// Rows calls begin with the version of the schema, and visit with each row, table by
	// table in the order of their keys. It sees one state, whoever writes meanwhile.
	Rows(ctx context.Context, o RowOptions, begin func(schema int) error, visit func(Row) error) error
	// OfRows makes a store of rows of a schema, which lies in the directory for temporary
	// files until it is closed and has no index. next returns io.EOF after the last row;
	// refuse is called with the reason for a row that cannot be taken.
	OfRows(ctx context.Context, schema int, next func() (Row, error), refuse func(reason string)) (Store, error)
}
