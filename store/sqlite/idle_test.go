package sqlite

import (
	"context"
	"fmt"
	"os"
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

// writeMuch changes so many pages that the writer's memory for them is full.
func writeMuch(t *testing.T, db *DB) {
	t.Helper()
	ctx := context.Background()
	detail := strings.Repeat("x", 1<<20)
	for range 64 {
		err := db.Update(ctx, func(w store.Writer) error {
			return w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteNoop, Scope: strata.Global(), Detail: detail})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// After much was written, memory goes back to the system by itself, and what was
// written is there.
func TestIdle_MemoryGoesBackAfterMuchWasWritten(t *testing.T) {
	db := openTest(t)
	db.giveBack() // what tests before this one left
	before := anonymousMemory(t)
	writeMuch(t, db)
	full := anonymousMemory(t)
	if full-before < 16<<20 {
		t.Fatalf("writing took %d KiB of memory: the test says nothing", (full-before)>>10)
	}
	other := openTest(t)
	other.idleAfter = time.Millisecond
	writeMuch(t, other)
	for end := time.Now().Add(time.Minute); anonymousMemory(t) > full+16<<20; {
		if time.Now().After(end) {
			t.Fatalf("%d KiB, and %d before the second store was written", anonymousMemory(t)>>10, full>>10)
		}
	}
	if !db.giveBack() {
		t.Fatal("nobody writes, and the memory stays")
	}
	if now := anonymousMemory(t); full-now < 16<<20 {
		t.Errorf("%d KiB of %d went back", (full-now)>>10, (full-before)>>10)
	}
	err := db.View(context.Background(), func(r store.Reader) error {
		list, err := r.Events(context.Background(), strata.Global(), 0, 100)
		if len(list) != 64 {
			t.Errorf("%d events of 64", len(list))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	writeMuch(t, db)
}

// Who writes is not disturbed.
func TestIdle_MemoryStaysWhileSomebodyWrites(t *testing.T) {
	db := openTest(t)
	err := db.Update(context.Background(), func(store.Writer) error {
		if db.giveBack() {
			t.Error("memory was given back in the middle of a write")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
