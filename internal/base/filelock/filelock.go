// Package filelock locks whole files between processes. Closing a file gives its lock
// up, and so does the end of the process, however it ends.
//
// Where the system or the file system has no such locks every call fails with code
// unsupported: two processes that both believe to have a lock lose what they write.
package filelock

import (
	"context"
	"os"
	"time"

	"github.com/strata-memory/strata"
)

// LongWait is how long [Within] waits before it says so.
const LongWait = time.Second

// Within takes the lock on a file within a time, and reports whether it has it.
// waiting, which may be nil, is called once when that takes more than [LongWait].
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

// unsupported says that there are no locks on a file.
func unsupported(name string, err error) error {
	return &strata.Error{Code: strata.CodeUnsupported, Op: "lock file", Err: err,
		Message: "files cannot be locked there, so that processes would overwrite each other: " + name,
		Hint:    "choose a home (--home, STRATA_HOME) and a workspace on a local disk; on NFS, start its lock service"}
}
