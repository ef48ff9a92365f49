package evidence

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
)

const (
	// minAsked is the evidence from which on a hit is shown, and minUnasked that of a
	// recall which nobody asked for, where a wrong hit costs more than a missing one.
	// Source: docs/ranking.md, which has the counts at other floors.
	minAsked   = 0.35
	minUnasked = 0.5

	// blandWeight is the weight of a word that is bland.
	blandWeight = 0.4
	// looseWeight is what a word counts, in [0,1], that answers often leave out,
	// where the passage does not have it: see [question.Expectation].
	looseWeight = 0.2
	// enoughOfFact and enoughOfOther are how many of its rarest words are as good as
	// all words of a question: a message of fifty is seldom answered by a text that
	// has half of them. A turn or section leaves more unsaid than a fact, which stands
	// alone.
	enoughOfFact  = 3
	enoughOfOther = 2
	// closeSupport is the evidence of a text that is as close as can be and shares no
	// word.
	closeSupport = 0.8
	// wrongKind is what is left of the evidence of a fact that does not hold what the
	// question asks for: no number where it asks how many.
	wrongKind = 0.1
)

// Floor returns the evidence that a hit needs for an answer to the query, in [0,1].
// What has less is no hit unless the query asks for All, and does not count as found
// even then.
func Floor(q strata.Query) float64 {
	if q.Automatic {
		return minUnasked
	}
	return minAsked
}

// Question is what evidence is asked for: the terms of a question, and what its
// answer should hold.
type Question struct {
	Words  []string  // each term as it was written, in lower case
	Rarity []float64 // of each its inverse document frequency, weighed; where no passage holds it, that of a word in one
	Tags   []bool    // of each, whether it comes from a concept tag and is no word of the question
	// Expected is what the question lets expect of its answer.
	Expected *question.Expectation
}

// Passage is what may hold an answer.
type Passage struct {
	// Support is how far it holds each term of the question, in [0,1], what is said
	// near it included.
	Support []float64
	// Fact is the text of a fact; empty for other passages.
	Fact string
	// Closeness is how near it is to the question in meaning, in [0,1].
	Closeness float64
}

// Of returns how much a passage holds of what the question asks for, in [0,1]. Each
// word of the question counts by its rarity.
func (q *Question) Of(p Passage) float64 {
	held, asked, rarest := 0.0, 0.0, 0.0
	for i, s := range p.Support {
		if q.Tags[i] {
			continue
		}
		weight := q.Rarity[i]
		if question.Bland(q.Words[i]) {
			weight *= blandWeight
		}
		rarest = max(rarest, weight)
		held += weight * s
		if q.Expected.Optional(q.Words[i]) {
			weight *= s + (1-s)*looseWeight
		}
		asked += weight
	}
	enough := enoughOfOther * rarest
	if p.Fact != "" {
		enough = enoughOfFact * rarest
	}
	words := 0.0
	if asked > 0 {
		words = min(held/min(asked, enough), 1)
	}
	evidence := 1 - (1-words)*(1-closeSupport*p.Closeness*p.Closeness)
	if p.Fact != "" && !q.Expected.HeldBy(p.Fact) {
		evidence *= wrongKind
	}
	return evidence
}
