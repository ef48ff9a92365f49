package recall

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

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
	second      float32 // the cosine by a model beside the first queryEmbedding
	added       float64 // what that adds to the closeness
	builtin     float64 // closeness by the built-in embedder, where it stands in for the model
	judged      bool    // it does
	tier        int
	rough       float64 // the score as far as known before texts are read

	*reading // nil until it is read
}

// reading is what is known of a candidate that was read. Few are.
type reading struct {
	item     store.Item
	shadowed bool // a document of a scope before it stands in front of it
	score    float64
	why      strata.Why
}

// propose makes a candidate of a passage and scores it as far as words and
// parent go.
func (f *finder) propose(p *pool, m store.Meta) *candidate {
	c := f.candidate(p, m)
	f.readAround(c)
	return c
}

// candidate makes a candidate of a passage whose words are not scored yet.
func (f *finder) candidate(p *pool, m store.Meta) *candidate {
	c := f.newCandidate()
	c.pool, c.meta, c.tier = p, m, 3
	c.parent = p.parents[m.Parent].relevance(f.w)
	f.cands = append(f.cands, c)
	if m.Number != 0 {
		p.cands[m.Number] = c
	}
	return c
}

// newCandidate returns an empty candidate. Some hundred are made for a
// question, many at once.
func (f *finder) newCandidate() *candidate {
	if len(f.blank) == 0 {
		f.blank = make([]candidate, 64)
	}
	c := &f.blank[0]
	f.blank = f.blank[1:]
	return c
}
