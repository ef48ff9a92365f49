package evidence

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
)

const (
	// minAsked is the least evidence of a hit. minUnasked is the same for an automatic
	// recall, where a wrong hit costs more than a missing one. Source: docs/ranking.md,
	// which has the counts for other floors.
	minAsked   = 0.35
	minUnasked = 0.5

	// blandWeight is the weight of a bland word.
	blandWeight = 0.4
	// looseWeight is the weight, in [0,1], of a word that the passage lacks and that
	// answers often leave out: see [question.Expectation].
	looseWeight = 0.2
	// enoughOfFact and enoughOfOther are how many words, each as rare as the rarest of a
	// question, are as good as all of its words: a text seldom has half of a message of
	// fifty words, even if it answers. A turn or section leaves more unsaid than a fact,
	// which stands alone.
	enoughOfFact  = 3
	enoughOfOther = 2
	// closeSupport is the evidence of a text that has the highest closeness and shares no
	// word with the question.
	closeSupport = 0.8
	// wrongKind is the factor for a fact that lacks what the question asks for, such as a
	// number if it asks how many.
	wrongKind = 0.1
)

// Floor returns the least evidence of a hit for the query, in [0,1]. A passage with less
// is a hit only if the query asks for All, and even then does not count as found.
func Floor(q strata.Query) float64 {
	if q.Automatic {
		return minUnasked
	}
	return minAsked
}

// Question is what evidence is measured against: the terms of a question, and what its
// answer should hold.
type Question struct {
	Words  []string  // each term as it was written, in lower case
	Rarity []float64 // weighted inverse document frequency of each term; a term that no passage holds counts as held by one
	Tags   []bool    // for each term, whether it comes only from a concept tag
	// Expected is what the question implies about its answer.
	Expected *question.Expectation
}

// Passage is a passage that may hold an answer.
type Passage struct {
	// Support is how well the passage supports each term of the question, in [0,1],
	// including what is said near it.
	Support []float64
	// Fact is the text of a fact; empty for other passages.
	Fact string
	// Closeness is how close the passage is to the question in meaning, in [0,1].
	Closeness float64
}

// Of returns how much of what the question asks for a passage holds, in [0,1]. Each word
// of the question is weighted by its rarity.
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
