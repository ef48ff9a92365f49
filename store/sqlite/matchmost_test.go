package sqlite

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// What Most leaves is what tells the most of all that is found, from the index
// and from memory.
func TestMost_LeavesWhatTellsTheMost(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	b := newBed(t)
	b.db.postings.limits.asked = 0
	const facts, vocabulary = deferFrom + 500, 60
	word := func() string {
		return "w" + string(rune('a'+rnd.IntN(26))) + string(rune('a'+rnd.IntN(vocabulary)*rnd.IntN(vocabulary)/vocabulary%26))
	}
	b.update(func(ctx context.Context, x *tx) {
		for range facts {
			words := make([]string, 1+rnd.IntN(12))
			for i := range words {
				words[i] = word()
			}
			b.put(ctx, x, strata.Global(), "c", strings.Join(words, " "), nil)
		}
	})
	for range 40 {
		terms := make([]string, 1+rnd.IntN(6))
		for i := range terms {
			terms[i] = word()
		}
		filter := store.Filter{Kinds: []strata.Kind{strata.KindFact}, Enough: 1 << 30}
		var all store.Matches
		b.view(func(ctx context.Context, x *tx) {
			var err error
			all, err = x.Match(ctx, strata.Global(), terms, filter)
			b.ok(err)
		})
		for _, asked := range []int64{0, 1 << 40} { // from memory, from the index
			b.db.postings.limits.asked = asked
			filter.Most = 1 + rnd.IntN(200)
			b.view(func(ctx context.Context, x *tx) {
				got, err := x.Match(ctx, strata.Global(), terms, filter)
				b.ok(err)
				checkMost(t, terms, all, got, filter.Most)
			})
		}
		b.db.postings.limits.asked = 0
	}
}

// checkMost compares what was left with all that is found.
func checkMost(t *testing.T, terms []string, all, got store.Matches, most int) {
	t.Helper()
	if want := min(most, len(all.Passages)); len(got.Passages) != want {
		t.Fatalf("%v: %d passages, want %d of %d", terms, len(got.Passages), want, len(all.Passages))
	}
	counts := make([]int64, len(terms))
	for i, list := range all.Terms {
		counts[i] = int64(len(list))
	}
	by := newTelling(newDeferral(counts, all.Total, 1), amount{all.Total, all.Words})
	told := func(m store.Matches) map[int64]float64 {
		out := make(map[int64]float64)
		seen := make(map[string]bool)
		for term, list := range m.Terms {
			if seen[terms[term]] {
				continue
			}
			seen[terms[term]] = true
			for _, h := range list {
				p := m.Passages[h.Passage]
				out[p.Number] += by.part(term, h.Count, p.Words)
			}
		}
		return out
	}
	whole, left := told(all), told(got)
	sums := make([]float64, 0, len(whole))
	for _, v := range whole {
		sums = append(sums, v)
	}
	slices.SortFunc(sums, func(a, b float64) int { return cmp.Compare(b, a) })
	if len(got.Passages) == 0 {
		return
	}
	least := sums[len(got.Passages)-1]
	for _, p := range got.Passages {
		if d := left[p.Number] - whole[p.Number]; d > 1e-9 || d < -1e-9 {
			t.Errorf("%v: passage %d tells %g, and %g of all", terms, p.Number, left[p.Number], whole[p.Number])
		}
		if left[p.Number] < least*(1-1e-3) {
			t.Errorf("%v: passage %d tells %g, the last of the best %g", terms, p.Number, left[p.Number], least)
		}
	}
	if !slices.IsSortedFunc(got.Passages, func(a, b store.Meta) int { return cmp.Compare(a.Number, b.Number) }) {
		t.Errorf("%v: the passages are not in order", terms)
	}
}

func TestSelectFirst(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		list := make([]int, 1+rnd.IntN(200))
		for i := range list {
			list[i] = rnd.IntN(1 + rnd.IntN(300))
		}
		if rnd.IntN(3) == 0 {
			slices.Sort(list)
		}
		want := slices.Sorted(slices.Values(list))
		n := rnd.IntN(len(list) + 1)
		selectFirst(list, n, cmp.Compare[int])
		first, rest := slices.Sorted(slices.Values(list[:n])), slices.Sorted(slices.Values(list[n:]))
		if !slices.Equal(first, want[:n]) || !slices.Equal(rest, want[n:]) {
			t.Fatalf("the first %d of %v are %v", n, want, first)
		}
	}
}
