//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOneHoldsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	held, err := Try(first)
	if err != nil || !held {
		t.Fatalf("a free lock: %v, %v", held, err)
	}
	if held, err := Try(second); held || err != nil {
		t.Errorf("a lock that is held: %v, %v", held, err)
	}
	waited := make(chan error, 1)
	go func() { waited <- Wait(second) }()
	if err := Release(first); err != nil {
		t.Error(err)
	}
	if err := <-waited; err != nil {
		t.Errorf("the wait ended with %v", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if held, err := Try(first); !held || err != nil {
		t.Errorf("the lock of a file that was closed: %v, %v", held, err)
	}
}
