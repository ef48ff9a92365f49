package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/workdir"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/store"
)

var _ store.RowStore = (*DB)(nil)

// Rows calls visit with the rows of the store, after begin.
func (db *DB) Rows(ctx context.Context, o store.RowOptions, begin func(schema int) error, visit func(store.Row) error) error {
	return db.viewAfresh(ctx, func(t *tx) error { return salvage.RowsOf(ctx, t.conn, o, begin, visit) })
}

// OfRows makes a store from rows; see [store.RowStore].
func (db *DB) OfRows(ctx context.Context, schema int, next func() (store.Row, error), refuse func(reason string)) (store.Store, error) {
	return OpenTemporary(ctx, func(path string) error {
		_, err := salvage.Load(ctx, path, schema, next, refuse)
		return err
	})
}

// Temporary is a database in the directory for temporary files, readable by its
// owner only. Close removes it. OpenTemporary removes those that a killed process
// left.
type Temporary struct {
	*DB
	Path string
	work *workdir.Dir
}

// OpenTemporary opens a temporary database that fill creates at a path.
func OpenTemporary(ctx context.Context, fill func(path string) error) (t *Temporary, err error) {
	const prefix = "strata-export-"
	if err := workdir.Sweep(os.TempDir(), prefix); err != nil {
		return nil, noTemporary(err)
	}
	work, err := workdir.New(os.TempDir(), prefix)
	if err != nil {
		return nil, noTemporary(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, work.Remove())
		}
	}()
	t = &Temporary{Path: filepath.Join(work.Path, "strata.db"), work: work}
	if err := fill(t.Path); err != nil {
		return nil, err
	}
	t.DB, err = Open(ctx, t.Path, nil)
	return t, err
}

// Close closes the database and removes its files.
func (t *Temporary) Close() error { return errors.Join(t.DB.Close(), t.work.Remove()) }

func noTemporary(err error) error {
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "open store", Message: "there is no room for a copy of what is read",
		Hint: "set TMPDIR to a directory that can be written", Err: err}, "")
}
