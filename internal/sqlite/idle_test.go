package sqlite

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// anonymousMemory is that of this process in bytes.
func anonymousMemory(t *testing.T) int64 {
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("the system does not tell how much memory is used:", err)
	}
	for line := range strings.Lines(string(status)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "RssAnon: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	t.Skip("the system does not tell how much memory is used")
	return 0
}

// write changes pages of so many MiB.
func write(t *testing.T, db *DB, mib int) {
	t.Helper()
	ctx := context.Background()
	detail := strings.Repeat("x", 1<<20)
	for range mib {
		err := db.Update(ctx, func(w store.Writer) error {
			return w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteNoop, Scope: strata.Global(), Detail: detail})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// full is how many MiB fill the memory that the writer has for pages, twice.
const full = 64

// However little was written, memory is given back after it, and again after what
// is written later.
func TestIdle_ComesAfterEveryWrite(t *testing.T) {
	db := openTest(t)
	for range 3 {
		db.idleAfter = time.Hour
		if write(t, db, 1); !idling(db) {
			t.Fatal("nothing is to be given back")
		}
		db.idleAfter = time.Millisecond
		db.seeIdle() // as if the hour was over
		write(t, db, 1)
		for end := time.Now().Add(time.Minute); idling(db); {
			if time.Now().After(end) {
				t.Fatal("nobody writes, and nothing is given back")
			}
			runtime.Gosched()
		}
	}
}

// idling reports whether something is to be given back yet.
func idling(db *DB) bool {
	db.idle.mu.Lock()
	defer db.idle.mu.Unlock()
	return db.idle.armed
}

// After much was written, memory goes back to the system, and what was written is
// there.
func TestIdle_MemoryGoesBackAfterMuchWasWritten(t *testing.T) {
	db := openTest(t)
	db.releaseMemory() // what tests before this one left
	before := anonymousMemory(t)
	write(t, db, full)
	held := anonymousMemory(t)
	if held-before < 16<<20 {
		t.Fatalf("writing took %d KiB of memory: the test says nothing", (held-before)>>10)
	}
	if !db.releaseMemory() {
		t.Fatal("nobody writes, and the memory stays")
	}
	if now := anonymousMemory(t); held-now < 16<<20 {
		t.Errorf("%d KiB of %d went back", (held-now)>>10, (held-before)>>10)
	}
	err := db.View(context.Background(), func(r store.Reader) error {
		list, err := r.Events(context.Background(), strata.Global(), 0, 100)
		if len(list) != full {
			t.Errorf("%d events of %d", len(list), full)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, db, full)
}

// Who writes is not disturbed.
func TestIdle_MemoryStaysWhileSomebodyWrites(t *testing.T) {
	db := openTest(t)
	err := db.Update(context.Background(), func(store.Writer) error {
		if db.releaseMemory() {
			t.Error("memory was given back in the middle of a write")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
