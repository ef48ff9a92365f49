package sqlite

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// BenchmarkMatch is a search by the words of a question, each in a transaction
// of its own: from the term index, and in memory with all words asked for before.
// enough is as recall asks.
func BenchmarkMatch(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("passages=%d", n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("takes half a minute to fill")
			}
			bed := newBed(b)
			bed.fill(strata.Global(), samples(b, 1, n))
			var questions [][]string
			for _, s := range samples(b, 2, 100) {
				questions = append(questions, s.query())
			}
			for _, enough := range []int{0, 150} {
				for _, how := range []string{"index", "memory"} {
					b.Run(fmt.Sprintf("enough=%d/%s", enough, how), func(b *testing.B) {
						bed := bed.in(b)
						bed.db.postings.drop()
						bed.db.postings.limits.asked = math.MaxInt64
						if how == "memory" {
							bed.db.KeepPostingsAtOnce()
						}
						f := store.Filter{Enough: enough}
						for range 2 * readShare {
							bed.match(strata.Global(), f, questions[0]...)
						}
						for _, q := range questions {
							bed.match(strata.Global(), f, q...)
						}
						hits := 0
						for i := 0; b.Loop(); i++ {
							hits += len(bed.match(strata.Global(), f, questions[i%100]...).Passages)
						}
						b.ReportMetric(float64(hits)/float64(b.N), "passages/op")
					})
				}
			}
			b.Run("read-passages", func(b *testing.B) { benchReadPostings(b, bed) })
			b.Run("read-common-term", func(b *testing.B) { benchReadList(b, bed, questions) })
			b.Run("after-a-save", func(b *testing.B) {
				bed := bed.in(b)
				bed.db.KeepPostingsAtOnce()
				list := samples(b, 3, 200)
				for i := 0; b.Loop(); i++ {
					b.StopTimer()
					bed.facts += n
					bed.save(strata.Global(), "general", list[i%200].text, nil)
					b.StartTimer()
					bed.match(strata.Global(), store.Filter{Enough: 150}, questions[i%100]...)
				}
			})
		})
	}
}

// benchReadPostings reads all passages of a scope.
func benchReadPostings(b *testing.B, bed *bed) {
	passages := 0
	bed.view(func(ctx context.Context, x *tx) {
		no, _, err := x.scopeNo(ctx, strata.Global(), false)
		bed.ok(err)
		for b.Loop() {
			r := newPostingReader(no, 0, 1000, 1<<24)
			_, err := x.readPosted(ctx, r)
			bed.ok(err)
			passages += len(r.set.passages)
		}
	})
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(passages), "ns/passage")
}

// benchReadList reads the list of a common term.
func benchReadList(b *testing.B, bed *bed, questions [][]string) {
	read, passages := 0, 0
	bed.db.KeepPostingsAtOnce()
	bed.match(strata.Global(), store.Filter{}, questions[0]...)
	bed.view(func(ctx context.Context, x *tx) {
		m, err := x.Match(ctx, strata.Global(), questions[0], store.Filter{})
		bed.ok(err)
		common := 0
		for i := range m.Terms {
			if len(m.Terms[i]) > len(m.Terms[common]) {
				common = i
			}
		}
		passages = len(m.Terms[common])
		for _, set := range x.posted {
			for b.Loop() {
				bed.ok(x.termEntries(ctx, set.scopeNo, nothingWaits, indexForm(questions[0][common]), func(entries []termEntry) { set.listOf(entries) }))
				read++
			}
		}
	})
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(read*max(passages, 1)), "ns/passage")
}
