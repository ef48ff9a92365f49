package sqlite

import (
	"cmp"
	"slices"
)

// listOf makes the list of a term of its entries: of those of passages that are
// there. The set is the newest.
func (s *postingSet) listOf(entries []termEntry) *postingList {
	l := &postingList{losses: s.losses}
	if n := len(entries); n > 0 {
		l.grow(n)
	}
	var late []latePosting
	for _, e := range entries {
		place, ok := s.find(uint32(e.number()))
		switch {
		case !ok:
		case s.order.isLate(place):
			late = append(late, latePosting{place, e.count()})
		default:
			l.add(place, e.count())
		}
	}
	slices.SortFunc(late, func(a, b latePosting) int { return cmp.Compare(a.place, b.place) })
	for _, p := range late {
		l.add(p.place, p.count)
	}
	return l
}

// latePosting is a posting of a passage that came out of order.
type latePosting struct {
	place uint32
	count int64
}

// gallop returns the first of n indexes for which reached is true, and n if it
// is for none. It looks at few where that is near the beginning.
func gallop(n int, reached func(int) bool) int {
	low, step := 0, 1 // reached is false below low
	for low+step <= n && !reached(low+step-1) {
		low += step
		step *= 2
	}
	high := min(low+step-1, n)
	for low < high {
		if mid := int(uint(low+high) >> 1); reached(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}
