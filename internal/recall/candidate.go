package recall

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// candidate is a passage that may become a hit. Its components lie in [0,1] and
// are not weighted.
type candidate struct {
	pool    *pool
	meta    store.Meta // Number is 0 for a turn known by its place alone
	matched int32      // index into the pool's passages; -1 if no feature matches

	own, around float64 // see Weights
	aroundReply float64 // what around is if the turn before asks a question
	previous    int64   // number of that turn; 0 where its question would add nothing
	eventMatch  float64 // how well it matches the event from which the question counts a time
	parent      float64
	closeness   float64 // see Weights
	tier        int     // of the vector search that found it first; 3 if none did

	compared         bool // similarity, and closeness with it, is known
	similarity       float32
	modelSimilarity  float32 // the cosine by the model that re-ranks
	boost            float64 // what that adds to the closeness
	hasBuiltin       bool    // the next is known
	builtinCloseness float64

	preScore float64 // the score as far as it is known without the text
	taken    bool    // to be read and ranked
	*reading         // nil until the text is read
}

// reading is what is known of a candidate whose text was read.
type reading struct {
	item     store.Item
	shadowed bool // something of an earlier scope has the same identity or slot
	score    float64
	why      strata.Why
	newer    *candidate // says nearly the same with another value, and later

	supports      []float64 // how far it holds each term of the question; nil if not known
	evidenceKnown bool      // the next is
	evidence      float64
}

// addCandidate makes a candidate of a passage, with what is known of its words
// and its parent. matched is its index among the matched passages of the pool, or
// -1.
func (f *finder) addCandidate(p *pool, m store.Meta, matched int32) *candidate {
	if len(f.unused) == 0 {
		f.unused = make([]candidate, 64)
	}
	c := &f.unused[0]
	f.unused = f.unused[1:]
	*c = candidate{pool: p, meta: m, matched: matched, tier: 3, parent: p.parents[m.Parent].relevance(f.w)}
	f.scoreWords(c)
	f.cands = append(f.cands, c)
	if m.Number != 0 {
		p.cands[m.Number] = c
	}
	return c
}

// place returns where a turn is in its session, or a section in its document.
func (c *candidate) place() store.Place { return placeOf(c.meta) }

func placeOf(m store.Meta) store.Place { return store.Place{Parent: m.Parent, Seq: m.Seq} }
