// Package filelock locks whole files between processes. Closing a file releases its lock,
// and so does the end of the process, however it ends.
//
// If the system or the file system does not support such locks, every call fails with
// code unsupported: if two processes both believed to hold a lock, they would lose data.
package filelock

import (
	"context"
	"os"
	"time"

	"github.com/strata-memory/strata"
)

// LongWait is how long [Within] waits before it calls waiting.
const LongWait = time.Second

// Within tries to lock a file within a time limit, and reports whether it holds the lock.
// It calls waiting, which may be nil, once if that takes longer than [LongWait].
func Within(ctx context.Context, f *os.File, limit time.Duration, waiting func()) (held bool, err error) {
	begun := time.Now()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		held, err := Try(f)
		waited := time.Since(begun)
		if held || err != nil || waited >= limit {
			return held, err
		}
		if waiting != nil && waited >= LongWait {
			waiting()
			waiting = nil
		}
		timer := time.NewTimer(min(pause, limit-waited))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false, ctx.Err()
		}
	}
}

// unsupported returns the error for a file that cannot be locked.
func unsupported(name string, err error) error {
	return &strata.Error{Code: strata.CodeUnsupported, Op: "lock file", Err: err,
		Message: "files cannot be locked there, so that processes would overwrite each other: " + name,
		Hint:    "choose a home (--home, STRATA_HOME) and a workspace on a local disk; on NFS, start its lock service"}
}
