// Package purge overwrites what SQLite and its full-text search leave behind of
// deleted rows, so that no byte of a forgotten text can be found in the file. It is
// the only package that relies on their internals.
//
// Every assumption has a test against the SQLite that is compiled in, and is checked
// where it is relied on. If it does not hold, the package takes a slower way that
// relies only on what SQLite documents: FTS5's "rebuild", which recreates an index
// from its table, or VACUUM, which rewrites the database and needs as much memory as
// the database has bytes.
//
//	assumption                                              checked by                    otherwise
//	FTS5 has tables idx and data, a leaf begins with the    columns, the version in       rebuild
//	  size of its text and tells where its first term is      table config, each leaf
//	A split key may be any text above the leaves before,    a leaf that begins before     rebuild
//	  up to the first term of its leaf                        its key
//	"optimize" rewrites all of two or more segments         the segments afterwards       rebuild
//	A savepoint makes FTS5 write what it holds in memory    the test alone: Check finds   rebuild
//	                                                          what goes wrong
//	A page of cells has a gap between their list and the    header, pointer map, each     VACUUM
//	  cells, which nobody reads                               page
//	The connection's file leads to the database, and no     the size of the log, under    the caller
//	  page changes while the log is empty and the lock held   the lock                    tries again
//
// The reasons are in docs/decisions/0015-what-removal-leaves.md.
package purge

import (
	"context"
	"database/sql"
	"errors"
	"os"
)

// Conn is an SQLite connection. A Conn must be used by one goroutine at a time.
type Conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// ErrUnknown means that the database or an index does not have the layout known
// here, so that the slower way must be taken.
var ErrUnknown = errors.New("unknown format")

// Purger overwrites what is left in one database. Its connections must have
// secure_delete on, use a write-ahead log and keep temporary tables in memory.
type Purger struct {
	Path string // of the database
	// Tables are the names of the full-text tables, which must store what they index.
	Tables []string
	// Touch is a statement that writes a page other than the first without changing
	// anything.
	Touch string
	// Plain makes the purger always take the slower ways.
	Plain bool
}

// Vacuum is the slower way of [Purger.Gaps]: it rewrites the database. The old
// contents are overwritten when the log is emptied.
func (p Purger) Vacuum(ctx context.Context, c Conn) error {
	_, err := c.ExecContext(context.WithoutCancel(ctx), `VACUUM`)
	return err
}

// inTransaction calls fn in a write transaction, which is rolled back if fn fails.
func inTransaction(ctx context.Context, c Conn, fn func() error) (err error) {
	if _, err := c.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, undo := c.ExecContext(ctx, `ROLLBACK`)
			err = errors.Join(err, undo)
		}
	}()
	if err := fn(); err != nil {
		return err
	}
	_, err = c.ExecContext(ctx, `COMMIT`)
	return err
}

// SyncLog makes the truncation of the log durable. SQLite does not: after a power
// failure the log could be back with its contents. Closing this file drops no locks,
// since SQLite holds none on it.
func (p Purger) SyncLog() error {
	f, err := os.OpenFile(p.Path+"-wal", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
