package recall

import "strings"

// query is the question as features to match: its terms, then its phrases. A
// feature is known by its index.
type query struct {
	terms   []string   // index terms, to ask the store for
	phrases [][]string // index terms that follow each other
	words   []string   // each feature as it was written
	weights []float64  // of each feature, in [0,1]

	// What follows is known once the features were matched.
	df     []int64   // the number of passages that hold each feature
	idf    []float64 // the inverse document frequency of each feature, weighted
	sumIDF float64   // the most that a passage can reach
}

func newQuery(a Analysis) query {
	q := query{phrases: a.Phrases}
	for _, t := range a.Terms {
		if t.Weight > 0 {
			q.terms, q.words, q.weights = append(q.terms, t.Term), append(q.words, t.Word), append(q.weights, t.Weight)
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
