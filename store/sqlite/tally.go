package sqlite

import (
	"context"

	"github.com/strata-memory/strata/vector"
)

// tally is what a function has counted and not yet written: a batch adds to
// the same few counters once for each fact, and writes them once. Any
// statement that could see the difference settles the tally first, see
// [tx.query] and [tx.exec]; so does the end of the function.
type tally struct {
	scopes  map[scopeKind]amount
	parents map[int64]amount
	sums    map[int64]*vectorSum // by place
	heads   map[headKey]*codeHead
	counted map[int64]bool // scopes of which anything is counted

	// opened remembers the numbers of categories and sessions.
	opened map[parentKey]int64
	// members are the vectors of the passages of parents that were searched, by the
	// parent's place: nil for one that was searched once.
	members      map[int64]*memberVectors
	memberValues int // of all of them
}

// forgetTally forgets what tallies remember of the tables, this function's and
// that of those before.
func (t *tx) forgetTally() {
	t.tally = nil
	if t.group != nil {
		t.group.tally = nil
	}
}

// maxHeads bounds the heads that are remembered from one transaction to the next:
// each takes up to 40 KiB with vectors of 384 dimensions.
const maxHeads = 64

// worthKeeping reports whether a tally remembers no more than may be kept.
func (y *tally) worthKeeping() bool {
	return len(y.opened) <= maxAlone && len(y.heads) <= maxHeads && len(y.members) <= maxAlone
}

type scopeKind struct{ scopeNo, kind int64 }

type amount struct{ passages, words int64 }

type vectorSum struct {
	sum []float32
	n   int64
}

type headKey struct{ scopeNo, model, kind int64 }

type parentKey struct {
	scopeNo, kind int64
	name          string
}

// counting returns the tally of the function. What the one before remembers of the
// tables is still true: see [alone].
func (t *tx) counting() *tally {
	if t.tally == nil && t.group != nil {
		t.tally, t.group.tally = t.group.tally, nil // should the function be undone, it is forgotten
	}
	if t.tally == nil {
		t.tally = &tally{
			scopes: make(map[scopeKind]amount), parents: make(map[int64]amount), sums: make(map[int64]*vectorSum),
			heads: make(map[headKey]*codeHead), counted: make(map[int64]bool), opened: make(map[parentKey]int64),
			members: make(map[int64]*memberVectors),
		}
	}
	return t.tally
}

// countNew counts a new current passage.
func (y *tally) countNew(p passageRow) {
	s := scopeKind{scopeOf(p.number), p.kind}
	y.counted[s.scopeNo] = true
	c := y.scopes[s]
	y.scopes[s] = amount{c.passages + 1, c.words + p.words}
	c = y.parents[p.parent]
	y.parents[p.parent] = amount{c.passages + 1, c.words + p.words}
}

// addVector adds one vector to the sum at place.
func (y *tally) addVector(place int64, v []float32) {
	y.counted[scopeOf(place)] = true
	s := y.sums[place]
	if s == nil {
		s = &vectorSum{sum: make([]float32, len(v))}
		y.sums[place] = s
	}
	sum := s.sum[:len(v)] // no bounds check in the loop
	for i, x := range v {
		sum[i] += x
	}
	s.n++
}

// settle writes the rows that are kept and the tally. What the tally remembers
// of the tables stays true. What a statement did not write, because its context
// had ended, say, stays to be settled: a caller may pass over the error of that
// statement.
func (t *tx) settle(ctx context.Context) error {
	if err := t.writeKept(ctx); err != nil {
		return err
	}
	y := t.tally
	if y == nil {
		return nil
	}
	t.tally = nil // the statements below see it settled
	defer func() { t.tally = y }()
	for s, c := range y.scopes {
		if err := t.addToScope(ctx, s, c); err != nil {
			return err
		}
		delete(y.scopes, s)
	}
	for parent, c := range y.parents {
		if err := t.countInParent(ctx, parent, c); err != nil {
			return err
		}
		delete(y.parents, parent)
	}
	for place, s := range y.sums {
		if err := t.addToSum(ctx, place, vector.Encode(s.sum), s.n); err != nil {
			return err
		}
		delete(y.sums, place)
	}
	clear(y.counted)
	for _, h := range y.heads {
		if err := t.putHead(ctx, h); err != nil {
			return err
		}
	}
	return nil
}
