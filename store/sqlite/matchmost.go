package sqlite

import (
	"cmp"
	"slices"

	"github.com/strata-memory/strata/store"
)

// The usual constants of BM25 (Robertson and Zaragoza, The Probabilistic
// Relevance Framework, 2009).
const (
	mostK1 = 1.2
	mostB  = 0.75
)

// telling is how much passages tell of a question by its terms, for the choice
// of those that are handed over; ranking has weights of its own.
type telling struct {
	weights []float64 // of the terms: their inverse document frequency
	mean    float64   // words of a passage
}

func newTelling(d deferral, total amount) telling {
	return telling{weights: d.weights, mean: max(1, float64(total.words)/float64(max(1, total.passages)))}
}

// part is what a term tells that a passage of so many words holds so often. It
// is below the term's weight.
func (t telling) part(term int, count int32, words int32) float64 {
	n := float64(count)
	return t.weights[term] * n / (n + mostK1*(1-mostB+mostB*float64(words)/t.mean))
}

// keepMost leaves the passages that tell the most, no more than so many; of
// equals the newer. hits are those of each term.
func (t telling) keepMost(passages []store.Meta, hits [][]store.TermHit, most int) []store.Meta {
	if most <= 0 || len(passages) <= most {
		return passages
	}
	told := make([]float64, len(passages))
	for term, list := range hits {
		for _, h := range list {
			told[h.Passage] += t.part(term, h.Count, passages[h.Passage].Words)
		}
	}
	order := make([]int32, len(passages))
	for i := range order {
		order[i] = int32(i)
	}
	selectFirst(order, most, func(a, b int32) int {
		if told[a] != told[b] {
			return cmp.Compare(told[b], told[a])
		}
		return cmp.Compare(b, a) // passages ascend by number
	})
	const left = -1
	place := make([]int32, len(passages))
	for i := range place {
		place[i] = left
	}
	for _, i := range order[:most] {
		place[i] = 0
	}
	kept := passages[:0]
	for i, p := range passages {
		if place[i] != left {
			place[i] = int32(len(kept))
			kept = append(kept, p)
		}
	}
	for term, list := range hits {
		mine := list[:0]
		for _, h := range list {
			if to := place[h.Passage]; to != left {
				mine = append(mine, store.TermHit{Passage: to, Count: h.Count})
			}
		}
		hits[term] = mine
	}
	return kept
}

// contend leaves the places of the most telling of the passages found, and of
// their equals.
func (t telling) contend(found *foundPlaces, lists []*postingList, s *postingSet, most int) {
	n := len(found.places)
	if most <= 0 || n <= 2*most {
		return
	}
	told := slices.Grow(found.told[:0], n)[:n]
	clear(told)
	for term, l := range lists {
		t.tell(told, found, l, s, term)
	}
	best := append(found.best[:0], told...)
	selectFirst(best, most, func(a, b float32) int { return cmp.Compare(b, a) })
	const rounding = 1e-4 // of sums of 32 bits
	found.keep(told, slices.Min(best[:most])*(1-rounding))
	found.told, found.best = told, best
}

// tell adds what a term tells of each passage found.
func (t telling) tell(told []float32, found *foundPlaces, l *postingList, s *postingSet, term int) {
	var once [64]float32 // of a passage of so many words that holds it once
	for words := range once {
		once[words] = float32(t.part(term, 1, int32(words)))
	}
	for _, p := range l.seen(s) {
		i, ok := found.index(p.place())
		if !ok {
			continue
		}
		if words := found.words[i]; p&manyTimes == 1 && words < uint32(len(once)) {
			told[i] += once[words]
		} else {
			told[i] += float32(t.part(term, l.count(p), int32(words)))
		}
	}
}

// selectFirst puts the first n of a list, by an order, before the others.
func selectFirst[T any](list []T, n int, order func(a, b T) int) {
	for low, high := 0, len(list); n > low && n < high && high-low > 1; {
		// The median of three keeps sorted lists from taking quadratic time.
		pivot, mid, last := list[low], list[low+(high-low)/2], list[high-1]
		if order(mid, pivot) < 0 {
			pivot, mid = mid, pivot
		}
		if order(last, mid) < 0 {
			mid = last
		}
		if order(mid, pivot) > 0 {
			pivot = mid
		}
		less, more := low, high
		for i := low; i < more; {
			switch c := order(list[i], pivot); {
			case c < 0:
				list[i], list[less] = list[less], list[i]
				less++
				i++
			case c > 0:
				more--
				list[i], list[more] = list[more], list[i]
			default:
				i++
			}
		}
		switch { // those from less to more are equal
		case n < less:
			high = less
		case n >= more:
			low = more
		default:
			return
		}
	}
}
