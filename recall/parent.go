package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// maxParents is the most categories, sessions or documents of a scope that are weighed;
// those whose passages match the most.
const maxParents = 256

// parent is a category, session or document as one bag of words.
type parent struct {
	number    int64
	kind      strata.Kind
	counts    []float64 // of each feature
	rough     float64
	info      store.ParentInfo
	words     float64 // BM25 in [0,1]
	closeness float64 // of the mean vector, in [0,1]; 0 when it is not among the nearest
}

// relevance joins words and vector of a parent, in [0,1].
func (p *parent) relevance(w Weights) float64 {
	if p == nil {
		return 0
	}
	return (1-w.Centroid)*p.words + w.Centroid*p.closeness
}

// weighParents scores the parents of everything that matches. Frequencies are
// those of parents: a word that every session holds tells sessions not apart.
func (f *finder) weighParents(ctx context.Context) error {
	for _, kind := range []strata.Kind{strata.KindFact, strata.KindTurn, strata.KindSection} {
		if err := f.weighParentsOf(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) weighParentsOf(ctx context.Context, kind strata.Kind) error {
	df := make([]float64, f.look.size())
	var all []*parent
	number, words, held := 0.0, 0.0, 0.0
	for _, p := range f.pools {
		mine, err := f.parentsOf(ctx, p, kind)
		if err != nil {
			return err
		}
		mean := 0.0
		for _, par := range mine {
			words += float64(par.info.Words)
			mean += float64(par.info.Passages)
			for i, n := range par.counts {
				if n > 0 {
					df[i]++
				}
			}
		}
		held += float64(len(mine))
		if len(mine) > 0 {
			// The store counts passages, not parents: the others are taken to
			// be as large as those that matched.
			number += max(float64(p.total)/max(mean/float64(len(mine)), 1), float64(len(mine)))
		}
		all = append(all, mine...)
	}
	if len(all) == 0 {
		return nil
	}
	weights := make([]float64, len(df))
	ideal := 0.0
	for i := range weights {
		weights[i] = f.look.weights[i] * idf(number, max(df[i], 1))
		if i < len(f.look.terms) {
			ideal += weights[i]
		}
	}
	mean := max(words/held, 1)
	for _, par := range all {
		if ideal == 0 {
			break
		}
		for i := range f.look.terms {
			if par.counts[i] > 0 {
				par.words += weights[i] * saturate(par.counts[i], float64(par.info.Words), mean, f.w.K1, f.w.ParentB)
			}
		}
		par.words /= ideal
	}
	return nil
}

// parentsOf gathers the parents of one kind in a pool.
func (f *finder) parentsOf(ctx context.Context, p *pool, kind strata.Kind) ([]*parent, error) {
	if p.parents == nil {
		p.parents = make(map[int64]*parent)
	}
	var out []*parent
	for i := range p.passages {
		m := &p.passages[i]
		if m.Kind != kind {
			continue
		}
		par := p.parents[m.Parent]
		if par == nil {
			par = &parent{number: m.Parent, kind: kind, counts: make([]float64, f.look.size())}
			p.parents[m.Parent] = par
			out = append(out, par)
		}
		for _, h := range p.hits[i] {
			par.counts[h.feature] += float64(h.count)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	if len(out) > maxParents {
		for _, par := range out {
			for i, n := range par.counts {
				par.rough += f.look.idf[i] * n / (n + f.w.K1)
			}
		}
		slices.SortFunc(out, func(a, b *parent) int {
			return cmp.Or(cmp.Compare(b.rough, a.rough), cmp.Compare(b.number, a.number))
		})
		out = out[:maxParents]
	}
	numbers := make([]int64, len(out))
	for i, par := range out {
		numbers[i] = par.number
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
