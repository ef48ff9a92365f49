package lexical

import (
	"cmp"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// newLarge is a scope in which passages may be left out.
func newLarge(t *testing.T) (*memory, *Index) {
	m := newMemory(t, seed())
	m.fill(2*largeScope + 500)
	for range 100 {
		m.alter()
	}
	return m, newIndex(m, atOnce)
}

// weights are those of terms, by the passages that hold them, retired ones
// included.
func (now *moment) weights(terms []string, all store.Matches) bm25 {
	counts := make([]int64, len(terms))
	for i, term := range terms {
		for j := range now.passages {
			if now.passages[j].counts[Fold(term)] > 0 {
				counts[i]++
			}
		}
	}
	return newBM25(counts, Total{all.Total, all.Words})
}

// scores are what passages score by the terms of a query, by number.
func scores(by bm25, m store.Matches) map[int64]float64 {
	out := make(map[int64]float64)
	for term, list := range m.Terms {
		for _, h := range list {
			p := m.Passages[h.Passage]
			out[p.Number] += by.part(term, h.Count, p.Words)
		}
	}
	return out
}

// What a limit leaves is what scores best of all that essential terms find, and in
// both ways the same.
func TestLimit_LeavesTheBest(t *testing.T) {
	m, x := newLarge(t)
	facts := store.Filter{Kinds: []strata.Kind{strata.KindFact}}
	leftOut := 0
	for range 40 {
		m.alter()
		now, terms, limit := m.begin(), m.terms(), 1+m.rng.IntN(200)
		all := now.naive(terms, facts)
		got, _ := m.search(x, now, false, terms, facts, store.MatchOptions{Limit: limit, Best: 1 << 20}) // every term is essential
		if want := min(limit, len(all.Passages)); len(got.Passages) != want {
			t.Fatalf("%q: %d passages, want %d of %d", terms, len(got.Passages), want, len(all.Passages))
		}
		if len(got.Passages) == 0 {
			continue
		}
		leftOut += len(all.Passages) - len(got.Passages)
		by := now.weights(terms, all)
		whole, left := scores(by, all), scores(by, got)
		sums := make([]float64, 0, len(whole))
		for _, v := range whole {
			sums = append(sums, v)
		}
		slices.SortFunc(sums, func(a, b float64) int { return cmp.Compare(b, a) })
		for _, p := range got.Passages {
			if d := left[p.Number] - whole[p.Number]; d > 1e-9 || d < -1e-9 {
				t.Errorf("%q: passage %d scores %g, and %g of all", terms, p.Number, left[p.Number], whole[p.Number])
			}
			if least := sums[len(got.Passages)-1]; left[p.Number] < least*(1-1e-3) {
				t.Errorf("%q: passage %d scores %g, the last of the best %g", terms, p.Number, left[p.Number], least)
			}
		}
		if !slices.IsSortedFunc(got.Passages, func(a, b store.Meta) int { return cmp.Compare(a.Number, b.Number) }) {
			t.Errorf("%q: the passages are not in order", terms)
		}
	}
	if leftOut == 0 {
		t.Error("nothing was ever left out")
	}
}

// What is left out for holding none but common terms must not be able to belong
// among the best, however common its terms are.
func TestBest_AreNeverLeftOut(t *testing.T) {
	m, x := newLarge(t)
	leftOut := 0
	for range 80 {
		now, terms, best := m.begin(), m.terms(), 1+m.rng.IntN(60)
		all := now.naive(terms, store.Filter{})
		some, _ := m.search(x, now, false, terms, store.Filter{}, store.MatchOptions{Limit: 1 << 30, Best: best})
		leftOut += len(all.Passages) - len(some.Passages)
		weights := now.weights(terms, all).weights
		sums := func(m store.Matches) []float64 {
			out := make([]float64, len(m.Passages))
			for term, hits := range m.Terms {
				for _, h := range hits {
					out[h.Passage] += weights[term]
				}
			}
			slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
			return out[:min(best, len(out))]
		}
		want, got := sums(all), sums(some)
		if len(got) < len(want) {
			t.Fatalf("%q: %d of the best %d", terms, len(got), len(want))
		}
		for i := range want {
			if want[i]-got[i] > 1e-9 {
				t.Fatalf("%q: the %d. best weighs %.3f, should weigh %.3f", terms, i+1, got[i], want[i])
			}
		}
		for i := range terms {
			if some.Frequency[i] < int64(len(some.Terms[i])) || some.Frequency[i] < all.Frequency[i] && some.Frequency[i] < some.Total {
				t.Errorf("%q: a frequency of %d, want %d", terms, some.Frequency[i], all.Frequency[i])
			}
		}
	}
	if leftOut == 0 {
		t.Error("nothing was ever left out")
	}
}

// In both ways the same is left out, whatever the filter.
func TestOptions_LeaveOutTheSameInBothWays(t *testing.T) {
	m, x := newLarge(t)
	held := 0
	for range 12 {
		m.alter()
		now := m.begin()
		for _, f := range m.filters(now) {
			o := store.MatchOptions{Limit: []int{1, 30, 1000}[m.rng.IntN(3)]}
			if m.rng.IntN(2) == 0 {
				o = store.MatchOptions{Limit: 1 << 30, Best: 1 + m.rng.IntN(50)}
			}
			got, ok := m.search(x, now, false, m.terms(), f, o)
			if ok {
				held++
			}
			if len(got.Passages) > o.Limit && f.SessionKind == "" && got.Total >= largeScope {
				t.Fatalf("%d passages with %+v", len(got.Passages), o)
			}
		}
	}
	if held < 60 {
		t.Errorf("only %d searches were answered in memory", held)
	}
}
