package database

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

// maxStatements bounds the statements kept prepared on one connection. The store has
// about a hundred statements of its own; further ones, made at run time, are
// prepared each time they run.
const maxStatements = 256

// Conn is a connection with its prepared statements. The text of each statement must
// be constant or come from a small set. A Conn must be used by one goroutine at a
// time.
type Conn struct {
	*sql.Conn
	stmts map[string]*sql.Stmt

	// direct holds statements as the driver prepared them: those without rows, with
	// rows of integers, or with one blob. A save runs them for each fact and a search
	// for each question; through package sql each would cost half as much again.
	direct map[string]driver.Stmt
	args   []driver.NamedValue // of the current statement
}

// NewConn returns a connection that keeps its statements prepared.
func NewConn(c *sql.Conn) *Conn {
	return &Conn{Conn: c, stmts: make(map[string]*sql.Stmt), direct: make(map[string]driver.Stmt)}
}

// Exec runs a statement that returns no rows.
func (c *Conn) Exec(ctx context.Context, query string, args []any) (res sql.Result, err error) {
	err = c.directly(query, args, func(stmt driver.Stmt) error {
		res, err = stmt.(driver.StmtExecContext).ExecContext(ctx, c.args)
		return err
	})
	return res, err
}

// Integers runs a statement that returns rows of n integers, and returns them one
// row after another.
func (c *Conn) Integers(ctx context.Context, n int, query string, args []any) (list []int64, err error) {
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

// Blob runs a statement that returns one row of one blob. The caller owns the bytes.
func (c *Conn) Blob(ctx context.Context, query string, args []any) (blob []byte, err error) {
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

// directly prepares a statement, once per connection, and calls do with it. The
// arguments are in c.args.
func (c *Conn) directly(query string, args []any, do func(driver.Stmt) error) error {
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

// Query runs a statement that returns rows. The statement must not be run again
// while they are open.
func (c *Conn) Query(ctx context.Context, query string, args []any) (*sql.Rows, error) {
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

// InTransaction reports whether a transaction is open.
func (c *Conn) InTransaction() bool {
	open := false
	err := c.Raw(func(driver any) error {
		open = !driver.(*sqlite3.SQLiteConn).AutoCommit()
		return nil
	})
	return err == nil && open
}

// Control runs a statement that controls the connection. It cannot be interrupted,
// because half a COMMIT would help nobody.
func (c *Conn) Control(statement string) error {
	_, err := c.Exec(context.Background(), statement, nil)
	return err
}

// Close closes the statements and the connection.
func (c *Conn) Close() error {
	for _, stmt := range c.stmts {
		stmt.Close() // the connection reports what matters
	}
	for _, stmt := range c.direct {
		stmt.Close()
	}
	return c.Conn.Close()
}
