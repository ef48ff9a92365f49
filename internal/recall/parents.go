package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/topk"
	"github.com/strata-memory/strata/store"
)

// maxParents is the most parents of one kind and scope that are scored: the ones whose
// passages match best.
const maxParents = 256

// parent is a category, session or document as one bag of words.
type parent struct {
	number         int64
	counts         []float64 // of each feature
	info           store.ParentInfo
	words          float64 // BM25 in [0,1]
	closeness      float64 // closeness of the mean vector, in [0,1]; 0 if not among the nearest
	modelCloseness float64 // closeness under the model that re-ranks
}

// baseCloseness and modelCloseness return a pointer to the closeness of a parent under
// either embedding.
func baseCloseness(p *parent) *float64  { return &p.closeness }
func modelCloseness(p *parent) *float64 { return &p.modelCloseness }

// parent returns the parent with the given number and adds it if it is new.
func (p *pool) parent(number int64) *parent {
	par := p.parents[number]
	if par == nil {
		par = &parent{number: number}
		p.parents[number] = par
	}
	return par
}

// relevance combines the words and the closeness of a parent, in [0,1]. It is 0 for a nil
// parent.
func (p *parent) relevance(w Weights) float64 {
	if p == nil {
		return 0
	}
	return (1-w.Centroid)*p.words + w.Centroid*p.closeness
}

// scoreParents scores the parents of all matching passages by BM25. It counts document
// frequencies in parents: a word that every session holds does not tell sessions apart.
func (f *finder) scoreParents(ctx context.Context) error {
	for _, kind := range []strata.Kind{strata.KindFact, strata.KindTurn, strata.KindSection} {
		if err := f.scoreParentsOf(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// scoreParentsOf scores the parents of one kind in all scopes together.
func (f *finder) scoreParentsOf(ctx context.Context, kind strata.Kind) error {
	stats := parentStats{df: make([]float64, f.query.size())}
	for _, p := range f.pools {
		matched, err := f.matchedParents(ctx, p, kind)
		if err != nil {
			return err
		}
		if len(matched) > 0 {
			stats.add(matched, p.total)
		}
	}
	weights := make([]float64, len(f.query.terms))
	sumIDF := 0.0
	for i := range weights {
		weights[i] = f.query.weights[i] * idf(stats.number, max(stats.df[i], 1))
		sumIDF += weights[i]
	}
	if sumIDF == 0 {
		return nil
	}
	meanLength := max(stats.words/float64(len(stats.matched)), 1)
	for _, par := range stats.matched {
		for i, weight := range weights {
			if par.counts[i] > 0 {
				par.words += weight * saturate(par.counts[i], float64(par.info.Words), meanLength, f.w.K1, f.w.ParentB)
			}
		}
		par.words /= sumIDF
	}
	return nil
}

// parentStats holds what BM25 needs to know about the parents of one kind in all scopes.
type parentStats struct {
	matched []*parent
	df      []float64 // number of matched parents that hold each feature
	words   float64   // number of terms in matched parents
	number  float64   // estimated number of all parents in the view
}

// add adds the matched parents of a pool that holds total passages.
func (s *parentStats) add(matched []*parent, total int64) {
	passages := 0.0
	for _, par := range matched {
		s.words += float64(par.info.Words)
		passages += float64(par.info.Passages)
		for i, n := range par.counts {
			if n > 0 {
				s.df[i]++
			}
		}
	}
	// The store counts passages, not parents. Assume that the other parents are as large
	// as the ones that match.
	n := float64(len(matched))
	s.number += max(float64(total)/max(passages/n, 1), n)
	s.matched = append(s.matched, matched...)
}

// matchedParents returns the parents of one kind in a pool whose passages match best.
func (f *finder) matchedParents(ctx context.Context, p *pool, kind strata.Kind) ([]*parent, error) {
	if kinds := p.filter.Kinds; len(kinds) > 0 && !slices.Contains(kinds, kind) {
		return nil, nil
	}
	out := f.countParents(p, kind)
	if len(out) == 0 {
		return nil, nil
	}
	numbers := make([]int64, len(out))
	for i, par := range out {
		numbers[i] = par.number
		p.parents[par.number] = par
	}
	infos, err := f.r.Parents(ctx, p.scope, kind, numbers)
	if err != nil {
		return nil, fmt.Errorf("read parents in %s: %w", p.scope, err)
	}
	for _, info := range infos {
		if par := p.parents[info.Number]; par != nil {
			par.info = info
		}
	}
	return out, nil
}

// countParents counts the features of the parents of one kind in a pool and returns at
// most maxParents of them, the ones that match best.
func (f *finder) countParents(p *pool, kind strata.Kind) []*parent {
	// There may be nearly as many documents as passages, so their counts share one array.
	var numbers []int64
	index := make(map[int64]int) // index in numbers of each parent
	var counts []float64         // counts of all features, parent by parent
	size := f.query.size()
	none := make([]float64, size)
	at := -1 // index of the previous passage's parent
	for i := range p.passages {
		if p.passages[i].Kind != kind {
			continue
		}
		number := p.passages[i].Parent
		if at < 0 || numbers[at] != number { // most passages have the same parent as the one before
			var known bool
			if at, known = index[number]; !known {
				at = len(numbers)
				index[number] = at
				numbers, counts = append(numbers, number), append(counts, none...)
			}
		}
		for _, t := range p.freqs[i] {
			counts[at*size+int(t.feature)] += float64(t.count)
		}
	}
	type match struct {
		number int64
		counts []float64
		weight float64
	}
	matches := make([]match, len(numbers))
	for i, number := range numbers {
		m := match{number: number, counts: counts[i*size : (i+1)*size]}
		for feature, n := range m.counts {
			if n > 0 {
				m.weight += f.query.idf[feature] * n / (n + f.w.K1)
			}
		}
		matches[i] = m
	}
	top := topk.Select(matches, maxParents, func(a, b match) int {
		if a.weight != b.weight {
			return cmp.Compare(b.weight, a.weight)
		}
		return cmp.Compare(b.number, a.number)
	})
	out := make([]*parent, len(top))
	for i, m := range top {
		out[i] = &parent{number: m.number, counts: m.counts}
	}
	return out
}
