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

// Register makes the function of gaps.c part of every connection opened from now
// on.
func Register() error {
	if rc := C.strata_gaps(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	return nil
}

// gapPages is how many pages have their gaps zeroed in one transaction: 64 MiB
// take some tens of milliseconds, for which others wait.
const gapPages = 8192

// Gaps overwrites what SQLite leaves of cells that it moved, in some pages from
// the first on, and returns the page that follows, 0 after the last. The log is
// empty, and is to be emptied again afterwards. It fails with busy where another
// process has just written, and with [ErrUnknown] where only [Purger.Vacuum]
// helps.
func (p Purger) Gaps(ctx context.Context, c Conn, first int64) (next int64, err error) {
	if p.Plain {
		return first, ErrUnknown
	}
	ctx = context.WithoutCancel(ctx)
	// Pages that stay in memory keep their gaps, and would be written with them.
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
		// Any commit has other processes give up the pages they have in memory.
		_, err = c.ExecContext(ctx, p.Touch)
		return err
	})
	if err != nil {
		return first, err
	}
	return next, nil
}

// unknown is the error for what zero_gaps reports of pages that are not as it
// knows them.
func unknown(err error) error {
	var e sqlite3.Error
	if errors.As(err, &e) && (e.Code == sqlite3.ErrNotADB || e.Code == sqlite3.ErrCorrupt) {
		return fmt.Errorf("zero gaps: %w", ErrUnknown)
	}
	return err
}
