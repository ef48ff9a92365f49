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

// maxParents is the most parents of a kind and scope that are scored: those whose
// passages match the most.
const maxParents = 256

// parent is a category, session or document as one bag of words.
type parent struct {
	number         int64
	counts         []float64 // of each feature
	info           store.ParentInfo
	words          float64 // BM25 in [0,1]
	closeness      float64 // of the mean vector, in [0,1]; 0 when it is not among the nearest
	modelCloseness float64 // the same by the model that re-ranks
}

// baseCloseness and modelCloseness point to the closeness of a parent by either
// embedding.
func baseCloseness(p *parent) *float64  { return &p.closeness }
func modelCloseness(p *parent) *float64 { return &p.modelCloseness }

// parent returns the parent of a number, a new one if it was not known.
func (p *pool) parent(number int64) *parent {
	par := p.parents[number]
	if par == nil {
		par = &parent{number: number}
		p.parents[number] = par
	}
	return par
}

// relevance joins words and vector of a parent, in [0,1]. That of nil is 0.
func (p *parent) relevance(w Weights) float64 {
	if p == nil {
		return 0
	}
	return (1-w.Centroid)*p.words + w.Centroid*p.closeness
}

// scoreParents scores the parents of everything that matches by BM25. Document
// frequencies are counted in parents: a word in every session does not tell
// sessions apart.
func (f *finder) scoreParents(ctx context.Context) error {
	for _, kind := range []strata.Kind{strata.KindFact, strata.KindTurn, strata.KindSection} {
		if err := f.scoreParentsOf(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// scoreParentsOf scores the parents of one kind, those of all scopes together.
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

// parentStats are what BM25 must know of the parents of a kind in all scopes.
type parentStats struct {
	matched []*parent
	df      []float64 // how many of them hold each feature
	words   float64   // terms of them
	number  float64   // of all parents of the view, about
}

// add adds the parents of a pool of so many passages that match.
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
	// The store counts passages, not parents. The other parents are taken to
	// be as large as those that match.
	n := float64(len(matched))
	s.number += max(float64(total)/max(passages/n, 1), n)
	s.matched = append(s.matched, matched...)
}

// matchedParents returns the parents of one kind in a pool whose passages match
// the most.
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

// countParents counts the features of the parents of one kind in a pool and
// returns at most maxParents of them, those that match the most.
func (f *finder) countParents(p *pool, kind strata.Kind) []*parent {
	// There are nearly as many documents as passages: their counts share an array.
	var numbers []int64
	index := make(map[int64]int) // of the parents in numbers
	var counts []float64         // of each feature, parent by parent
	size := f.query.size()
	none := make([]float64, size)
	at := -1 // the parent of the passage before
	for i := range p.passages {
		if p.passages[i].Kind != kind {
			continue
		}
		number := p.passages[i].Parent
		if at < 0 || numbers[at] != number { // most passages have the parent of the one before
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
