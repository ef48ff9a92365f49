package recall

import (
	"math"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/evidence"
	"github.com/strata-memory/strata/store"
)

const (
	// neighborSupport and parentSupport are the weights, in [0,1], of a word that is not
	// in the passage itself but in a turn near it, or in its session or document.
	neighborSupport = 0.5
	parentSupport   = 0.9
	// shortParent is the most turns or sections of a session or document that supports
	// each of them in full. A word somewhere in hundreds of turns says nothing about a
	// single one.
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

// supportOf returns how well a candidate that was read supports each term of the
// question, in [0,1], including words of similar meaning, and caches it.
func (f *finder) supportOf(c *candidate) []float64 {
	if c.supports == nil {
		c.supports = f.support(c)
		f.supportNear(c, c.supports)
	}
	return c.supports
}

// support returns how well a candidate supports each term of the question, in [0,1], by
// its own text, the turns near it, and its session or document. A match that the ranking
// counts as a fraction, such as a synonym, is stronger evidence than that fraction.
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

// neighborShare returns how much a word in a turn supports the turns near it, in [0,1].
// Assistants write at length, so a word of theirs counts as little as in the ranking.
func (f *finder) neighborShare(m *store.Meta) float64 {
	if m.Speech == store.SpeechAssistant {
		return f.answerWeight
	}
	return 1
}

// supportNear raises the support of terms that a candidate lacks, by its words that are
// close to them in meaning or spelling. It skips turns other than those of users, which
// the turns around them support as well, and questions that are a whole message, whose
// many words say little each.
func (f *finder) supportNear(c *candidate, support []float64) {
	if f.message || c.item.Turn != nil && c.meta.Speech != store.SpeechUser || evidence.Complete(support) {
		return
	}
	said := ""
	if fact := c.item.Fact; fact != nil { // nobody said its entity and attribute
		said = fact.Text
	} else {
		said = indexedText(c.item)
	}
	f.asked.SupportNear(support, said, f.builtinEmbedder())
}
