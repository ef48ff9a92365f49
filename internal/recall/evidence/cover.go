package evidence

import (
	"slices"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
)

const (
	// minCovered is the part of the question's words that a passage holds, by rarity,
	// of which others must have as much to take its place.
	minCovered = 0.8
	// coveredFrom is the support from which on a passage has a word.
	coveredFrom = 0.5
)

// Covers reports whether some passages, of which the support is given, have together
// what another has of the question: some of its terms.
func (q *Question) Covers(terms []int, by [][]float64) bool {
	held, covered := 0.0, 0.0
	for _, i := range terms {
		if q.Tags[i] {
			continue
		}
		weight, word := q.Rarity[i], q.Words[i]
		if q.Expected.Optional(word) || question.Bland(word) || q.Expected.AsksName() && naming[word] {
			weight *= looseWeight
		}
		held += weight
		if slices.ContainsFunc(by, func(support []float64) bool { return support[i] >= coveredFrom }) {
			covered += weight
		}
	}
	return covered >= minCovered*held
}

// naming are the words by which a name is asked for: one turn says "called", a fact that
// was learnt from it "named".
var naming = text.WordSet(`called call name named names`)
