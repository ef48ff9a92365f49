package recall

import (
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// The score of a hit orders what one question finds. It does not say whether the
// first of them answers: of a question that memory cannot answer the best hit has a
// score, too. Evidence says that, on one scale for all questions and sizes of
// memory: the share of what the question asks for that the hit holds.

const (
	// minEvidence is the evidence from which on a hit is shown, and minUnasked that
	// of a recall which nobody asked for, where a wrong hit costs more than a missing
	// one. Source: docs/ranking.md, which has the counts at other floors.
	minEvidence = 0.35
	minUnasked  = 0.5

	// neighborSupport and parentSupport are what a word counts, in [0,1], that not the
	// passage itself holds, but a turn near it, or its session or document.
	neighborSupport = 0.5
	parentSupport   = 0.9
	// shortParent is up to how many turns or sections a session or document supports
	// each of them so: a word anywhere in hundreds tells nothing of one.
	shortParent = 50
	// unrelatedWords and sameWords are the cosines of two words, by the built-in
	// embedder, up to which they have nothing to do with each other, and from which
	// one stands for the other as far as nearSupport says.
	unrelatedWords = 0.2
	sameWords      = 0.7
	nearSupport    = 0.9
	// looseWeight is what a word counts, in [0,1], that answers often leave out,
	// where the passage does not have it: see [expectation].
	looseWeight = 0.2
	// enoughOfFact and enoughOfTurn are how many of its rarest words are as good as
	// all words of a question: a message of fifty is seldom answered by a text that
	// has half of them. A turn or section leaves more unsaid than a fact, which stands
	// alone.
	enoughOfFact = 3
	enoughOfTurn = 2
	// closeSupport is the evidence of a text that is as close as can be and shares no
	// word.
	closeSupport = 0.8
	// wrongKind is what is left of the evidence of a fact that does not hold what the
	// question asks for: no number where it asks how many.
	wrongKind = 0.1
	// maxCompareWords is how many words of a text are compared to those that it lacks.
	maxCompareWords = 64
)

// Floor returns the evidence that a hit needs for an answer to the query, in [0,1].
// What has less is no hit unless the query asks for All, and does not count as found
// even then.
func Floor(q strata.Query) float64 {
	if q.Automatic {
		return minUnasked
	}
	return minEvidence
}

// evidenceOf returns the evidence of a candidate that was read, and remembers it.
func (f *finder) evidenceOf(c *candidate) float64 {
	if !c.evidenceKnown {
		c.evidence, c.evidenceKnown = f.evidence(c), true
	}
	return c.evidence
}

// evidence returns how much a candidate that was read holds of what the question
// asks for, in [0,1]. Each word of the question counts by its rarity, one that no
// passage holds as much as one that a single passage holds.
func (f *finder) evidence(c *candidate) float64 {
	support := f.supportOf(c)
	held, asked, rarest := 0.0, 0.0, 0.0
	for i, s := range support {
		weight := f.query.idf[i]
		if f.query.weights[i] <= tagWeight {
			continue // not a word of the question
		}
		if bland[f.query.words[i]] {
			weight *= genericWeight
		}
		rarest = max(rarest, weight)
		held += weight * s
		if f.expected.loose[f.query.words[i]] {
			weight *= s + (1-s)*looseWeight
		}
		asked += weight
	}
	enough := enoughOfTurn * rarest
	if c.item.Fact != nil {
		enough = enoughOfFact * rarest
	}
	words := 0.0
	if asked > 0 {
		words = min(held/min(asked, enough), 1)
	}
	evidence := 1 - (1-words)*(1-closeSupport*c.closeness*c.closeness)
	if fact := c.item.Fact; fact != nil && !f.expected.heldBy(fact.Text) {
		evidence *= wrongKind
	}
	return evidence
}

// bland are words that say little of what a question is about, however rare they
// are in a memory, beside those that are generic in every question.
var bland = text.WordSet(`own favorite favourite best good new old big last first next year month week day time
	number use get make want need like go take have keep`)

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
		return f.answer
	}
	return 1
}

// supportNear raises the support of the terms that a candidate lacks by its words
// that are near them in meaning or spelling. For a turn what was said around it tells
// as much. Of a question that is a whole message it compares none: there are many,
// and each says little.
func (f *finder) supportNear(c *candidate, support []float64) {
	lacks := func(s float64) bool { return s < nearSupport }
	if f.message || c.item.Turn != nil && c.meta.Speech != store.SpeechUser || !slices.ContainsFunc(support, lacks) {
		return
	}
	var words []string
	said := indexedText(c.item)
	if c.item.Fact != nil { // its entity and attribute are no words of anybody
		said = c.item.Fact.Text
	}
	for _, w := range text.Words(text.Head(said, maxDated)) {
		if len(words) == maxCompareWords {
			break
		}
		if !text.IsStop(w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	embedder := f.builtinEmbedder()
	for i, s := range support {
		if !lacks(s) || f.query.weights[i] <= tagWeight {
			continue
		}
		asked, nearest := embedder.Word(f.query.words[i]), float32(0)
		for _, w := range words {
			nearest = max(nearest, vector.Dot(asked, embedder.Word(w)))
		}
		near := (float64(nearest) - unrelatedWords) / (sameWords - unrelatedWords)
		support[i] = max(s, nearSupport*min(near, 1))
	}
}
