package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/mattn/go-sqlite3"
)

// maxStatements bounds the statements kept prepared on one connection. The
// store's own number about a hundred; text made at run time beyond that is
// prepared anew each time.
const maxStatements = 256

// conn is a connection with its prepared statements. One goroutine uses it at
// a time.
type conn struct {
	*sql.Conn
	stmts map[string]*sql.Stmt

	// changes are the statements that yield no rows, as the driver has them.
	// A save runs a dozen, and through package sql each would cost half as
	// much again.
	changes map[string]driver.Stmt
	args    []driver.NamedValue // of the statement at hand
}

// run runs a statement that yields no rows.
func (c *conn) run(ctx context.Context, query string, args []any) (res sql.Result, err error) {
	c.args = c.args[:0]
	for i, a := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(a)
		if err != nil {
			return nil, fmt.Errorf("parameter %d: %w", i+1, err)
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	err = c.Raw(func(raw any) error {
		stmt := c.changes[query]
		if stmt == nil {
			var err error
			if stmt, err = raw.(*sqlite3.SQLiteConn).Prepare(query); err != nil {
				return err
			}
			if len(c.changes) >= maxStatements {
				defer stmt.Close()
			} else {
				c.changes[query] = stmt
			}
		}
		var err error
		res, err = stmt.(driver.StmtExecContext).ExecContext(ctx, c.args)
		return err
	})
	clear(c.args) // they may hold a large text
	return res, err
}

// preparer is a statement or a connection that prepares one for itself.
type preparer interface {
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
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
	_, err := c.run(context.Background(), statement, nil)
	return err
}

// close gives up the statements and the connection.
func (c *conn) close() error {
	for _, stmt := range c.stmts {
		stmt.Close() // the connection reports what matters
	}
	for _, stmt := range c.changes {
		stmt.Close()
	}
	return c.Conn.Close()
}
