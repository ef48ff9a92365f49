package database

// #cgo CFLAGS: -I${SRCDIR}/../include
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "log.h"
import "C"

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
)

// Pages are moved from the write-ahead log into the database in the background, on a
// connection of their own, so that no save waits until the pages of a thousand
// others are moved.
//
// The log can restart from its beginning only when all of it has been moved. While
// saves follow each other without pause, the background never catches up. So once
// the log is long, the background moves what there is, and the writer moves the
// little that was added in the meantime. Readers do not wait for either, nor for
// each other.
const (
	// moveFrames is how many frames of the log (8 KiB each) are moved at a time. A page
	// that many saves change is moved only once.
	moveFrames = 3000
	// longLog is the length from which the log should restart, as soon as at most one
	// in little of its frames is left to move. From tooLong on, the writer moves the
	// rest, however much it is.
	longLog = 6000
	little  = 12
	tooLong = 16_000
)

// Register adds the function of log.c to every connection that this process opens
// afterwards. It must be called once, before the first [File.Open].
func Register() error {
	if rc := C.strata_log(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	return nil
}

// checkpoint moves what it can without waiting for anyone.
const checkpoint = `PRAGMA wal_checkpoint(PASSIVE)`

// Checkpointer moves the log into the database in the background. It starts its
// goroutine when first needed. AfterCommit and Stop must not be called at the same
// time.
type Checkpointer struct {
	File File

	moved  atomic.Int64  // frames of the log that are in the database
	wake   chan struct{} // capacity 1; nil until first needed
	cancel context.CancelFunc
	done   chan struct{}
}

// AfterCommit moves the log if needed, or has it moved, after a commit on c.
func (cp *Checkpointer) AfterCommit(c *Conn) {
	length, err := c.Integers(context.Background(), 1, `SELECT log_frames()`, nil)
	if err != nil || len(length) == 0 {
		return // the next commit asks again
	}
	frames := length[0]
	moved := cp.moved.Load()
	if moved > frames { // the log has restarted
		moved = 0
		cp.moved.Store(0)
	}
	left := frames - moved
	switch {
	case frames >= tooLong, frames >= longLog && little*left <= frames:
		// Another process may be moving the log, or a reader may need it. Then the next
		// commit tries again.
		answer, err := c.Integers(context.Background(), 3, checkpoint, nil)
		if err == nil && len(answer) == 3 && answer[0] == 0 {
			cp.moved.Store(answer[2])
		}
	case left >= moveFrames, frames >= longLog:
		cp.start()
		select {
		case cp.wake <- struct{}{}:
		default: // it is already at work
		}
	}
}

// start starts the background goroutine unless it is running.
func (cp *Checkpointer) start() {
	if cp.wake != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	cp.wake, cp.cancel, cp.done = make(chan struct{}, 1), cancel, make(chan struct{})
	pool := cp.File.Open(Write)
	pool.SetMaxIdleConns(1)
	go func() {
		defer close(cp.done)
		defer pool.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case <-cp.wake:
				cp.move(pool)
			}
		}
	}()
}

// move moves the log. If that fails, the writer eventually does it and reports what
// is wrong with the disk.
func (cp *Checkpointer) move(pool *sql.DB) {
	var busy bool
	var length, moved int64
	// This is not interrupted: closing the database waits for it.
	err := pool.QueryRowContext(context.Background(), checkpoint).Scan(&busy, &length, &moved)
	if err == nil && !busy {
		cp.moved.Store(moved)
	}
}

// Stop stops the background goroutine and waits for it to end.
func (cp *Checkpointer) Stop() {
	if cp.cancel != nil {
		cp.cancel()
		<-cp.done
		cp.cancel = nil
	}
}
