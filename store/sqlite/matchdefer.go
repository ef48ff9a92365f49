package sqlite

import (
	"cmp"
	"math"
	"slices"

	"github.com/strata-memory/strata/store"
)

// deferFrom is the number of passages of a scope from which common terms may be
// deferred. In a smaller one, looking up how common terms are costs as much as
// it saves.
const deferFrom = 2000

// maxDeferredOf is the most terms of a question of which common ones are
// deferred.
const maxDeferredOf = 32

// deferral says which terms a passage must hold one of to be found; the others
// are looked for in what these find. In a large scope a passage costs far more
// to hand over than to find, and nearly all that hold only common terms would
// be handed over in vain. The zero deferral defers nothing.
type deferral struct {
	counts  []int64   // passages of the scope that hold each term; nil: not looked up
	order   []int32   // the terms, the rarest first
	rare    int       // so many of them, from the first, make a passage found
	weights []float64 // what each term tells: its inverse document frequency
}

// defers reports whether common ones of n terms may be deferred in a scope of
// total passages.
func defers(n int, total int64, f store.Filter) bool {
	return f.Enough > 0 && total >= deferFrom && n > 0 && n <= maxDeferredOf
}

// newDeferral defers the commonest terms where rarer ones find enough.
func newDeferral(counts []int64, total int64, enough int) deferral {
	d := deferral{counts: counts, order: make([]int32, len(counts)), weights: make([]float64, len(counts))}
	for i, n := range counts {
		d.order[i] = int32(i)
		d.weights[i] = math.Log1p(float64(max(total-n, 0)) / (float64(n) + 0.5))
	}
	slices.SortStableFunc(d.order, func(a, b int32) int { return cmp.Compare(counts[a], counts[b]) })
	found := int64(0)
	for d.rare < len(d.order) && found < int64(enough) {
		// A term that would bring far more than is missing is not worth it
		// where there is something to rank already.
		if n := counts[d.order[d.rare]]; found >= int64(enough)/4 && n > 2*int64(enough) {
			break
		}
		found += counts[d.order[d.rare]]
		d.rare++
	}
	return d
}

// deferred are the terms that are only looked for in what the others find.
func (d *deferral) deferred() []int32 { return d.order[d.rare:] }

// widen defers fewer terms if so many contenders were not found that each tell
// more than all deferred terms together: one that holds only those might belong
// among them. It reports whether it did; the passages found and the hits of each
// term are what d has found. Then what d finds now needs no more of it. This is
// the bound by which MaxScore leaves terms out (Turtle and Flood, 1995).
func (d *deferral) widen(contenders, passages int, hits [][]store.TermHit) bool {
	if contenders <= 0 || len(d.deferred()) == 0 {
		return false
	}
	missed := 0.0
	for _, term := range d.deferred() {
		missed += d.weights[term]
	}
	least := d.leastOfBest(contenders, passages, hits)
	before := d.rare
	for d.rare < len(d.order) && missed > least {
		missed -= d.weights[d.order[d.rare]]
		d.rare++
	}
	return d.rare > before
}

// leastOfBest is what the last of the n passages tells that tell the most; 0 if
// there are fewer.
func (d *deferral) leastOfBest(n, passages int, hits [][]store.TermHit) float64 {
	if passages < n {
		return 0
	}
	told := make([]float64, passages)
	for term, list := range hits {
		for _, h := range list {
			told[h.Passage] += d.weights[term]
		}
	}
	best := make([]float64, 0, n+1) // falling
	for _, t := range told {
		if len(best) == n && t <= best[n-1] {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, t, func(b, t float64) int { return cmp.Compare(t, b) })
		best = slices.Insert(best, at, t)[:min(len(best)+1, n)]
	}
	return best[n-1]
}

// frequencies tells of each term of a query, at places among those of d, how many
// passages hold it: more than were found where it was deferred.
func (d *deferral) frequencies(out *store.Matches, places []int) {
	if d.counts == nil {
		return
	}
	for i, at := range places {
		if at >= 0 {
			out.Frequency[i] = max(out.Frequency[i], min(d.counts[at], out.Total))
		}
	}
}
