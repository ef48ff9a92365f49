package bench_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/local"
)

// filled returns a memory in home that holds the statements.
func filled(b *testing.B, home string, statements []bench.Synthetic) *engine.Engine {
	b.Helper()
	ctx := context.Background()
	opened, err := local.Open(ctx, home)
	if err != nil {
		b.Fatal(err)
	}
	mem := opened.Engine()
	b.Cleanup(func() { mem.Close() })
	for start := 0; start < len(statements); start += 1000 {
		if _, err := mem.WriteBatch(ctx, candidates(statements[start:min(start+1000, len(statements))])); err != nil {
			b.Fatal(err)
		}
	}
	return mem
}

func candidates(statements []bench.Synthetic) []strata.Candidate {
	out := make([]strata.Candidate, len(statements))
	for i, s := range statements {
		out[i] = strata.Candidate{Scope: strata.Global(), Content: s.Text}
	}
	return out
}

// latencies reports percentiles of what the benchmark timed.
type latencies []time.Duration

func (l latencies) report(b *testing.B) {
	p := bench.PercentilesOf(l)
	b.ReportMetric(float64(p.P50), "p50-ns")
	b.ReportMetric(float64(p.P99), "p99-ns")
}

func (l *latencies) time(fn func()) {
	begin := time.Now()
	fn()
	*l = append(*l, time.Since(begin))
}

// BenchmarkRecall is a whole recall: analysis, embedding, candidates, ranking,
// explanation. found is the fraction of questions whose statement is the first.
func BenchmarkRecall(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("long")
			}
			statements := bench.Generate(n, 1)
			mem := filled(b, b.TempDir(), statements)
			view := strata.Global().View()
			ctx := context.Background()
			for _, kind := range []struct {
				name     string
				question func(bench.Synthetic) string
			}{
				{"words=7", func(s bench.Synthetic) string { return s.Question }},
				{"words=13", func(s bench.Synthetic) string { return s.Long }},
			} {
				b.Run(kind.name, func(b *testing.B) {
					found, asked := 0, 0
					var l latencies
					for b.Loop() {
						s := statements[asked*7919%n]
						q := strata.Query{View: view, Text: kind.question(s), Kinds: []strata.Kind{strata.KindFact}, Quiet: true}
						l.time(func() {
							res, err := mem.Query(ctx, q)
							if err != nil {
								b.Fatal(err)
							}
							if len(res.Hits) > 0 && res.Hits[0].Text == s.Text {
								found++
							}
						})
						asked++
					}
					l.report(b)
					b.ReportMetric(float64(found)/float64(asked), "found@1")
					b.ReportMetric(float64(bench.AnonymousMemory())/(1<<20), "rss-MiB")
				})
			}
		})
	}
}

// BenchmarkSave is one durable save after another into a store of 10,000.
func BenchmarkSave(b *testing.B) {
	const before = 10_000
	mem := filled(b, b.TempDir(), bench.Generate(before, 1))
	statements := bench.Generate(1<<20, 2)
	ctx := context.Background()
	var l latencies
	for i := 0; b.Loop(); i++ {
		l.time(func() {
			if _, err := mem.Write(ctx, candidates(statements[i : i+1])[0]); err != nil {
				b.Fatal(err)
			}
		})
	}
	l.report(b)
}

// BenchmarkSaveConcurrent is durable saves by eight writers into a store of 10,000.
func BenchmarkSaveConcurrent(b *testing.B) {
	mem := filled(b, b.TempDir(), bench.Generate(10_000, 1))
	statements := bench.Generate(1<<20, 2)
	ctx := context.Background()
	const writers = 8
	b.ResetTimer()
	begin := time.Now()
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; i < b.N; i += writers {
				if _, err := mem.Write(ctx, candidates(statements[i : i+1])[0]); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/time.Since(begin).Seconds(), "facts/s")
}

// BenchmarkSaveBatch is durable batches of 500 into a store of 10,000.
func BenchmarkSaveBatch(b *testing.B) {
	const batch = 500
	mem := filled(b, b.TempDir(), bench.Generate(10_000, 1))
	ctx := context.Background()
	n := 0
	for b.Loop() {
		b.StopTimer()
		statements := candidates(bench.Generate(batch, uint64(2+n)))
		b.StartTimer()
		if _, err := mem.WriteBatch(ctx, statements); err != nil {
			b.Fatal(err)
		}
		n += batch
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "facts/s")
}

// BenchmarkColdRecall is `strata recall` from the shell on a home of 10,000
// facts: a new process each time.
func BenchmarkColdRecall(b *testing.B) {
	home := b.TempDir()
	statements := bench.Generate(10_000, 1)
	if err := filled(b, home, statements).Close(); err != nil {
		b.Fatal(err)
	}
	program := built(b)
	var l latencies
	asked := 0
	for b.Loop() {
		cmd := exec.Command(program, "recall", "--home", home, statements[asked*7919%len(statements)].Question)
		l.time(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
		})
		asked++
	}
	l.report(b)
}

// built returns the path of the program strata, as it is now.
func built(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "strata")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/strata").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return program
}

// BenchmarkDisk reports the bytes of all files of a home for a fact of about 100
// characters: indexes, daily log, history; in one scope and in many.
func BenchmarkDisk(b *testing.B) {
	for _, scopes := range []int{1, 100} {
		b.Run(fmt.Sprintf("scopes=%d", scopes), func(b *testing.B) {
			const facts = 10_000
			var home string
			statements := bench.Generate(facts, 1)
			for b.Loop() {
				home = b.TempDir() // what is saved again only adds decisions
				opened, err := local.Open(context.Background(), home)
				if err != nil {
					b.Fatal(err)
				}
				mem := opened.Engine()
				all := candidates(statements)
				for i := range all {
					all[i].Scope = strata.InWorkspace(fmt.Sprint(i % scopes))
				}
				for start := 0; start < facts; start += 1000 {
					if _, err := mem.WriteBatch(context.Background(), all[start:start+1000]); err != nil {
						b.Fatal(err)
					}
				}
				if err := mem.Drain(context.Background()); err != nil {
					b.Fatal(err)
				}
				if err := mem.Close(); err != nil {
					b.Fatal(err)
				}
			}
			bytes, err := bench.DiskUsage(home)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(bytes)/facts, "bytes/fact")
		})
	}
}
