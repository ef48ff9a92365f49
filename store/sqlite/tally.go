package sqlite

import (
	"context"

	"github.com/strata-memory/strata/index/passage"
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
	unused  []*vectorSum         // room for the next ones, all zero
	encoded []byte               // room for a sum
	counted map[int64]bool       // scopes of which anything is counted

	remembered
}

type scopeKind struct{ scopeNo, kind int64 }

type amount struct{ passages, words int64 }

type vectorSum struct {
	sum []float32
	n   int64
}

// counting returns the tally of the function. It goes on from that of the one before,
// which is settled.
func (t *tx) counting() *tally {
	if t.tally == nil && t.group != nil {
		t.tally, t.group.tally = t.group.tally, nil // should the function be undone, it is forgotten
	}
	if t.tally == nil {
		t.tally = &tally{
			scopes: make(map[scopeKind]amount), parents: make(map[int64]amount), sums: make(map[int64]*vectorSum),
			counted: make(map[int64]bool), remembered: newRemembered(),
		}
	}
	return t.tally
}

// countNew counts a new current passage.
func (y *tally) countNew(p passageRow) {
	s := scopeKind{passage.Scope(p.number), p.kind}
	y.counted[s.scopeNo] = true
	c := y.scopes[s]
	y.scopes[s] = amount{c.passages + 1, c.words + p.words}
	c = y.parents[p.parent]
	y.parents[p.parent] = amount{c.passages + 1, c.words + p.words}
}

// addVector adds one vector to the sum at place.
func (y *tally) addVector(place int64, v []float32) {
	y.counted[passage.Scope(place)] = true
	s := y.sums[place]
	if s == nil {
		s = y.newSum(len(v))
		y.sums[place] = s
	}
	sum := s.sum[:len(v)] // no bounds check in the loop
	for i, x := range v {
		sum[i] += x
	}
	s.n++
}

// newSum returns the sum of no vectors.
func (y *tally) newSum(dim int) *vectorSum {
	if last := len(y.unused) - 1; last >= 0 && len(y.unused[last].sum) == dim {
		s := y.unused[last]
		y.unused = y.unused[:last]
		return s
	}
	return &vectorSum{sum: make([]float32, dim)}
}

// maxUnused bounds the sums that are kept as room for others.
const maxUnused = 32

// settleSum writes the sum at place.
func (t *tx) settleSum(ctx context.Context, y *tally, place int64) error {
	s := y.sums[place]
	y.encoded = vector.AppendEncoded(y.encoded[:0], s.sum)
	if err := t.addToSum(ctx, place, y.encoded, s.n); err != nil {
		return err
	}
	delete(y.sums, place)
	if clear(s.sum); len(y.unused) < maxUnused {
		s.n = 0
		y.unused = append(y.unused, s)
	}
	return nil
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
	for place := range y.sums {
		if err := t.settleSum(ctx, y, place); err != nil {
			return err
		}
	}
	clear(y.counted)
	for _, h := range y.heads {
		if err := t.putHead(ctx, h); err != nil {
			return err
		}
	}
	return nil
}
