package recall

import (
	"math"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/evidence"
	"github.com/strata-memory/strata/store"
)

const (
	// neighborSupport and parentSupport are what a word counts, in [0,1], that not the
	// passage itself holds, but a turn near it, or its session or document.
	neighborSupport = 0.5
	parentSupport   = 0.9
	// shortParent is up to how many turns or sections a session or document supports
	// each of them so: a word anywhere in hundreds tells nothing of one.
	shortParent = 50
)

// evidenceOf returns the evidence of a candidate that was read, and remembers it.
func (f *finder) evidenceOf(c *candidate) float64 {
	if !c.evidenceKnown {
		p := evidence.Passage{Support: f.supportOf(c), Closeness: c.closeness}
		if fact := c.item.Fact; fact != nil {
			p.Fact = fact.Text
		}
		c.evidence, c.evidenceKnown = f.asked.Of(p), true
	}
	return c.evidence
}

// supportOf returns how far a candidate that was read holds each term of the
// question, in [0,1], words that are near it included, and remembers it.
func (f *finder) supportOf(c *candidate) []float64 {
	if c.supports == nil {
		c.supports = f.support(c)
		f.supportNear(c, c.supports)
	}
	return c.supports
}

// support returns how far a candidate holds each term of the question, in [0,1]: in
// its own text, near it or in its session or document. What counts a part of a word
// in the ranking, as a synonym does, is better evidence than that part says.
func (f *finder) support(c *candidate) []float64 {
	out := make([]float64, len(f.query.terms))
	hold := func(freqs []termFreq, share float64) {
		for _, t := range freqs {
			if int(t.feature) < len(out) {
				out[t.feature] = max(out[t.feature], share*math.Sqrt(min(float64(t.count), 1)))
			}
		}
	}
	p := c.pool
	if c.matched >= 0 {
		hold(p.freqs[c.matched], 1)
	}
	if c.meta.Kind == strata.KindTurn {
		w := f.w.turn(c.meta.Speech)
		first := store.Place{Parent: c.meta.Parent, Seq: c.meta.Seq - int64(len(w.Before))}
		for _, at := range p.turns[p.firstTurn(first):] {
			if m := &p.passages[at]; m.Parent != c.meta.Parent || m.Seq > c.meta.Seq+int64(len(w.After)) {
				break
			}
			hold(p.freqs[at], neighborSupport*f.neighborShare(&p.passages[at]))
		}
	}
	if par := p.parents[c.meta.Parent]; par != nil && par.counts != nil && c.meta.Kind != strata.KindFact {
		share := parentSupport * min(1, shortParent/max(float64(par.info.Passages), 1))
		for i := range out {
			out[i] = max(out[i], share*math.Sqrt(min(par.counts[i], 1)))
		}
	}
	return out
}

// neighborShare returns what of a word in a turn supports the turns near it: in an
// answer of an assistant, which says much, as little as for the ranking.
func (f *finder) neighborShare(m *store.Meta) float64 {
	if m.Speech == store.SpeechAssistant {
		return f.answerWeight
	}
	return 1
}

// supportNear raises the support of the terms that a candidate lacks by its words
// that are near them in meaning or spelling. For a turn what was said around it tells
// as much. Of a question that is a whole message it compares none: there are many,
// and each says little.
func (f *finder) supportNear(c *candidate, support []float64) {
	if f.message || c.item.Turn != nil && c.meta.Speech != store.SpeechUser || evidence.Complete(support) {
		return
	}
	said := ""
	if fact := c.item.Fact; fact != nil { // its entity and attribute are no words of anybody
		said = fact.Text
	} else {
		said = indexedText(c.item)
	}
	f.asked.SupportNear(support, said, f.builtinEmbedder())
}
