package recall

import (
	"cmp"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// pool is what one scope holds for the question.
type pool struct {
	scope  strata.Scope
	order  int // place in the view; 0 is the deepest
	filter store.Filter

	total, words int64 // passages of the scope and their terms

	// passages match some feature and ascend by number; hits[i] are the
	// features of passages[i].
	passages []store.Meta
	hits     [][]hit
	// turns are the indexes of the passages that are turns, by session and
	// place, so that neighbors lie side by side.
	turns []int32

	parents map[int64]*parent
	near    []vector.Scored         // parents nearest to the question, the first tier
	cands   map[int64]*candidate    // by number, once that is known
	asks    map[int64]bool          // whether a turn that was read asks a question
	holding map[string][]store.Meta // what holds a piece of a word that was looked for
}

// hit says that a passage holds a feature of the question.
type hit struct {
	feature int32
	count   float32 // how often; a part of a word counts less than 1
}

// take fills the pool with what the store found by words.
func (p *pool) take(m store.Matches) {
	p.total, p.words = m.Total, m.Words
	p.passages, p.hits = m.Passages, roomForHits(m)
	for feature, term := range m.Terms {
		for _, h := range term {
			p.hits[h.Passage] = append(p.hits[h.Passage], hit{int32(feature), float32(h.Count)})
		}
	}
}

// roomForHits returns a list for each passage with room for what was found in
// it. All of them share one block.
func roomForHits(m store.Matches) [][]hit {
	counts := make([]int32, len(m.Passages))
	all := 0
	for _, term := range m.Terms {
		all += len(term)
		for _, h := range term {
			counts[h.Passage]++
		}
	}
	hits := make([][]hit, len(m.Passages))
	room := make([]hit, all)
	for i, n := range counts {
		hits[i], room = room[:0:n], room[n:]
	}
	return hits
}

// add records that passages hold a feature that was found otherwise than by
// words.
func (p *pool) add(found []store.Meta, feature int, count float32) {
	if len(found) == 0 {
		return
	}
	found = slices.SortedFunc(slices.Values(found), func(a, b store.Meta) int { return cmp.Compare(a.Number, b.Number) })
	same := []hit{{int32(feature), count}}
	p.merge(found, slices.Repeat([][]hit{same}, len(found)))
}

// merge takes in passages that ascend by number, with what was found in each;
// those with nothing are left out. What a feature counts already in a passage
// stays.
func (p *pool) merge(found []store.Meta, hits [][]hit) {
	most := len(p.passages) + len(found)
	passages, all := make([]store.Meta, 0, most), make([][]hit, 0, most)
	next := 0 // of the passages known before
	for i, m := range found {
		if len(hits[i]) == 0 {
			continue
		}
		first := next
		for next < len(p.passages) && p.passages[next].Number < m.Number {
			next++
		}
		passages, all = append(passages, p.passages[first:next]...), append(all, p.hits[first:next]...)
		here := hits[i]
		if next < len(p.passages) && p.passages[next].Number == m.Number {
			here = union(p.hits[next], here)
			next++
		}
		passages, all = append(passages, m), append(all, here)
	}
	p.passages, p.hits = append(passages, p.passages[next:]...), append(all, p.hits[next:]...)
}

// union adds the features of more that a passage was not found by before.
func union(hits, more []hit) []hit {
	out := slices.Clip(hits) // the lists share one block: grow a copy
	for _, h := range more {
		if !holds(hits, h.feature) {
			out = append(out, h)
		}
	}
	return out
}

// holds reports whether a feature is among some.
func holds(hits []hit, feature int32) bool {
	for _, h := range hits {
		if h.feature == feature {
			return true
		}
	}
	return false
}

// find returns the index of a passage that matches some feature; of another
// one that at which it would be.
func (p *pool) find(number int64) (int, bool) {
	return slices.BinarySearchFunc(p.passages, number, func(m store.Meta, n int64) int {
		return cmp.Compare(m.Number, n)
	})
}

// sortTurns prepares the search for neighbors.
func (p *pool) sortTurns() {
	for i := range p.passages {
		if p.passages[i].Kind == strata.KindTurn {
			p.turns = append(p.turns, int32(i))
		}
	}
	slices.SortFunc(p.turns, func(a, b int32) int {
		x, y := &p.passages[a], &p.passages[b]
		return comparePlaces(store.Place{Parent: x.Parent, Seq: x.Seq}, store.Place{Parent: y.Parent, Seq: y.Seq})
	})
}

// firstTurn returns the position in turns of the first matched turn of a
// session at or after seq.
func (p *pool) firstTurn(session, seq int64) int {
	i, _ := slices.BinarySearchFunc(p.turns, store.Place{Parent: session, Seq: seq}, func(t int32, at store.Place) int {
		m := &p.passages[t]
		return comparePlaces(store.Place{Parent: m.Parent, Seq: m.Seq}, at)
	})
	return i
}

// comparePlaces orders places by parent, then by number in it.
func comparePlaces(a, b store.Place) int {
	if a.Parent != b.Parent {
		return cmp.Compare(a.Parent, b.Parent)
	}
	return cmp.Compare(a.Seq, b.Seq)
}
