package database

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

// Two locks at one path exclude each other even in one process.
func TestLock_WaitThatWasGivenUpDoesNotKeepTheLock(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	a, b := newLock(t, path, nil), newLock(t, path, nil)
	if a.file == nil {
		t.Skip("no such locks here")
	}
	soon := func() time.Time { return time.Now().Add(10 * time.Millisecond) }
	later := func() time.Time { return time.Now().Add(10 * time.Second) }
	if err := a.Acquire(ctx, soon()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := b.Acquire(ctx, soon()); strata.CodeOf(Wrap("", err)) != strata.CodeBusy {
			t.Fatalf("a second holder: %v, want busy", err)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := b.Acquire(ended, later()); err != context.Canceled {
		t.Fatalf("with an ended context: %v", err)
	}
	a.Release() // the wait of b ends now, and nobody wants it
	if err := a.Acquire(ctx, later()); err != nil {
		t.Fatalf("after everybody gave up: %v", err)
	}
	acquired := make(chan error, 1)
	go func() { acquired <- b.Acquire(ctx, later()) }()
	a.Release()
	if err := <-acquired; err != nil {
		t.Fatalf("once the other left: %v", err)
	}
	b.Release()
	for _, x := range []*Lock{a, b} {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

func newLock(t *testing.T, path string, tell func(string)) *Lock {
	t.Helper()
	l, err := OpenLock(path, tell)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Where files cannot be locked nobody is let through in the belief that they are.
func TestLock_ASystemWithoutLocksIsRefused(t *testing.T) {
	none := &strata.Error{Code: strata.CodeUnsupported, Message: "no locks"}
	_, err := openLock(filepath.Join(t.TempDir(), "x.db"), nil, func(*os.File) (bool, error) { return false, none })
	if strata.CodeOf(err) != strata.CodeUnsupported {
		t.Errorf("open = %v", err)
	}
}

func TestLock_ALongWaitSaysWhatItWaitsFor(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	told := make(chan string, 1)
	a, b := newLock(t, path, nil), newLock(t, path, func(what string) { told <- what })
	defer a.Close()
	defer b.Close()
	if err := a.Acquire(ctx, time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() { got <- b.Acquire(ctx, time.Now().Add(time.Minute)) }()
	if what := <-told; what != "waiting: another process writes to memory" {
		t.Errorf("told %q", what)
	}
	a.Release()
	if err := <-got; err != nil {
		t.Error(err)
	}
}
