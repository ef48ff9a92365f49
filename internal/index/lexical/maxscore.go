package lexical

import (
	"cmp"
	"math"
	"slices"

	"github.com/strata-memory/strata/internal/base/topk"
	"github.com/strata-memory/strata/store"
)

const (
	// largeScope is the number of passages from which a search of a scope may skip
	// terms and passages. In a smaller scope, looking up how common the terms are costs
	// as much as it saves.
	largeScope = 2000
	// maxTerms is the largest number of terms in a query that may skip any.
	maxTerms = 32
	// enough is how many passages the essential terms should find.
	enough = 150
)

// maxScore decides which terms are essential: a passage is found only if it holds
// one of them, and the other terms are then counted in the passages found. In a
// large scope, returning a passage costs far more than finding it, and nearly all
// passages that hold only common terms would be returned in vain (MaxScore: Turtle
// and Flood, Query evaluation: strategies and optimizations, 1995).
type maxScore struct {
	bm25
	options   store.MatchOptions
	counts    []int64 // passages of the scope that hold each term
	order     []int32 // the terms, the rarest first
	essential int     // how many terms at the start of order are essential
	all       bool    // all terms are essential, and nothing is left out
}

// newMaxScore chooses the essential terms of a query; counts has the number of
// passages that hold each term. They are the rarest terms that together find enough
// passages, or all terms if the query leaves nothing out.
func newMaxScore(q *Query, counts []int64) *maxScore {
	m := &maxScore{bm25: newBM25(counts, q.total), options: q.options, counts: counts, order: make([]int32, len(counts))}
	for i := range m.order {
		m.order[i] = int32(i)
	}
	if !q.leavesOut() {
		m.all, m.essential, m.options = true, len(counts), store.MatchOptions{}
		return m
	}
	slices.SortStableFunc(m.order, func(a, b int32) int { return cmp.Compare(counts[a], counts[b]) })
	for found := int64(0); m.essential < len(m.order) && found < enough; m.essential++ {
		// Once there is something to rank, a term that would add far more than is
		// missing is not worth it.
		n := counts[m.order[m.essential]]
		if found >= enough/4 && n > 2*enough {
			break
		}
		found += n
	}
	return m
}

// terms returns the essential terms.
func (m *maxScore) terms() []int32 { return m.order[:m.essential] }

// widen makes more terms essential if the ones so far may have missed a passage that
// belongs among the best: one that holds only the other terms, whose total weight
// exceeds that of the terms in the last of the best. It reports whether it added
// any. hits has the hits of each term among the passages found.
func (m *maxScore) widen(passages int, hits [][]store.TermHit) bool {
	if m.options.Best <= 0 || m.essential == len(m.order) {
		return false
	}
	missed := 0.0 // the upper bound of a passage that holds only other terms
	for _, term := range m.order[m.essential:] {
		missed += m.weights[term]
	}
	least, before := m.leastOfBest(passages, hits), m.essential
	for m.essential < len(m.order) && missed > least {
		missed -= m.weights[m.order[m.essential]]
		m.essential++
	}
	return m.essential > before
}

// leastOfBest returns the weight of the terms in the last of the best passages, or 0
// if fewer were found than the query wants.
func (m *maxScore) leastOfBest(passages int, hits [][]store.TermHit) float64 {
	n := m.options.Best
	if passages < n {
		return 0
	}
	sums := make([]float64, passages)
	for term, list := range hits {
		for _, h := range list {
			sums[h.Passage] += m.weights[term]
		}
	}
	topk.Select(sums, n, func(a, b float64) int { return cmp.Compare(b, a) })
	return slices.Min(sums[:n])
}

// frequency returns how many passages hold a term, given how many of those found do.
func (m *maxScore) frequency(term int, found, total int64) int64 {
	if m.all {
		return found
	}
	return max(found, min(m.counts[term], total))
}

// bm25 scores passages by their terms to choose which ones are returned. Ranking has
// weights of its own.
type bm25 struct {
	weights []float64 // inverse document frequency of each term
	mean    float64   // average number of words in a passage
}

func newBM25(counts []int64, total Total) bm25 {
	b := bm25{make([]float64, len(counts)), max(1, float64(total.Words)/float64(max(1, total.Passages)))}
	for i, n := range counts {
		b.weights[i] = math.Log1p(float64(max(total.Passages-n, 0)) / (float64(n) + 0.5))
	}
	return b
}

// part returns what a term contributes to the score of a passage, given how often
// the passage holds it and the passage's length in words. It is less than the term's
// weight. The constants are the usual ones (Robertson and Zaragoza, The
// Probabilistic Relevance Framework, 2009).
func (b bm25) part(term int, count int32, words int32) float64 {
	const k1, lengths = 1.2, 0.75
	n := float64(count)
	return b.weights[term] * n / (n + k1*(1-lengths+lengths*float64(words)/b.mean))
}

// cut keeps the passages with the best scores, up to the limit; of passages with
// equal scores it keeps the newer. It updates hits, which has the hits of each term,
// to match.
func (m *maxScore) cut(passages []store.Meta, hits [][]store.TermHit) []store.Meta {
	limit := m.options.Limit
	if limit <= 0 || len(passages) <= limit {
		return passages
	}
	scores := make([]float64, len(passages))
	for term, list := range hits {
		for _, h := range list {
			scores[h.Passage] += m.part(term, h.Count, passages[h.Passage].Words)
		}
	}
	order := make([]int32, len(passages))
	for i := range order {
		order[i] = int32(i)
	}
	topk.Select(order, limit, func(a, b int32) int {
		if scores[a] != scores[b] {
			return cmp.Compare(scores[b], scores[a])
		}
		return cmp.Compare(b, a) // passages ascend by number
	})
	stays := make([]bool, len(passages))
	for _, i := range order[:limit] {
		stays[i] = true
	}
	to := make([]int32, len(passages))
	left := passages[:0]
	for i, p := range passages {
		if stays[i] {
			to[i] = int32(len(left))
			left = append(left, p)
		}
	}
	for term, list := range hits {
		mine := list[:0]
		for _, h := range list {
			if stays[h.Passage] {
				mine = append(mine, store.TermHit{Passage: to[h.Passage], Count: h.Count})
			}
		}
		hits[term] = mine
	}
	return left
}
