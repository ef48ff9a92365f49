package sqlite

import (
	"fmt"
	"math"
	"testing"

	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// BenchmarkMatch is a search by the words of a question, each in a transaction
// of its own: from entries of terms, and in memory with all words asked for before.
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
			for _, o := range []store.MatchOptions{{}, {Limit: 2400, Best: 60}} {
				for _, how := range []string{"entries", "memory"} {
					b.Run(fmt.Sprintf("limit=%d/%s", o.Limit, how), func(b *testing.B) {
						bed := bed.in(b)
						bed.db.lexical.Drop()
						bed.db.KeepPostingsAtOnce()
						if how == "entries" {
							bed.db.lexical.Limits.Passages = math.MaxInt64
						}
						hits := 0
						ask := func(i int) {
							bed.view(func(ctx context.Context, t *tx) {
								m, err := t.Match(ctx, strata.Global(), questions[i%100], store.Filter{}, o)
								bed.ok(err)
								hits += len(m.Passages)
							})
						}
						for i := range questions {
							ask(i)
						}
						hits = 0
						for i := 0; b.Loop(); i++ {
							ask(i)
						}
						b.ReportMetric(float64(hits)/float64(b.N), "passages/op")
					})
				}
			}
		})
	}
}
