package backup_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/local"
)

var (
	benchFacts   = flag.Int("backup.facts", 10_000, "facts of the home that is backed up")
	benchHome    = flag.String("backup.home", "", "back up the home in this `directory`, which grows, and not a new one")
	benchWriters = flag.Int("backup.writers", 8, "writers that go on saving meanwhile")
)

// BenchmarkBackup is a backup of a home of facts while writers go on saving: the time, the
// size before and after, how fast they save meanwhile, and how long a save waits at most.
// restore-s is the time in which the last of the backups becomes a home again.
func BenchmarkBackup(b *testing.B) {
	home, dir := *benchHome, b.TempDir()
	if home == "" {
		home = filepath.Join(b.TempDir(), "home")
	}
	opened, err := local.Open(b.Context(), home)
	if err != nil {
		b.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	if *benchHome == "" {
		fillFacts(b, mem, *benchFacts)
	}
	stop := make(chan struct{})
	var writers sync.WaitGroup
	var saved, longest atomic.Int64
	run := time.Now().UnixNano() // no statement of an earlier run comes again
	for w := range *benchWriters {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				begin := time.Now()
				_, err := mem.Write(context.WithoutCancel(b.Context()), parcel(fmt.Sprintf("%d-%d-%d", run, w, i), i))
				if err != nil {
					b.Error(err)
					return
				}
				saved.Add(1)
				for d := int64(time.Since(begin)); ; {
					old := longest.Load()
					if d <= old || longest.CompareAndSwap(old, d) {
						break
					}
				}
			}
		})
	}
	n, last := 0, ""
	for b.Loop() {
		n++
		last = filepath.Join(dir, fmt.Sprint(n))
		c, err := backup.Create(b.Context(), backup.Options{Home: home, To: last, Now: noon})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(c.Manifest.Bytes)/1e6, "MB")
		b.ReportMetric(float64(c.Size)/1e6, "compressed-MB")
	}
	b.ReportMetric(float64(saved.Load())/b.Elapsed().Seconds(), "saves/s")
	b.ReportMetric(time.Duration(longest.Load()).Seconds(), "longest-save-s")
	close(stop)
	writers.Wait()
	begin := time.Now()
	if _, err := backup.Restore(b.Context(), backup.RestoreOptions{From: last, Home: filepath.Join(dir, "again"), Now: noon}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(begin).Seconds(), "restore-s")
}

// fillFacts saves n facts.
func fillFacts(b *testing.B, mem *engine.Engine, n int) {
	for i := 0; i < n; i += 500 {
		var cs []strata.Candidate
		for j := i; j < min(i+500, n); j++ {
			cs = append(cs, parcel(fmt.Sprint(j), j))
		}
		if _, err := mem.WriteBatch(b.Context(), cs); err != nil {
			b.Fatal(err)
		}
	}
}

// parcel is a statement of its own for each name.
func parcel(name string, n int) strata.Candidate {
	return strata.Candidate{Scope: strata.Global(), Origin: strata.OriginCLI,
		Content: fmt.Sprintf("Parcel %s from Bergen goes to platform %d with %d violins", name, n*7919%100_003, n%97)}
}
