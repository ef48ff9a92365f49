package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

// Two locks at one path exclude each other even in one process.
func TestProcessLock_WaitThatWasGivenUpDoesNotKeepTheLock(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	a, b := openProcessLock(path), openProcessLock(path)
	if a.file == nil {
		t.Skip("no such locks here")
	}
	soon := func() time.Time { return time.Now().Add(10 * time.Millisecond) }
	later := func() time.Time { return time.Now().Add(10 * time.Second) }
	if err := a.acquire(ctx, soon()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := b.acquire(ctx, soon()); strata.CodeOf(wrap("", err)) != strata.CodeBusy {
			t.Fatalf("a second holder: %v, want busy", err)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := b.acquire(ended, later()); err != context.Canceled {
		t.Fatalf("with an ended context: %v", err)
	}
	a.release() // the wait of b ends now, and nobody wants it
	if err := a.acquire(ctx, later()); err != nil {
		t.Fatalf("after everybody gave up: %v", err)
	}
	acquired := make(chan error, 1)
	go func() { acquired <- b.acquire(ctx, later()) }()
	a.release()
	if err := <-acquired; err != nil {
		t.Fatalf("once the other left: %v", err)
	}
	b.release()
	for _, x := range []*processLock{a, b} {
		if err := x.close(); err != nil {
			t.Error(err)
		}
	}
}
