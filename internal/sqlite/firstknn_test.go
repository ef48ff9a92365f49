package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// BenchmarkFirstKNN is the first search of a process: it opens the store and
// looks for the 10 nearest of one scope, with nothing in memory. It searches what
// BenchmarkKNN does.
func BenchmarkFirstKNN(b *testing.B) {
	dir := *knnDir
	if dir == "" {
		dir = b.TempDir()
	}
	dir = filepath.Join(dir, fmt.Sprint("facts=", *knnFacts))
	fillKNN(b, dir, *knnFacts)
	question := knnQuestions(b, *knnFacts, 1)[0]
	before := processorTime(b)
	for b.Loop() {
		db, err := Open(context.Background(), filepath.Join(dir, "strata.db"), nil)
		if err != nil {
			b.Fatal(err)
		}
		bed := &bed{TB: b, db: db}
		bed.view(func(ctx context.Context, x *tx) {
			_, err := x.Nearest(ctx, strata.Global(), "test", question, nil, store.Filter{}, 10)
			bed.ok(err)
		})
		bed.ok(db.Close())
	}
	b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
}

// processorTime is what the process has used of all processors.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
