package evidence

import (
	"slices"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
)

const (
	// minCovered is the fraction of the question's words in a passage, weighted by
	// rarity, that other passages must cover to replace it.
	minCovered = 0.8
	// coveredFrom is the least support at which a passage has a word.
	coveredFrom = 0.5
)

// Covers reports whether some passages, given by their support in by, together hold as
// much of the question as another passage that holds the given terms.
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

// naming are the words that ask for a name. A turn may say "called" where the fact
// learned from it says "named".
var naming = text.WordSet(`called call name named names`)
