package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/purge"
)

// Compact gives freed pages back to the file system, and overwrites what is left
// of deleted rows, as package purge says. It waits for reads that use the log; if
// they outlast the busy time-out it fails with busy.
func (db *DB) Compact(ctx context.Context) error {
	const op = "compact store"
	if err := db.enter(op); err != nil {
		return err
	}
	defer db.leave()
	if db.writing == nil {
		return db.readOnlyError(op)
	}
	db.small.Drop() // what was forgotten goes from memory too
	db.lexical.Drop()
	since := time.Now()
	g, err := db.commits.wait(ctx)
	if err != nil {
		return db.wrap(op, err)
	}
	defer db.commits.leave()
	if g != nil { // a transaction that others share ends first
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

// freePages gives the pages that are free back. They stay in the middle of the file
// until moved to its end. Each step of the statement moves one, so it is read to the
// end.
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

// zeroGaps overwrites what SQLite leaves of cells that it moved.
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
