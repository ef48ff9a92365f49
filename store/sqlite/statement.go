package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

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

	// direct are the statements that a save runs for each fact and a search for
	// each question, as the driver has them: those without rows, with rows of
	// integers and with one blob. Through package sql each would cost half as
	// much again.
	direct map[string]driver.Stmt
	args   []driver.NamedValue // of the statement at hand
}

// run runs a statement that yields no rows.
func (c *conn) run(ctx context.Context, query string, args []any) (res sql.Result, err error) {
	err = c.directly(query, args, func(stmt driver.Stmt) error {
		res, err = stmt.(driver.StmtExecContext).ExecContext(ctx, c.args)
		return err
	})
	return res, err
}

// integers runs a statement that yields rows of n integers, and returns them
// row after row.
func (c *conn) integers(ctx context.Context, n int, query string, args []any) (list []int64, err error) {
	err = c.directly(query, args, func(stmt driver.Stmt) (err error) {
		rows, err := stmt.(driver.StmtQueryContext).QueryContext(ctx, c.args)
		if err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, rows.Close()) }()
		values := make([]driver.Value, n)
		for {
			if err := rows.Next(values); err != nil {
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
			for _, v := range values {
				i, ok := v.(int64)
				if !ok {
					return fmt.Errorf("a value of type %T, not an integer", v)
				}
				list = append(list, i)
			}
		}
	})
	return list, err
}

// blob runs a statement that yields one row of one blob. Nobody else holds the
// bytes.
func (c *conn) blob(ctx context.Context, query string, args []any) (blob []byte, err error) {
	err = c.directly(query, args, func(stmt driver.Stmt) (err error) {
		rows, err := stmt.(driver.StmtQueryContext).QueryContext(ctx, c.args)
		if err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, rows.Close()) }()
		values := make([]driver.Value, 1)
		if err := rows.Next(values); err != nil {
			return err
		}
		var ok bool
		if blob, ok = values[0].([]byte); !ok {
			return fmt.Errorf("a value of type %T, not a blob", values[0])
		}
		return nil
	})
	return blob, err
}

// directly prepares a statement, once for each connection, and calls do with
// it and with its arguments in c.args.
func (c *conn) directly(query string, args []any, do func(driver.Stmt) error) error {
	c.args = c.args[:0]
	for i, a := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(a)
		if err != nil {
			return fmt.Errorf("parameter %d: %w", i+1, err)
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	defer clear(c.args) // they may hold a large text
	return c.Raw(func(raw any) error {
		stmt := c.direct[query]
		if stmt == nil {
			var err error
			if stmt, err = raw.(*sqlite3.SQLiteConn).Prepare(query); err != nil {
				return err
			}
			if len(c.direct) >= maxStatements {
				defer stmt.Close()
			} else {
				c.direct[query] = stmt
			}
		}
		return do(stmt)
	})
}

// rows runs a statement, which is prepared once for each connection, as long as
// there is room.
func (c *conn) rows(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	stmt := c.stmts[query]
	if stmt == nil {
		if len(c.stmts) >= maxStatements {
			return c.QueryContext(ctx, query, args...)
		}
		var err error
		if stmt, err = c.PrepareContext(context.WithoutCancel(ctx), query); err != nil {
			return nil, err
		}
		c.stmts[query] = stmt
	}
	return stmt.QueryContext(ctx, args...)
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
	for _, stmt := range c.direct {
		stmt.Close()
	}
	return c.Conn.Close()
}
