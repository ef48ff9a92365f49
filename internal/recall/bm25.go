package recall

import (
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// background is the number of passages without any word of the question that
// weighFeatures adds to those of the view. Without them, the only fact of a view would
// match nothing, since every word of it would be in all passages.
const background = 50

// weighFeatures sets the inverse document frequency of each feature over all scopes of
// the view. It treats a feature that no passage holds as if one passage held it.
func (f *finder) weighFeatures() {
	q := &f.query
	words := 0.0
	for _, p := range f.pools {
		words += float64(p.words)
	}
	f.meanLength = max(words/max(f.passages(), 1), 1)
	n := f.passages() + background
	for i, df := range q.df {
		q.idf[i] = q.weights[i] * idf(n, float64(max(df, 1)))
	}
	for i, phrase := range q.phrases {
		sum := 0.0
		for _, term := range phrase {
			if at := slices.Index(q.terms, term); at >= 0 {
				sum += q.idf[at]
			}
		}
		q.idf[len(q.terms)+i] = phraseWeight * sum
	}
	for _, v := range q.idf {
		q.sumIDF += v
	}
	for _, terms := range f.req.Analysis.Subquestions {
		if s := q.subquery(terms); s.sumIDF > 0 && s.sumIDF < q.sumIDF {
			f.subqueries = append(f.subqueries, s)
		}
	}
	if r := f.req.Analysis.Relative; r != nil {
		f.event = q.subquery(r.Terms)
	}
}

// bm25 returns the BM25 score of the i-th matched passage of p over all features, divided
// by the highest score that a passage can reach.
func (f *finder) bm25(p *pool, i int32) float64 {
	if f.query.sumIDF == 0 {
		return 0
	}
	sum := 0.0
	for _, t := range p.freqs[i] {
		sum += f.featureScore(t, &p.passages[i])
	}
	return sum / f.query.sumIDF
}

// featureScore returns what one feature adds to the BM25 score of a passage.
func (f *finder) featureScore(t termFreq, m *store.Meta) float64 {
	k1, b, weight := f.w.K1, f.w.B, f.query.idf[t.feature]
	if m.Kind == strata.KindTurn {
		w := f.w.turn(m.Speech)
		k1, b = w.K1, w.B
		if m.Speech == store.SpeechAssistant {
			weight *= f.answerWeight
		}
	}
	return weight * saturate(float64(t.count), float64(m.Words), f.meanLength, k1, b)
}

// idf returns the inverse document frequency of a term that df of n passages hold. It is
// never below 0.
func idf(n, df float64) float64 {
	return math.Log1p((max(n-df, 0) + 0.5) / (df + 0.5))
}

// saturate returns the term frequency part of BM25, in [0,1), for count occurrences in a
// passage of the given length, where mean is the mean length of passages.
func saturate(count, length, mean, k1, b float64) float64 {
	return count / (count + k1*(1-b+b*length/mean))
}
