package sqlite

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// fill saves samples in batches of 500.
func (b *bed) fill(scope strata.Scope, list []sample) {
	b.Helper()
	for len(list) > 0 {
		n := min(500, len(list))
		b.update(func(ctx context.Context, t *tx) {
			for _, s := range list[:n] {
				b.put(ctx, t, scope, s.category, s.text, s.vector)
			}
		})
		list = list[n:]
	}
}

// query returns the terms of a sample that a question would be asked with.
func (s sample) query() []string {
	var out []string
	for t := range text.Tokens(s.text) {
		if !t.Stop && len(out) < 7 {
			out = append(out, t.Term)
		}
	}
	return out
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("passages=%d", n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("takes half a minute to fill")
			}
			bed := newBed(b)
			bed.fill(strata.Global(), samples(b, 1, n))
			questions := samples(b, 2, 100)
			b.Run("match", func(b *testing.B) {
				hits := 0
				bed.view(func(ctx context.Context, t *tx) {
					for i := 0; b.Loop(); i++ {
						m, err := t.Match(ctx, strata.Global(), questions[i%100].query(), store.Filter{}, store.MatchOptions{})
						bed.ok(err)
						hits += len(m.Passages)
					}
				})
				b.ReportMetric(float64(hits)/float64(b.N), "passages/op")
			})
			b.Run("nearest", func(b *testing.B) {
				bed.view(func(ctx context.Context, t *tx) {
					for i := 0; b.Loop(); i++ {
						_, err := t.Nearest(ctx, strata.Global(), "test", questions[i%100].vector, nil, store.Filter{}, 10)
						bed.ok(err)
					}
				})
			})
			b.Run("nearest-exact", func(b *testing.B) {
				bed.view(func(ctx context.Context, t *tx) {
					for i := 0; b.Loop(); i++ {
						_, err := t.nearestExact(ctx, strata.Global(), "test", questions[i%100].vector, store.Filter{}, 10)
						bed.ok(err)
					}
				})
			})
			b.Run("nearest-inside-3", func(b *testing.B) {
				bed.view(func(ctx context.Context, t *tx) {
					for i := 0; b.Loop(); i++ {
						v := questions[i%100].vector
						parents, err := t.NearestParents(ctx, strata.Global(), "test", v, strata.KindFact, store.Filter{}, 3)
						bed.ok(err)
						var list []int64
						for _, p := range parents {
							list = append(list, p.Number)
						}
						_, err = t.Nearest(ctx, strata.Global(), "test", v, list, store.Filter{}, 10)
						bed.ok(err)
					}
				})
			})
			b.Run("substring", func(b *testing.B) {
				bed.view(func(ctx context.Context, t *tx) {
					for i := 0; b.Loop(); i++ {
						_, err := t.MatchSubstring(ctx, strata.Global(), questions[i%100].text[20:30], store.Filter{}, 10)
						bed.ok(err)
					}
				})
			})
			b.Run("items-50", func(b *testing.B) {
				bed.view(func(ctx context.Context, t *tx) {
					list, err := t.queryIntegers(ctx, 1, `SELECT number FROM passage ORDER BY number % 997 LIMIT 50`)
					bed.ok(err)
					for b.Loop() {
						_, err := t.Items(ctx, strata.Global(), list)
						bed.ok(err)
					}
				})
			})
		})
	}
}

// BenchmarkSave saves facts into a store that holds 10,000.
func BenchmarkSave(b *testing.B) {
	for _, batch := range []int{1, 500} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			bed := newBed(b)
			bed.fill(strata.Global(), samples(b, 1, 10_000))
			list := samples(b, 2, 5000)
			at := 0
			for b.Loop() {
				bed.update(func(ctx context.Context, t *tx) {
					for range batch {
						s := list[at%len(list)]
						bed.put(ctx, t, strata.Global(), s.category, s.text, s.vector)
						at++
					}
				})
			}
			b.ReportMetric(float64(at)/b.Elapsed().Seconds(), "facts/s")
		})
	}
}

// BenchmarkDisk reports the bytes a fact takes: its row, its passage, words,
// substrings and vector, without the decision that made it.
func BenchmarkDisk(b *testing.B) {
	for _, scopes := range []int{1, 1000} {
		b.Run(fmt.Sprintf("scopes=%d", scopes), func(b *testing.B) {
			const facts = 20_000
			for b.Loop() {
				bed := newBed(b)
				list := samples(b, 1, facts)
				for i := range scopes {
					n := facts / scopes
					bed.fill(strata.InWorkspace(fmt.Sprint(i)), list[i*n:(i+1)*n])
				}
				bed.ok(bed.db.Compact(context.Background()))
				info, err := os.Stat(bed.path)
				bed.ok(err)
				b.ReportMetric(float64(info.Size())/facts, "bytes/fact")
			}
		})
	}
}
