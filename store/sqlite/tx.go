package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

var _ store.Writer = (*tx)(nil)

// tx is one function's turn inside a transaction. View hands it out as a
// Reader, Update as a Writer; group is nil while reading.
type tx struct {
	db    *DB
	conn  *conn
	now   time.Time
	group *group
	// scopes holds the scopes this function created. They join the group's
	// when the function succeeds and the database's when the group commits, so
	// that a scope that was rolled back is never remembered.
	scopes map[strata.Scope]int64
	// wanted holds which embedding models are wanted, once this function has
	// looked, and fresh the last number it was given: what has that number is
	// not indexed yet.
	wanted *wantedModels
	fresh  int64
	// lastSketch is the sketch of the text lastSketched.
	lastSketched string
	lastSketch   termSketch
}

// Now is the time of the transaction, in UTC and whole microseconds.
func (t *tx) Now() time.Time { return t.now }

// query runs a statement that yields rows. The statement is prepared once for
// each connection, so its text must be constant or come from a small set, and
// it must not be run again while its rows are open.
func (t *tx) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	ctx, err := t.begin(ctx)
	if err != nil {
		return nil, err
	}
	stmt, err := t.conn.prepare(ctx, query)
	if err != nil {
		return nil, t.failed("prepare", err)
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, t.failed("query", err)
	}
	return rows, nil
}

// queryRow is query for one row; its Scan returns sql.ErrNoRows for none.
func (t *tx) queryRow(ctx context.Context, query string, args ...any) row {
	rows, err := t.query(ctx, query, args...)
	return row{rows: rows, err: err}
}

// exec runs a statement that yields no rows. See query for what its text may be.
func (t *tx) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx, err := t.begin(ctx)
	if err != nil {
		return nil, err
	}
	stmt, err := t.conn.prepare(ctx, query)
	if err != nil {
		return nil, t.failed("prepare", err)
	}
	res, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return nil, t.failed("execute", err)
	}
	return res, nil
}

// begin returns the context a statement runs with. A reader's statement can be
// interrupted. A writer's cannot: SQLite answers an interrupted change by
// undoing the whole transaction, and with it what others wrote in the same
// group. So a writer looks at its context between statements only.
func (t *tx) begin(ctx context.Context) (context.Context, error) {
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
	err = wrap(op, err)
	if t.group != nil && t.group.lost == nil && !t.conn.inTransaction() {
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

// maxStatements bounds the statements kept prepared on one connection. The
// store's own number about a hundred; text made at run time beyond that is
// prepared anew each time.
const maxStatements = 256

// conn is a connection with its prepared statements. One goroutine uses it at
// a time.
type conn struct {
	*sql.Conn
	stmts map[string]*sql.Stmt
}

// preparer is a statement or a connection that prepares one for itself.
type preparer interface {
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
}

func (c *conn) prepare(ctx context.Context, query string) (preparer, error) {
	if stmt := c.stmts[query]; stmt != nil {
		return stmt, nil
	}
	if len(c.stmts) >= maxStatements {
		return unprepared{c.Conn, query}, nil
	}
	stmt, err := c.PrepareContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return nil, err
	}
	c.stmts[query] = stmt
	return stmt, nil
}

// unprepared is a statement that is prepared for each run.
type unprepared struct {
	conn  *sql.Conn
	query string
}

func (u unprepared) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return u.conn.QueryContext(ctx, u.query, args...)
}

func (u unprepared) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return u.conn.ExecContext(ctx, u.query, args...)
}

// inTransaction reports whether a transaction is open.
func (c *conn) inTransaction() bool {
	open := false
	err := c.Raw(func(driver any) error {
		open = !driver.(*sqlite3.SQLiteConn).AutoCommit()
		return nil
	})
	return err == nil && open
}

// control runs a statement that steers the connection. It cannot be
// interrupted: half a COMMIT helps nobody.
func (c *conn) control(statement string) error {
	ctx := context.Background()
	stmt, err := c.prepare(ctx, statement)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(ctx)
	return err
}

// close gives up the statements and the connection.
func (c *conn) close() error {
	for _, stmt := range c.stmts {
		stmt.Close() // the connection reports what matters
	}
	return c.Conn.Close()
}
