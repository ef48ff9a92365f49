package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/purge"
)

// Compact returns free pages to the file system and overwrites the remains of
// deleted rows; see package purge. It waits for reads that use the log, and fails
// with busy if they outlast the busy timeout.
func (db *DB) Compact(ctx context.Context) error {
	const op = "compact store"
	if err := db.enter(op); err != nil {
		return err
	}
	defer db.leave()
	if db.writing == nil {
		return db.readOnlyError(op)
	}
	db.lexical.Drop() // forgotten texts must leave memory too
	since := time.Now()
	g, err := db.commits.wait(ctx)
	if err != nil {
		return db.wrap(op, err)
	}
	defer db.commits.leave()
	if g != nil { // commit the transaction that others share first
		db.commit(g)
	} else if err := db.lock.Acquire(ctx, since.Add(db.opts.BusyTimeout)); err != nil {
		return db.wrap(op, err)
	}
	defer db.lock.Release()
	if err := db.untilFree(ctx, since, func() error { return db.dropRemoved(ctx) }); err != nil {
		return db.wrap(op, err)
	}
	if err := db.untilFree(ctx, since, func() error { return db.purger.SplitKeys(ctx, db.writing) }); err != nil {
		return db.wrap(op, err)
	}
	if err := db.untilFree(ctx, since, func() error { return db.freePages(ctx) }); err != nil {
		return db.wrap(op, err)
	}
	if err := db.emptyLog(ctx, since); err != nil {
		return db.wrap(op, err)
	}
	if err := db.zeroGaps(ctx); err != nil {
		return db.wrap(op, err)
	}
	return db.wrap(op, db.purger.SyncLog())
}

// freePages returns free pages to the file system. A page in the middle of the file
// has to be moved to its end first. Each step of the statement moves one, so all of
// its rows are read.
func (db *DB) freePages(ctx context.Context) error {
	rows, err := db.writing.QueryContext(context.WithoutCancel(ctx), `PRAGMA incremental_vacuum`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

// emptyLog moves all pages from the log into the database.
func (db *DB) emptyLog(ctx context.Context, since time.Time) error {
	return db.untilFree(ctx, since, func() error {
		var busy bool
		var log, moved sql.NullInt64
		err := db.writing.QueryRowContext(context.WithoutCancel(ctx), `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved)
		if err == nil && busy {
			return database.ErrBusy
		}
		return err
	})
}

// zeroGaps overwrites what SQLite leaves behind of cells that it moved.
func (db *DB) zeroGaps(ctx context.Context) error {
	for first := int64(1); first != 0; {
		begun := time.Now()
		err := db.untilFree(ctx, begun, func() (err error) {
			first, err = db.purger.Gaps(ctx, db.writing, first)
			return err
		})
		if errors.Is(err, purge.ErrUnknown) {
			first = 0
			err = db.untilFree(ctx, begun, func() error { return db.purger.Vacuum(ctx, db.writing) })
		}
		if err != nil {
			return err
		}
		if err := db.emptyLog(ctx, begun); err != nil {
			return err
		}
	}
	return nil
}
