package lexical

import (
	"cmp"
	"math"
	"slices"

	"github.com/strata-memory/strata/internal/base/topk"
	"github.com/strata-memory/strata/store"
)

const (
	// largeScope is the number of passages of a scope from which anything is left
	// out. In a smaller one, looking up how common terms are costs as much as it
	// saves.
	largeScope = 2000
	// maxTerms is the most terms of a question for which anything is left out.
	maxTerms = 32
	// enough is how many passages essential terms find, as a rule.
	enough = 150
)

// maxScore says which terms are essential: a passage must hold one of them to be
// found. The others are looked for in what these find. In a large scope a passage
// costs far more to hand over than to find, and nearly all that hold only common
// terms would be handed over in vain (MaxScore: Turtle and Flood, Query evaluation:
// strategies and optimizations, 1995).
type maxScore struct {
	bm25
	options   store.MatchOptions
	counts    []int64 // passages of the scope that hold each term
	order     []int32 // the terms, the rarest first
	essential int     // so many of them, from the first
	all       bool    // every term is essential, and nothing is left out
}

// newMaxScore parts the terms of a query, each of which so many passages hold,
// where the query leaves anything out. Then rare terms that find enough are
// essential.
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
		// A term that would bring far more than is missing is not worth it where
		// there is something to rank already.
		n := counts[m.order[m.essential]]
		if found >= enough/4 && n > 2*enough {
			break
		}
		found += n
	}
	return m
}

// terms are the essential ones.
func (m *maxScore) terms() []int32 { return m.order[:m.essential] }

// widen makes more terms essential if fewer than the best that are wanted were
// found that each hold terms of more weight than all others together have: one
// that holds only those might belong among them. It reports whether it did; hits
// are those of each term among the passages found.
func (m *maxScore) widen(passages int, hits [][]store.TermHit) bool {
	if m.options.Best <= 0 || m.essential == len(m.order) {
		return false
	}
	missed := 0.0 // the upper bound of what only others hold
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

// leastOfBest is the weight of the terms that the last of the best passages
// holds; 0 if there are fewer than are wanted.
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

// frequency is how many passages hold a term of which so many were found.
func (m *maxScore) frequency(term int, found, total int64) int64 {
	if m.all {
		return found
	}
	return max(found, min(m.counts[term], total))
}

// bm25 is what passages score by their terms, for the choice of those that are
// handed over; ranking has weights of its own.
type bm25 struct {
	weights []float64 // of the terms: their inverse document frequency
	mean    float64   // words of a passage
}

func newBM25(counts []int64, total Total) bm25 {
	b := bm25{make([]float64, len(counts)), max(1, float64(total.Words)/float64(max(1, total.Passages)))}
	for i, n := range counts {
		b.weights[i] = math.Log1p(float64(max(total.Passages-n, 0)) / (float64(n) + 0.5))
	}
	return b
}

// part is what a passage of so many words scores by a term that it holds so
// often. It is below the term's weight. The constants are the usual ones
// (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
func (b bm25) part(term int, count int32, words int32) float64 {
	const k1, lengths = 1.2, 0.75
	n := float64(count)
	return b.weights[term] * n / (n + k1*(1-lengths+lengths*float64(words)/b.mean))
}

// cut leaves the passages that score best, no more than the limit; of equals the
// newer. hits are those of each term.
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
