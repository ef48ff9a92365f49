package recall

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/recall/question"
)

// query is the question as features to match: its terms, then its phrases. A
// feature is known by its index.
type query struct {
	terms   []string   // index terms, to ask the store for
	phrases [][]string // index terms that follow each other
	words   []string   // each feature as it was written
	weights []float64  // of each feature, in [0,1]
	tags    []bool     // of each term, whether it is of a concept tag alone

	// What follows is known once the features were matched.
	df     []int64   // the number of passages that hold each feature
	idf    []float64 // the inverse document frequency of each feature, weighted
	sumIDF float64   // the most that a passage can reach
}

func newQuery(a question.Analysis) query {
	q := query{phrases: a.Phrases}
	for _, t := range a.Terms {
		if t.Weight > 0 {
			q.terms, q.words, q.weights = append(q.terms, t.Term), append(q.words, t.Word), append(q.weights, t.Weight)
			q.tags = append(q.tags, t.Tag)
		}
	}
	for _, p := range a.Phrases {
		q.words, q.weights = append(q.words, strings.Join(p, " ")), append(q.weights, phraseWeight)
	}
	q.df, q.idf = make([]int64, q.size()), make([]float64, q.size())
	return q
}

// size returns the number of features.
func (q *query) size() int { return len(q.words) }

// subquery is some of the features of the question.
type subquery struct {
	features []bool  // whether each feature of the question is one
	sumIDF   float64 // of those that are
}

// subquery returns the features that are among some terms.
func (q *query) subquery(terms []string) subquery {
	s := subquery{features: make([]bool, q.size())}
	for i, t := range q.terms {
		if slices.Contains(terms, t) {
			s.features[i] = true
			s.sumIDF += q.idf[i]
		}
	}
	return s
}

// score returns what is reached of the subquery, in [0,1], where each feature of
// the question contributes so much.
func (s *subquery) score(contributions []float64) float64 {
	if s.sumIDF == 0 {
		return 0
	}
	sum := 0.0
	for i, v := range contributions {
		if s.features[i] {
			sum += v
		}
	}
	return min(sum/s.sumIDF, 1)
}
