// Package purge overwrites what SQLite and its full-text search leave of rows that
// were deleted, so that no byte of a forgotten text can be found in the file. It
// is the one place that relies on how these two work inside.
//
// Every assumption has a test against the SQLite that is compiled in, and is
// looked at where it is relied on. Where it does not hold, the plain way is taken,
// which relies only on what SQLite documents and takes longer: FTS5's "rebuild",
// which makes an index anew from its table, and VACUUM, which writes the database
// anew and has as much memory as the database has bytes.
//
//	what is relied on                                       seen by                       else
//	FTS5 has tables idx and data, a leaf begins with the    columns, the version in       rebuild
//	  size of its text and tells where its first term is      table config, each leaf
//	A split key may be any text above the leaves before,    a leaf that begins before     rebuild
//	  up to the first term of its leaf                        its key
//	"optimize" writes all of two and more segments anew     the segments afterwards       rebuild
//	A savepoint has FTS5 write what it holds in memory      the test alone: Check finds   rebuild
//	                                                          what goes wrong
//	A page of cells has a gap between their list and the    header, pointer map, each     VACUUM
//	  cells, which nobody reads                               page
//	The connection's file leads to the database, and no     the size of the log, under    the caller
//	  page changes while the log is empty and the lock held   the lock                    tries again
//
// Why: docs/decisions/0015-what-removal-leaves.md.
package purge

import (
	"context"
	"database/sql"
	"errors"
	"os"
)

// Conn is a connection of SQLite. One goroutine uses it at a time.
type Conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// ErrUnknown says that the database or an index is not laid out as is known here,
// so that the plain way must be taken.
var ErrUnknown = errors.New("unknown format")

// Purger overwrites what is left in one database. Its connections secure_delete,
// use a write-ahead log and keep temporary tables in memory.
type Purger struct {
	Path string // of the database
	// Tables are the names of the full-text tables, which keep what they index.
	Tables []string
	// Touch is a statement that writes a page other than the first and changes
	// nothing.
	Touch string
	// Plain has the plain ways taken alone.
	Plain bool
}

// Vacuum is the plain way of [Purger.Gaps]: the database is written anew. What was
// there is overwritten when the log is emptied.
func (p Purger) Vacuum(ctx context.Context, c Conn) error {
	_, err := c.ExecContext(context.WithoutCancel(ctx), `VACUUM`)
	return err
}

// inTransaction calls fn in a write transaction, which is undone if it fails.
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

// SyncLog makes it durable that the log was cut. SQLite does not: after a power
// cut the log could be there again, with what was in it. SQLite holds no lock on
// this file that closing it here would drop.
func (p Purger) SyncLog() error {
	f, err := os.OpenFile(p.Path+"-wal", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
