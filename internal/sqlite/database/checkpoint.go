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

// Pages move from the write-ahead log into the database in the background, on a
// connection of their own, so that no save waits until a thousand others are
// moved.
//
// The log begins anew only at a moment when all of it was moved. While saves
// follow each other without pause there is none. So once the log is long the
// background moves what there is, and the writer the little that came meanwhile.
// Readers do not wait for either, nor for each other.
const (
	// moveFrames is how many frames of the log (8 KiB each) are moved at a time:
	// a page that many saves change moves once.
	moveFrames = 3000
	// longLog is from which length on the log should begin anew, once what is
	// left is a part of it that is little, and tooLong from which on the writer
	// sees to it however much is left.
	longLog = 6000
	little  = 12
	tooLong = 16_000
)

// Register makes the function of log.c part of every connection opened from
// now on in this process. It is called once, before the first [File.Open].
func Register() error {
	if rc := C.strata_log(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	return nil
}

// checkpoint moves what it can at once, and waits for nobody.
const checkpoint = `PRAGMA wal_checkpoint(PASSIVE)`

// Checkpointer moves the log in the background. It starts when it is first
// needed. AfterCommit and Stop are not called at the same time.
type Checkpointer struct {
	File File

	moved  atomic.Int64  // frames of the log that are in the database
	wake   chan struct{} // capacity 1; nil while it was never needed
	cancel context.CancelFunc
	done   chan struct{}
}

// AfterCommit sees to the log after a commit on c.
func (cp *Checkpointer) AfterCommit(c *Conn) {
	length, err := c.Integers(context.Background(), 1, `SELECT log_frames()`, nil)
	if err != nil || len(length) == 0 {
		return // the next commit asks again
	}
	frames := length[0]
	moved := cp.moved.Load()
	if moved > frames { // it has begun anew
		moved = 0
		cp.moved.Store(0)
	}
	left := frames - moved
	switch {
	case frames >= tooLong, frames >= longLog && little*left <= frames:
		// Another process may be at it, or a reader may need the log. Then
		// the next commit tries again.
		answer, err := c.Integers(context.Background(), 3, checkpoint, nil)
		if err == nil && len(answer) == 3 && answer[0] == 0 {
			cp.moved.Store(answer[2])
		}
	case left >= moveFrames, frames >= longLog:
		cp.start()
		select {
		case cp.wake <- struct{}{}:
		default: // it is at it
		}
	}
}

// start starts the background unless it runs.
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

// move moves what is in the log. Where it fails, the writer does it in the end,
// and reports what is wrong with the disk.
func (cp *Checkpointer) move(pool *sql.DB) {
	var busy bool
	var length, moved int64
	// It is not interrupted: the database closes when it has ended.
	err := pool.QueryRowContext(context.Background(), checkpoint).Scan(&busy, &length, &moved)
	if err == nil && !busy {
		cp.moved.Store(moved)
	}
}

// Stop waits for the background to end.
func (cp *Checkpointer) Stop() {
	if cp.cancel != nil {
		cp.cancel()
		<-cp.done
		cp.cancel = nil
	}
}
