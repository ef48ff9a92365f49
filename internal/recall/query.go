package recall

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/recall/question"
)

// query is the question as a list of features to match: its terms, then its phrases. Each
// feature is identified by its index in this list.
type query struct {
	terms   []string   // index terms to look up in the store
	phrases [][]string // index terms that must follow one another
	words   []string   // each feature as it was written
	weights []float64  // weight of each feature, in [0,1]
	tags    []bool     // for each term, whether it comes only from a concept tag

	// The fields below are set once the features have been matched.
	df     []int64   // the number of passages that hold each feature
	idf    []float64 // the inverse document frequency of each feature, weighted
	sumIDF float64   // the highest score that a passage can reach
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

// subquery is a subset of the features of a question.
type subquery struct {
	features []bool  // for each feature of the question, whether it is included
	sumIDF   float64 // sum of the idf of the included features
}

// subquery returns the subquery of the features that are among the given terms.
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

// score returns the fraction of the subquery that is matched, in [0,1], given the
// contribution of each feature of the question.
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
