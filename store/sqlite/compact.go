package sqlite

import (
	"context"
	"database/sql"
)

// Compact gives freed pages back to the file system and empties the
// write-ahead log, which still holds what was deleted. It waits for reads that
// use the log; if they outlast the busy time-out it fails with busy.
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
	return wrap(op, db.untilFree(ctx, since, func() error {
		var busy bool
		var log, moved sql.NullInt64
		err := db.writing.QueryRowContext(context.WithoutCancel(ctx), `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved)
		if err == nil && busy {
			return errBusy()
		}
		return err
	}))
}
