package sqlite

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/filelock"
)

// turnstile makes processes that write one database take turns. SQLite's own
// lock keeps them apart, but those that wait for it poll and whoever polls at
// the right moment wins: of eight processes writing 1,000 rows each without
// pause some waited 3.7 s for one row, and the whole took 25 s on two busy
// cores. A lock that the kernel hands on in order made that 0.15 s and 17 s;
// polling every 2 ms instead made it 0.28 s and 30 s.
//
// It is advice only: where the system has no such lock, or another program
// takes SQLite's lock without asking, the polling is still there. The kernel
// frees the lock of a process that dies. The holder of the writer's baton is
// the only one to use it.
type turnstile struct {
	file *os.File // nil where there is no such lock

	mu      sync.Mutex    // guards the fields below
	waiting chan struct{} // a wait in the kernel is under way; it is sent to when that ends
	wanted  bool          // somebody waits for it to end
	closed  bool
}

// openTurnstile returns the turnstile of a database. It lets everybody through
// if its file cannot be made.
func openTurnstile(path string) *turnstile {
	file, err := os.OpenFile(path+"-lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return &turnstile{}
	}
	return &turnstile{file: file}
}

// enter waits for this process's turn, until the deadline at most.
func (t *turnstile) enter(ctx context.Context, deadline time.Time) error {
	if t.file == nil {
		return nil
	}
	turn := t.waitInKernel()
	if turn == nil {
		return nil
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	var err error
	select {
	case <-turn:
		return nil
	case <-timer.C:
		err = errBusy()
	case <-ctx.Done():
		err = ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-turn: // just now
		return nil
	default:
		t.wanted = false
		return err
	}
}

// waitInKernel returns nil if the lock was free and is held now, or else the
// channel that says when it is held. A wait in the kernel cannot be called off;
// one that nobody wants any more goes on and can be joined by the next.
func (t *turnstile) waitInKernel() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wanted = true
	if t.waiting != nil {
		return t.waiting
	}
	if held, err := filelock.Try(t.file); held || err != nil {
		return nil
	}
	turn := make(chan struct{}, 1)
	t.waiting = turn
	go func() {
		filelock.Wait(t.file) // where it fails, SQLite's lock alone must do
		t.mu.Lock()
		defer t.mu.Unlock()
		t.waiting = nil
		switch {
		case t.wanted:
			turn <- struct{}{}
		case t.closed:
			t.file.Close()
		default:
			filelock.Release(t.file)
		}
	}()
	return turn
}

// leave lets the next process through.
func (t *turnstile) leave() {
	if t.file != nil {
		filelock.Release(t.file)
	}
}

// close gives up the lock. A wait that was given up because another process
// hangs may go on until that process ends; only its goroutine and file remain,
// and go with it.
func (t *turnstile) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if t.file == nil || t.waiting != nil {
		return nil
	}
	return t.file.Close()
}
