package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/index/small"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

var _ store.Writer = (*tx)(nil)

// tx is one function's turn inside a transaction. View hands it out as a
// Reader, Update as a Writer; group is nil while reading.
type tx struct {
	db    *DB
	conn  *database.Conn
	now   time.Time
	group *commitGroup
	// scopes holds the scopes this function created. They join the group's
	// when the function succeeds and the database's when the group commits, so
	// that a scope that was rolled back is never remembered.
	scopes map[strata.Scope]int64
	// cached are rows that were read; of a writer those of its group.
	cached *cachedRows
	// forgets says that this function forgets something: no copy may hold it.
	forgets bool
	onUndo  []func()
	// small are the facts of scopes that a reader asked for; nil where they are
	// not kept in memory.
	small map[int64]*small.Set
	// lexical is the index of words as this function sees it, once it has searched.
	lexical *lexical.Snapshot
}

// cachedRows are rows that are read for every passage, as the transaction has them.
// What changes a row changes it here, or clears what is cached.
type cachedRows struct {
	models *wantedModels // nil until read
	heads  map[headKey]*codeHead
}

// clear has all rows read anew.
func (c *cachedRows) clear() { *c = cachedRows{} }

// Now is the time of the transaction, in UTC and whole microseconds.
func (t *tx) Now() time.Time { return t.now }

// OnUndo has fn called should what the function did be undone.
func (t *tx) OnUndo(fn func()) { t.onUndo = append(t.onUndo, fn) }

// query runs a statement that yields rows. The statement is prepared once for
// each connection, so its text must be constant or come from a small set, and
// it must not be run again while its rows are open.
//
// The variants of query below read all rows at once and go to the driver
// directly, which takes half the time.
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

// queryRow is query for one row; its Scan returns [sql.ErrNoRows] for none.
func (t *tx) queryRow(ctx context.Context, query string, args ...any) row {
	rows, err := t.query(ctx, query, args...)
	return row{rows: rows, err: err}
}

// queryIntegers is query for rows of n integers, which it returns row after row.
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

// queryInteger is query for one integer: [sql.ErrNoRows] where there is none.
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

// queryBlob is query for a statement that yields one row of one blob, as pack
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

// exec runs a statement that yields no rows. See query for what its text may be.
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

// statementContext returns what a statement runs with, or why none may run. A
// reader's statement can be interrupted. A writer's cannot: SQLite answers an
// interrupted change by undoing the whole transaction, and with it what others
// wrote in the same group. So a writer looks at its context between statements
// only.
func (t *tx) statementContext(ctx context.Context) (context.Context, error) {
	if err := ctx.Err(); err != nil {
		return ctx, wrap("", err)
	}
	if t.group == nil {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), t.group.lost
}

// failed wraps the error of a statement. SQLite undoes the whole transaction
// by itself when, say, the disk is full. Then nothing more may run in it:
// outside a transaction each statement would commit alone.
func (t *tx) failed(op string, err error) error {
	t.db.opened.Note(err)
	err = t.db.wrap(op, err)
	if t.group != nil && t.group.lost == nil && !t.conn.InTransaction() {
		t.group.lost = err
	}
	return err
}

// row is the first row of a query, read by Scan.
type row struct {
	rows *sql.Rows
	err  error
}

// Scan reads the row's columns and closes the query. It returns
// [sql.ErrNoRows] where there is none.
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
