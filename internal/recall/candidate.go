package recall

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// candidate is a passage that may become a hit. Its score components lie in [0,1] and are
// not yet weighted.
type candidate struct {
	pool    *pool
	meta    store.Meta // Number is 0 while only the place of a turn is known
	matched int32      // index into the pool's passages; -1 if no feature matches

	own, around float64 // see Weights
	aroundReply float64 // the value of around if the turn before asks a question
	previous    int64   // number of the turn before; 0 if a question there would add nothing
	eventMatch  float64 // how well the passage matches the event that the question's time is relative to
	parent      float64
	closeness   float64 // see Weights
	tier        int     // the vector search tier that found it first; 3 if none did

	compared         bool // similarity and closeness are known
	similarity       float32
	modelSimilarity  float32 // cosine under the model that re-ranks
	boost            float64 // what modelSimilarity adds to closeness
	hasBuiltin       bool    // builtinCloseness is known
	builtinCloseness float64

	preScore float64 // the part of the score that does not need the text
	taken    bool    // chosen to be read and ranked
	*reading         // nil until the text is read
}

// reading holds what is known about a candidate once its text has been read.
type reading struct {
	item     store.Item
	shadowed bool // an earlier scope holds the same identity or slot
	score    float64
	why      strata.Why
	newer    *candidate // a later candidate that says nearly the same with another value

	supports      []float64 // how well it supports each term of the question; nil if not computed
	evidenceKnown bool      // evidence is known
	evidence      float64
}

// addCandidate adds a candidate for a passage and scores its words and its parent.
// matched is the index of the passage among the matched passages of p, or -1.
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

// place returns the place of a turn in its session, or of a section in its document.
func (c *candidate) place() store.Place { return placeOf(c.meta) }

func placeOf(m store.Meta) store.Place { return store.Place{Parent: m.Parent, Seq: m.Seq} }
