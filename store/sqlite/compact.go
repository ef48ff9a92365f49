package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"time"
)

// Compact gives freed pages back to the file system, and overwrites what is left
// of deleted rows: FTS5's split keys are cut from terms that are there, the
// write-ahead log is emptied, and the gaps of pages are zeroed. It waits for reads
// that use the log; if they outlast the busy time-out it fails with busy.
func (db *DB) Compact(ctx context.Context) error {
	const op = "compact store"
	if err := db.enter(op); err != nil {
		return err
	}
	defer db.leave()
	if db.writing == nil {
		return readOnlyError(op)
	}
	db.facts.drop() // what was forgotten goes from memory too
	db.postings.drop()
	db.waiting.drop()
	since, g, err := db.writer.wait(ctx)
	if err != nil {
		return wrap(op, err)
	}
	defer db.writer.passOn(nil)
	if g != nil { // a transaction that others share ends first
		db.commit(g)
	} else if err := db.turnstile.enter(ctx, since.Add(db.opts.BusyTimeout)); err != nil {
		return wrap(op, err)
	}
	defer db.turnstile.leave()
	if err := db.untilFree(ctx, since, func() error { return db.dropRemoved(ctx) }); err != nil {
		return wrap(op, err)
	}
	if err := db.untilFree(ctx, since, func() error { return db.renewSplitKeys(ctx) }); err != nil {
		return wrap(op, err)
	}
	// Pages that are free stay in the middle of the file until moved to its
	// end. Each step of the statement moves one, so it is read to the end.
	err = db.untilFree(ctx, since, func() error {
		rows, err := db.writing.QueryContext(context.WithoutCancel(ctx), `PRAGMA incremental_vacuum`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
		}
		return rows.Err()
	})
	if err != nil {
		return wrap(op, err)
	}
	if err := db.emptyLog(ctx, since); err != nil {
		return wrap(op, err)
	}
	return wrap(op, db.zeroGaps(ctx))
}

// emptyLog moves all pages from the log into the database.
func (db *DB) emptyLog(ctx context.Context, since time.Time) error {
	return db.untilFree(ctx, since, func() error {
		var busy bool
		var log, moved sql.NullInt64
		err := db.writing.QueryRowContext(context.WithoutCancel(ctx), `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved)
		if err == nil && busy {
			return errBusy()
		}
		return err
	})
}

// gapPages is how many pages have their gaps zeroed in one transaction: 64 MiB
// take some tens of milliseconds, for which others wait.
const gapPages = 8192

// zeroGaps overwrites what SQLite leaves of cells that it moved, see gaps.c.
func (db *DB) zeroGaps(ctx context.Context) error {
	for first := int64(1); first != 0; {
		begun := time.Now()
		err := db.untilFree(ctx, begun, func() (err error) {
			first, err = db.zeroSomeGaps(ctx, first)
			return err
		})
		if err != nil {
			return err
		}
		if err := db.emptyLog(ctx, begun); err != nil {
			return err
		}
	}
	return nil
}

// zeroSomeGaps zeroes the gaps of some pages and returns the page that follows, 0
// after the last. It fails with busy where another process has just written.
func (db *DB) zeroSomeGaps(ctx context.Context, first int64) (next int64, err error) {
	ctx = context.WithoutCancel(ctx)
	c := db.writing
	// Pages that stay in memory keep their gaps, and would be written with them.
	if _, err := c.ExecContext(ctx, `PRAGMA shrink_memory`); err != nil {
		return first, err
	}
	if _, err := c.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return first, err
	}
	defer func() {
		if err != nil {
			_, undo := c.ExecContext(ctx, `ROLLBACK`)
			err = errors.Join(err, undo)
		}
	}()
	log, err := os.Stat(db.path + "-wal")
	if err != nil {
		return first, err
	}
	if log.Size() > 0 {
		return first, errBusy()
	}
	if err := c.QueryRowContext(ctx, `SELECT zero_gaps(?, ?)`, first, gapPages).Scan(&next); err != nil {
		return first, err
	}
	// Any commit has other processes give up the pages they have in memory.
	if _, err := c.ExecContext(ctx, `UPDATE counter SET value = value WHERE name = 'change'`); err != nil {
		return first, err
	}
	if _, err := c.ExecContext(ctx, `COMMIT`); err != nil {
		return first, err
	}
	return next, nil
}
