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

	// passages match some feature; hits[i] are the features of passages[i].
	// The first sorted of them, found by words, ascend by number; added holds
	// the indexes of those found otherwise.
	passages []store.Meta
	hits     [][]hit
	sorted   int
	added    map[int64]int32
	// turns are the indexes of the passages that are turns, by session and
	// place, so that neighbors lie side by side.
	turns []int32

	parents map[int64]*parent
	near    []vector.Scored      // parents nearest to the question, where the scope was searched flat
	cands   map[int64]*candidate // by number, once that is known
	asks    map[int64]bool       // whether a turn that was read asks a question
}

// hit says that a passage holds a feature of the question.
type hit struct {
	feature int32
	count   float32 // how often; a part of a word counts less than 1
}

// candidate is a passage that may become a hit. Its parts lie in [0,1] and are
// not weighted yet.
type candidate struct {
	pool *pool
	meta store.Meta // Number is 0 until an unmatched neighbor is resolved

	own, around float64
	event       float64 // how well it matches the event the question tells a time by
	reply       float64 // what around is when the turn before asks a question
	before      int64   // number of that turn; 0 when it adds nothing
	parent      float64
	closeness   float64
	similarity  float32 // the cosine it is made of
	compared    bool    // both are known
	builtin     float64 // closeness by the built-in embedder, where it stands in for the model
	judged      bool    // it does
	tier        int
	rough       float64 // the score as far as known before texts are read

	item     store.Item
	shadowed bool // a document of a scope before it stands in front of it
	score    float64
	why      strata.Why
}

// take fills the pool with what the store found by words.
func (p *pool) take(m store.Matches) {
	p.total, p.words = m.Total, m.Words
	p.passages, p.sorted = m.Passages, len(m.Passages)
	p.hits = make([][]hit, len(m.Passages))
	counts := make([]int32, len(m.Passages))
	all := 0
	for _, term := range m.Terms {
		for _, h := range term {
			counts[h.Passage]++
			all++
		}
	}
	room := make([]hit, all)
	for i, n := range counts {
		p.hits[i], room = room[:0:n], room[n:]
	}
	for feature, term := range m.Terms {
		for _, h := range term {
			p.hits[h.Passage] = append(p.hits[h.Passage], hit{int32(feature), float32(h.Count)})
		}
	}
}

// add records that a passage holds a feature that was found otherwise than by
// words.
func (p *pool) add(m store.Meta, feature int, count float32) {
	i, ok := p.find(m.Number)
	if !ok {
		if p.added == nil {
			p.added = make(map[int64]int32)
		}
		i = len(p.passages)
		p.added[m.Number] = int32(i)
		p.passages = append(p.passages, m)
		p.hits = append(p.hits, nil)
	}
	for _, h := range p.hits[i] {
		if h.feature == int32(feature) {
			return
		}
	}
	// The slices of hits share one block: grow a copy.
	p.hits[i] = append(slices.Clip(p.hits[i]), hit{int32(feature), count})
}

// find returns the index of a passage that matches some feature.
func (p *pool) find(number int64) (int, bool) {
	i, ok := slices.BinarySearchFunc(p.passages[:p.sorted], number, func(m store.Meta, n int64) int {
		return cmp.Compare(m.Number, n)
	})
	if ok {
		return i, true
	}
	at, ok := p.added[number]
	return int(at), ok
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
		return cmp.Or(cmp.Compare(x.Parent, y.Parent), cmp.Compare(x.Seq, y.Seq))
	})
}

// firstTurn returns the position in turns of the first matched turn of a
// session at or after seq.
func (p *pool) firstTurn(session, seq int64) int {
	i, _ := slices.BinarySearchFunc(p.turns, store.Place{Parent: session, Seq: seq}, func(t int32, at store.Place) int {
		m := &p.passages[t]
		return cmp.Or(cmp.Compare(m.Parent, at.Parent), cmp.Compare(m.Seq, at.Seq))
	})
	return i
}
