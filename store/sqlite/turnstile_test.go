package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

// Two turnstiles at one path exclude each other even in one process.
func TestTurnstile_WaitThatWasGivenUpDoesNotKeepTheLock(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	a, b := openTurnstile(path), openTurnstile(path)
	if a.file == nil {
		t.Skip("no such locks here")
	}
	soon := func() time.Time { return time.Now().Add(10 * time.Millisecond) }
	later := func() time.Time { return time.Now().Add(10 * time.Second) }
	if err := a.enter(ctx, soon()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := b.enter(ctx, soon()); strata.CodeOf(wrap("", err)) != strata.CodeBusy {
			t.Fatalf("a second holder: %v, want busy", err)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := b.enter(ended, later()); err != context.Canceled {
		t.Fatalf("with an ended context: %v", err)
	}
	a.leave() // the wait of b ends now, and nobody wants it
	if err := a.enter(ctx, later()); err != nil {
		t.Fatalf("after everybody gave up: %v", err)
	}
	entered := make(chan error, 1)
	go func() { entered <- b.enter(ctx, later()) }()
	a.leave()
	if err := <-entered; err != nil {
		t.Fatalf("once the other left: %v", err)
	}
	b.leave()
	for _, x := range []*turnstile{a, b} {
		if err := x.close(); err != nil {
			t.Error(err)
		}
	}
}
