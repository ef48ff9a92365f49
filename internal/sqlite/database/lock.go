package database

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/filelock"
)

// Lock makes processes that write one database take turns. SQLite's own
// lock keeps them apart, but those that wait for it poll and whoever polls at
// the right moment wins: of eight processes writing 1,000 rows each without
// pause some waited 3.7 s for one row, and the whole took 25 s on two busy
// cores. A lock that the kernel hands on in order made that 0.15 s and 17 s;
// polling every 2 ms instead made it 0.28 s and 30 s.
//
// It is advice only: where its file cannot be made, or another program takes SQLite's
// lock without asking, the polling is still there. The kernel frees the lock of a
// process that dies. Only who leads a commit group uses it.
type Lock struct {
	file *os.File          // nil where it cannot be made
	tell func(what string) // of a long wait; may be nil

	mu      sync.Mutex    // guards the fields below
	waiting chan struct{} // a wait in the kernel is under way; it is sent to when that ends
	wanted  bool          // somebody waits for it to end
	closed  bool
}

// OpenLock returns the lock of a database. It lets everybody through if its file cannot
// be made. Where files cannot be locked it fails with unsupported: SQLite's own locks
// would do nothing there either. tell, which may be nil, is told of long waits.
func OpenLock(path string, tell func(what string)) (*Lock, error) {
	return openLock(path, tell, filelock.Try)
}

func openLock(path string, tell func(what string), try func(*os.File) (bool, error)) (*Lock, error) {
	file, err := os.OpenFile(path+"-lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return &Lock{}, nil
	}
	held, err := try(file)
	if held {
		err = filelock.Release(file)
	}
	if strata.CodeOf(err) == strata.CodeUnsupported {
		return nil, errors.Join(err, file.Close())
	}
	return &Lock{file: file, tell: tell}, nil
}

// Acquire waits for this process's turn, until the deadline at most.
func (l *Lock) Acquire(ctx context.Context, deadline time.Time) error {
	if l.file == nil {
		return nil
	}
	turn := l.waitInKernel()
	if turn == nil {
		return nil
	}
	if l.tell != nil {
		long := time.AfterFunc(filelock.LongWait, func() { l.tell("waiting: another process writes to memory") })
		defer long.Stop()
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	var err error
	select {
	case <-turn:
		return nil
	case <-timer.C:
		err = ErrBusy
	case <-ctx.Done():
		err = ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-turn: // just now
		return nil
	default:
		l.wanted = false
		return err
	}
}

// waitInKernel returns nil if the lock was free and is held now, or else the
// channel that says when it is held. A wait in the kernel cannot be called off;
// one that nobody wants any more goes on and can be joined by the next.
func (l *Lock) waitInKernel() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wanted = true
	if l.waiting != nil {
		return l.waiting
	}
	if held, err := filelock.Try(l.file); held || err != nil {
		return nil
	}
	turn := make(chan struct{}, 1)
	l.waiting = turn
	go func() {
		filelock.Wait(l.file) // where it fails, SQLite's lock alone must do
		l.mu.Lock()
		defer l.mu.Unlock()
		l.waiting = nil
		switch {
		case l.wanted:
			turn <- struct{}{}
		case l.closed:
			l.file.Close()
		default:
			filelock.Release(l.file)
		}
	}()
	return turn
}

// Release lets the next process through.
func (l *Lock) Release() {
	if l.file != nil {
		filelock.Release(l.file)
	}
}

// Close gives up the lock. A wait that was given up because another process
// hangs may go on until that process ends; only its goroutine and file remain,
// and go with it.
func (l *Lock) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.file == nil || l.waiting != nil {
		return nil
	}
	return l.file.Close()
}
