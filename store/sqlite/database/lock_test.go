package database

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

// Two locks at one path exclude each other even in one process.
func TestLock_WaitThatWasGivenUpDoesNotKeepTheLock(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	a, b := OpenLock(path), OpenLock(path)
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
