//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strata-memory/strata"
)

func TestOneHoldsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, second := open(t, path), open(t, path)
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

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Nobody believes to have a lock where there is none.
func TestASystemWithoutLocksIsAnError(t *testing.T) {
	for _, no := range []syscall.Errno{syscall.ENOLCK, syscall.ENOSYS, syscall.EOPNOTSUPP} {
		if err := explain("x", no); strata.CodeOf(err) != strata.CodeUnsupported {
			t.Errorf("%v is %v", no, err)
		}
	}
	if err := explain("x", syscall.EWOULDBLOCK); err != syscall.EWOULDBLOCK {
		t.Errorf("a lock that another has is %v", err)
	}
}

func TestALongWaitSaysSoAndEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, second := open(t, path), open(t, path)
	if held, err := Try(first); !held || err != nil {
		t.Fatal(held, err)
	}
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			limit time.Duration
			told  int
		}{{200 * time.Millisecond, 0}, {30 * time.Second, 1}} {
			told, begun := 0, time.Now()
			held, err := Within(context.Background(), second, c.limit, func() { told++ })
			if held || err != nil || told != c.told || time.Since(begun) != c.limit {
				t.Errorf("within %v: %v, %v, told %d times, after %v", c.limit, held, err, told, time.Since(begun))
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if held, err := Within(ctx, second, time.Minute, nil); held || err == nil {
			t.Errorf("after the context ended: %v, %v", held, err)
		}
	})
}
