package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// What is left out for holding none but common terms must not be able to belong
// among the best, however common its terms are.
func TestContendersKeepWhatMayBeAmongTheBest(t *testing.T) {
	b := newBed(t)
	const total = deferFrom + 100
	counts := make(map[string]int64)
	b.update(func(ctx context.Context, x *tx) {
		r := rand.New(rand.NewPCG(1, 2))
		for range total {
			var words []string
			for i := range 12 { // word i is in one of i+2 passages
				if r.IntN(i*i+2) == 0 {
					words = append(words, fmt.Sprint("w", i))
				}
			}
			for _, w := range words {
				counts[w]++
			}
			b.put(ctx, x, strata.Global(), "words", strings.Join(append(words, "filler"), " "), nil)
		}
	})
	leftOut := 0
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "w11"}), 1, 7, rapid.ID[string]).Draw(t, "terms")
		contenders := rapid.IntRange(1, 60).Draw(t, "contenders")
		enough := rapid.IntRange(1, 200).Draw(t, "enough")
		weights := make([]int64, len(terms))
		for i, term := range terms {
			weights[i] = counts[term]
		}
		d := newDeferral(weights, total, enough)
		best := func(m store.Matches) []float64 {
			told := make([]float64, len(m.Passages))
			for i, hits := range m.Terms {
				for _, h := range hits {
					told[h.Passage] += d.weights[i]
				}
			}
			slices.SortFunc(told, func(a, b float64) int { return cmp.Compare(b, a) })
			return told[:min(contenders, len(told))]
		}
		all := b.match(strata.Global(), store.Filter{}, terms...)
		some := b.match(strata.Global(), store.Filter{Enough: enough, Contenders: contenders}, terms...)
		if len(some.Passages) < len(all.Passages) {
			leftOut++
		}
		want, got := best(all), best(some)
		if len(got) < len(want) {
			t.Fatalf("%d contenders of %d", len(got), len(want))
		}
		for i := range want {
			if want[i]-got[i] > 1e-9 {
				t.Fatalf("the %d. best tells %.3f, should tell %.3f", i+1, got[i], want[i])
			}
		}
	})
	if leftOut == 0 {
		t.Error("nothing was ever left out")
	}
}
