package sqlite

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Writes that follow each other without pause must not let the log grow without
// bound, and what is in it must not be lost when it begins anew.
func TestCheckpoint_TheLogBeginsAnewUnderSteadyWrites(t *testing.T) {
	ctx := context.Background()
	db := openTest(t)
	detail := strings.Repeat("x", 4<<20) // some 500 frames
	const writes = 60                    // some 30,000 frames
	for range writes {
		err := db.Update(ctx, func(w store.Writer) error {
			return w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteNoop, Scope: strata.Global(), Detail: detail})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(db.path + "-wal")
	if err != nil || info.Size() > (tooLong+2000)*8300 {
		t.Errorf("the log has %d bytes, %v", info.Size(), err)
	}
	err = db.View(ctx, func(r store.Reader) error {
		list, err := r.Events(ctx, strata.Global(), 0, writes+1)
		if len(list) != writes {
			t.Errorf("%d events of %d", len(list), writes)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
