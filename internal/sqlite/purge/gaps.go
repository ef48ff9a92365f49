package purge

// #cgo CFLAGS: -I${SRCDIR}/../include
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "gaps.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/mattn/go-sqlite3"
)

// Register adds the function of gaps.c to every connection opened afterwards.
func Register() error {
	if rc := C.strata_gaps(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	return nil
}

// gapPages is how many pages have their gaps zeroed in one transaction. These are 64
// MiB, which take tens of milliseconds, during which writers wait.
const gapPages = 8192

// Gaps overwrites what SQLite leaves behind of cells that it moved, in up to
// gapPages pages beginning with first. It returns the next page, or 0 after the
// last. The log must be empty before, and must be emptied again afterwards. Gaps
// fails with busy if another process has just written, and with [ErrUnknown] if only
// [Purger.Vacuum] helps.
func (p Purger) Gaps(ctx context.Context, c Conn, first int64) (next int64, err error) {
	if p.Plain {
		return first, ErrUnknown
	}
	ctx = context.WithoutCancel(ctx)
	// Pages cached in memory still have their gaps, which would be written with them.
	if _, err := c.ExecContext(ctx, `PRAGMA shrink_memory`); err != nil {
		return first, err
	}
	err = inTransaction(ctx, c, func() error {
		log, err := os.Stat(p.Path + "-wal")
		if err != nil {
			return err
		}
		if log.Size() > 0 {
			return sqlite3.Error{Code: sqlite3.ErrBusy}
		}
		if err := c.QueryRowContext(ctx, `SELECT zero_gaps(?, ?)`, first, gapPages).Scan(&next); err != nil {
			return unknown(err)
		}
		// Any commit makes other processes drop the pages that they have cached.
		_, err = c.ExecContext(ctx, p.Touch)
		return err
	})
	if err != nil {
		return first, err
	}
	return next, nil
}

// unknown turns the errors of zero_gaps about an unknown format into ErrUnknown.
func unknown(err error) error {
	var e sqlite3.Error
	if errors.As(err, &e) && (e.Code == sqlite3.ErrNotADB || e.Code == sqlite3.ErrCorrupt) {
		return fmt.Errorf("zero gaps: %w", ErrUnknown)
	}
	return err
}
