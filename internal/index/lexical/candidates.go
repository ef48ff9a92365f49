package lexical

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/strata-memory/strata/internal/base/topk"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// candidates are the passages that a search of posting lists found.
type candidates struct {
	ordinals []uint32 // ascending
	words    []uint32 // word counts of the passages, in the same order
	bits     bitset   // a bit is set for each of the ordinals
	before   []uint32 // how many candidates come before each word of bits

	scores, best []float32       // scratch memory for prune
	hits         []store.TermHit // scratch memory for hitsOf
}

// index returns the position of an ordinal among the candidates.
func (c *candidates) index(ordinal uint32) (i uint32, ok bool) {
	word, bit := c.bits[ordinal/64], uint64(1)<<(ordinal%64)
	return c.before[ordinal/64] + uint32(bits.OnesCount64(word&(bit-1))), word&bit != 0
}

// find replaces the candidates with the passages that are in any of the lists and
// pass a filter.
func (c *candidates) find(s *passages, lists []*postingList, f *passage.Filter) {
	words := (len(s.list) + 63) / 64
	c.ordinals, c.words = c.ordinals[:0], c.words[:0]
	c.before = slices.Grow(c.before[:0], words)[:words]
	c.bits = slices.Grow(c.bits[:0], words)[:words]
	clear(c.bits)
	for _, l := range lists {
		for _, p := range l.seen(s) {
			c.bits.set(p.ordinal())
		}
	}
	allFacts := f.PassesAllFacts()
	for i, word := range c.bits {
		if i < len(s.deleted) {
			word &^= s.deleted[i]
		}
		c.before[i] = uint32(len(c.ordinals))
		for rest := word; rest != 0; rest &= rest - 1 {
			at := uint32(i*64 + bits.TrailingZeros64(rest))
			words := uint32(s.lengths[at])
			if words == manyWords || !allFacts {
				p := &s.list[at]
				if words = p.words >> wordShift; !p.passes(s.scope, f) {
					word &^= 1 << (at % 64)
					continue
				}
			}
			c.ordinals, c.words = append(c.ordinals, at), append(c.words, words)
		}
		c.bits[i] = word
	}
}

// prune keeps only the candidates with the best scores, including ties, if there are
// more than twice as many as the limit: returning the others would cost more than
// scoring them.
func (m *maxScore) prune(c *candidates, lists []*postingList, s *passages) {
	n, limit := len(c.ordinals), m.options.Limit
	if limit <= 0 || n/2 <= limit {
		return
	}
	c.scores = slices.Grow(c.scores[:0], n)[:n]
	clear(c.scores)
	for term, l := range lists {
		m.addScores(c, l, s, term)
	}
	c.best = append(c.best[:0], c.scores...)
	topk.Select(c.best, limit, func(a, b float32) int { return cmp.Compare(b, a) })
	const rounding = 1e-4 // relative error of sums of float32
	c.keep(slices.Min(c.best[:limit]) * (1 - rounding))
}

// addScores adds what a term contributes to the score of each candidate.
func (m *maxScore) addScores(c *candidates, l *postingList, s *passages, term int) {
	var once [64]float32 // by word count: the score of a passage that holds the term once
	for words := range once {
		once[words] = float32(m.part(term, 1, int32(words)))
	}
	for _, p := range l.seen(s) {
		i, ok := c.index(p.ordinal())
		if !ok {
			continue
		}
		if words := c.words[i]; p&manyTimes == 1 && words < uint32(len(once)) {
			c.scores[i] += once[words]
		} else {
			c.scores[i] += float32(m.part(term, l.count(p), int32(words)))
		}
	}
}

// keep drops the candidates that score less than least.
func (c *candidates) keep(least float32) {
	kept := c.ordinals[:0]
	clear(c.bits)
	for i, at := range c.ordinals {
		if c.scores[i] >= least {
			kept = append(kept, at)
			c.bits.set(at)
		}
	}
	c.ordinals, c.words = kept, c.words[:0]
	before := uint32(0)
	for i, word := range c.bits {
		c.before[i] = before
		before += uint32(bits.OnesCount64(word))
	}
}

// hitsOf fills in the hits of each list among the candidates. They are valid until
// the next call.
func (c *candidates) hitsOf(lists []*postingList, s *passages, hits [][]store.TermHit) {
	c.hits = c.hits[:0]
	for i, l := range lists {
		first := len(c.hits)
		c.addHits(l, s)
		hits[i] = c.hits[first:len(c.hits):len(c.hits)]
	}
}

// addHits appends the hits of one list.
func (c *candidates) addHits(l *postingList, s *passages) {
	// Looking at a posting costs a tenth of searching for one.
	const often = 16
	rest := l.seen(s)
	if len(rest) <= often*len(c.ordinals) {
		for _, p := range rest {
			if i, ok := c.index(p.ordinal()); ok {
				c.hits = append(c.hits, store.TermHit{Passage: int32(i), Count: l.count(p)})
			}
		}
		return
	}
	for i, at := range c.ordinals {
		rest = rest[gallop(len(rest), func(j int) bool { return rest[j].ordinal() >= at }):]
		if len(rest) == 0 {
			return
		}
		if rest[0].ordinal() == at {
			c.hits = append(c.hits, store.TermHit{Passage: int32(i), Count: l.count(rest[0])})
		}
	}
}
