package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

var _ store.Writer = (*tx)(nil)

// tx is one function's part of a transaction. View passes it to the function as a
// Reader, Update as a Writer; group is nil while reading.
type tx struct {
	db    *DB
	conn  *database.Conn
	now   time.Time
	group *commitGroup
	// scopes holds the scopes that this function created. They are added to the group's
	// when the function succeeds and to the database's when the group commits, so that
	// a scope that was rolled back is never remembered.
	scopes map[strata.Scope]int64
	// cached are rows read before; all writers of a group share them.
	cached *cachedRows
	// forgets is set if this function forgets something: no copy may keep it.
	forgets bool
	onUndo  []func()
	// lexical is the word index as this function sees it; nil before its first search.
	lexical *lexical.Snapshot
}

// cachedRows are rows needed for every passage, as the transaction sees them. Code
// that changes such a row must update or clear the cache.
type cachedRows struct {
	models *wantedModels // nil until read
	heads  map[headKey]*codeHead
}

// clear makes the next use read all rows again.
func (c *cachedRows) clear() { *c = cachedRows{} }

// Now returns the time of the transaction, in UTC and whole microseconds.
func (t *tx) Now() time.Time { return t.now }

// OnUndo registers fn to be called if what the function did is undone.
func (t *tx) OnUndo(fn func()) { t.onUndo = append(t.onUndo, fn) }

// query runs a statement that returns rows. The statement is prepared once per
// connection, so its text must be constant or come from a small set, and it must not
// be run again while its rows are open.
//
// The variants of query below read all rows at once and call the driver directly,
// which takes half the time.
func (t *tx) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	ctx, err := t.statementContext(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := t.conn.Query(ctx, query, args)
	if err != nil {
		return nil, t.failed("query", err)
	}
	return rows, nil
}

// queryRow is like query, for one row; its Scan returns [sql.ErrNoRows] if there is
// none.
func (t *tx) queryRow(ctx context.Context, query string, args ...any) row {
	rows, err := t.query(ctx, query, args...)
	return row{rows: rows, err: err}
}

// queryIntegers is like query, for rows of n integers, which it returns one row
// after another.
func (t *tx) queryIntegers(ctx context.Context, n int, query string, args ...any) ([]int64, error) {
	ctx, err := t.statementContext(ctx)
	if err != nil {
		return nil, err
	}
	list, err := t.conn.Integers(ctx, n, query, args)
	if err != nil {
		return nil, t.failed("query", err)
	}
	return list, nil
}

// queryInteger is like query, for one integer. It returns [sql.ErrNoRows] if there
// is none.
func (t *tx) queryInteger(ctx context.Context, query string, args ...any) (int64, error) {
	list, err := t.queryIntegers(ctx, 1, query, args...)
	if err != nil {
		return 0, err
	}
	if len(list) == 0 {
		return 0, sql.ErrNoRows
	}
	return list[0], nil
}

// queryBlob is like query, for a statement that returns one row of one blob, as pack
// and pack_rows make it.
func (t *tx) queryBlob(ctx context.Context, query string, args ...any) ([]byte, error) {
	ctx, err := t.statementContext(ctx)
	if err != nil {
		return nil, err
	}
	blob, err := t.conn.Blob(ctx, query, args)
	if err != nil {
		return nil, t.failed("query", err)
	}
	return blob, nil
}

// exec runs a statement that returns no rows. Its text is subject to the same rule
// as in query.
func (t *tx) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx, err := t.statementContext(ctx)
	if err != nil {
		return nil, err
	}
	res, err := t.conn.Exec(ctx, query, args)
	if err != nil {
		return nil, t.failed("execute", err)
	}
	return res, nil
}

// statementContext returns the context to run a statement with, or why none may run.
// A reader's statement can be interrupted. A writer's cannot: SQLite reacts to an
// interrupted change by rolling back the whole transaction, including what others
// wrote in the same group. So a writer checks its context only between statements.
func (t *tx) statementContext(ctx context.Context) (context.Context, error) {
	if err := ctx.Err(); err != nil {
		return ctx, wrap("", err)
	}
	if t.group == nil {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), t.group.lost
}

// failed wraps the error of a statement. SQLite rolls back the whole transaction by
// itself when, for example, the disk is full. Nothing more may run in it then:
// outside a transaction each statement would commit alone.
func (t *tx) failed(op string, err error) error {
	t.db.opened.Note(err)
	err = t.db.wrap(op, err)
	if t.group != nil && t.group.lost == nil && !t.conn.InTransaction() {
		t.group.lost = err
	}
	return err
}

// row is the first row of a query, for Scan to read.
type row struct {
	rows *sql.Rows
	err  error
}

// Scan reads the row's columns and closes the query. It returns [sql.ErrNoRows] if
// there is no row.
func (r row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return wrap("read row", err)
		}
		return sql.ErrNoRows
	}
	if err := r.rows.Scan(dest...); err != nil {
		return wrap("read row", err)
	}
	return wrap("read row", r.rows.Close())
}
