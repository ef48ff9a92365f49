package bench_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/local"
)

// saveHome keeps the home that BenchmarkSaveInto100k begins with from one run
// to the next: to fill it takes longer than to measure.
var saveHome = flag.String("save.home", "", "keep the home of BenchmarkSaveInto100k in this `directory`; empty makes it anew")

// BenchmarkSaveInto100k is durable saves (synchronous=FULL) into a home of
// 100,000 facts in one scope: by one writer, one save after the other; by eight
// at once; and in batches of 1,000. saves/s counts facts. cpu-ns/save is
// processor time of the whole process, files that follow included.
//
// rows is the limit beside each: so many texts in one durable commit to a table
// of SQLite with no index, which finds nothing. It tells how fast the machine and
// its disk are at that moment.
func BenchmarkSaveInto100k(b *testing.B) {
	const before = 100_000
	if testing.Short() {
		b.Skip("long")
	}
	filled := filledHome(b, before)
	next := uint64(2) // seed of statements that no run before had
	for _, writers := range []int{1, 8} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			mem := copyOf(b, filled)
			statements := candidates(bench.Generate(b.N, next))
			next++
			times := make([]latencies, writers)
			ctx := context.Background()
			var wg sync.WaitGroup
			m := startMeter(b)
			for w := range writers {
				wg.Go(func() {
					for i := w; i < b.N; i += writers {
						times[w].time(func() {
							if _, err := mem.Write(ctx, statements[i]); err != nil {
								b.Error(err)
							}
						})
					}
				})
			}
			wg.Wait()
			m.report(b.N)
			var all latencies
			for _, t := range times {
				all = append(all, t...)
			}
			all.report(b)
		})
	}
	b.Run("batch=1000", func(b *testing.B) {
		const batch = 1000
		mem := copyOf(b, filled)
		statements := candidates(bench.Generate(batch*b.N, next))
		next++
		ctx := context.Background()
		var l latencies
		m := startMeter(b)
		for i := range b.N {
			l.time(func() {
				if _, err := mem.WriteBatch(ctx, statements[i*batch:(i+1)*batch]); err != nil {
					b.Fatal(err)
				}
			})
		}
		m.report(batch * b.N)
		l.report(b)
	})
	for _, rows := range []int{1, 8, 1000} {
		b.Run(fmt.Sprintf("limit/rows=%d", rows), func(b *testing.B) {
			db := bareTable(b)
			statements := candidates(bench.Generate(rows*b.N, next))
			next++
			var l latencies
			m := startMeter(b)
			for i := range b.N {
				l.time(func() { insertAll(b, db, statements[i*rows:(i+1)*rows]) })
			}
			m.report(rows * b.N)
			l.report(b)
		})
	}
}

// bareTable returns a database with one table of texts, made as durable as a home.
func bareTable(b *testing.B) *sql.DB {
	b.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(b.TempDir(), "bare.db")+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE said (number INTEGER PRIMARY KEY, text TEXT)`); err != nil {
		b.Fatal(err)
	}
	return db
}

// insertAll adds texts to a bare table in one transaction.
func insertAll(b *testing.B, db *sql.DB, texts []strata.Candidate) {
	b.Helper()
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Rollback() // nothing is left of it once it is committed
	insert, err := tx.Prepare(`INSERT INTO said (text) VALUES (?)`)
	if err != nil {
		b.Fatal(err)
	}
	defer insert.Close()
	for _, c := range texts {
		if _, err := insert.Exec(c.Content); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

// filledHome returns a home with so many facts in the global scope, closed.
func filledHome(b *testing.B, facts int) string {
	b.Helper()
	home := *saveHome
	if home == "" {
		home = b.TempDir()
	}
	marker := filepath.Join(home, "filled")
	if _, err := os.Stat(marker); err == nil {
		return home
	}
	ctx := context.Background()
	opened, err := local.Open(ctx, home)
	if err != nil {
		b.Fatal(err)
	}
	mem := opened.Engine()
	if err := bench.Fill(ctx, mem, bench.Corpus{Seed: 1}, 0, facts, nil); err != nil {
		b.Fatal(err)
	}
	if err := mem.Drain(ctx); err != nil { // or the files would follow while saves are measured
		b.Fatal(err)
	}
	if err := mem.Close(); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(marker, nil, 0o600); err != nil {
		b.Fatal(err)
	}
	return home
}

// copyOf returns a memory in a copy of a home, with nothing of it in a log.
func copyOf(b *testing.B, home string) *engine.Engine {
	b.Helper()
	to := b.TempDir()
	if err := os.CopyFS(to, os.DirFS(home)); err != nil {
		b.Fatal(err)
	}
	if err := syncAll(to); err != nil {
		b.Fatal(err)
	}
	opened, err := local.Open(context.Background(), to)
	if err != nil {
		b.Fatal(err)
	}
	mem := opened.Engine()
	b.Cleanup(func() { mem.Close() })
	return mem
}

// syncAll has the files of a copied home on the disk, so that the first save
// does not wait for them.
func syncAll(home string) error {
	f, err := os.OpenFile(local.Database(home), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// meter measures what saves take.
type meter struct {
	b   *testing.B
	cpu time.Duration
}

func startMeter(b *testing.B) meter {
	m := meter{b: b, cpu: processorTime()}
	b.ResetTimer()
	return m
}

// report says how many of n saves a second took, and their processor time.
func (m meter) report(n int) {
	m.b.StopTimer()
	m.b.ReportMetric(float64(n)/m.b.Elapsed().Seconds(), "saves/s")
	m.b.ReportMetric(float64((processorTime()-m.cpu).Nanoseconds())/float64(n), "cpu-ns/save")
}
