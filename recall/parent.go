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
	info      store.ParentInfo
	words     float64 // BM25 in [0,1]
	closeness float64 // of the mean vector, in [0,1]; 0 when it is not among the nearest
	second    float64 // the same by a model that adds to it
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

// parentsOf gathers the parents of one kind in a pool: those whose passages
// match the most, if there are more than maxParents.
func (f *finder) parentsOf(ctx context.Context, p *pool, kind strata.Kind) ([]*parent, error) {
	if p.parents == nil {
		p.parents = make(map[int64]*parent)
	}
	if kinds := p.filter.Kinds; len(kinds) > 0 && !slices.Contains(kinds, kind) {
		return nil, nil
	}
	out := f.matchedParents(p, kind)
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

// matchedParents counts the features of the parents of one kind in a pool and
// returns those that match the most, at most maxParents.
func (f *finder) matchedParents(p *pool, kind strata.Kind) []*parent {
	numbers, of := p.parentPlaces(kind)
	size := f.look.size()
	counts := make([]float64, size*len(numbers)) // of each feature, parent by parent
	for i, place := range of {
		if place < 0 {
			continue
		}
		for _, h := range p.hits[i] {
			counts[int(place)*size+int(h.feature)] += float64(h.count)
		}
	}
	// Of documents there are nearly as many as passages: only what is taken of
	// them becomes a parent.
	type matched struct {
		number int64
		counts []float64
		rough  float64
	}
	all := make([]matched, len(numbers))
	for i, number := range numbers {
		all[i] = matched{number: number, counts: counts[i*size : (i+1)*size]}
		for feature, n := range all[i].counts {
			if n > 0 {
				all[i].rough += f.look.idf[feature] * n / (n + f.w.K1)
			}
		}
	}
	most := best(all, maxParents, func(a, b matched) int {
		if a.rough != b.rough {
			return cmp.Compare(b.rough, a.rough)
		}
		return cmp.Compare(b.number, a.number)
	})
	out := make([]*parent, len(most))
	for i, m := range most {
		out[i] = &parent{number: m.number, kind: kind, counts: m.counts}
	}
	return out
}

// parentPlaces numbers the parents of the passages of one kind: numbers has
// each once, and of is for each passage the place of its parent among them, -1
// for a passage of another kind.
func (p *pool) parentPlaces(kind strata.Kind) (numbers []int64, of []int32) {
	of = make([]int32, len(p.passages))
	places := make(map[int64]int32)
	var recent [64]struct { // of places, by the low bits of the number
		number int64
		place  int32
	}
	for i := range p.passages {
		m := &p.passages[i]
		if m.Kind != kind {
			of[i] = -1
			continue
		}
		// Passages of one parent mostly stand together.
		if n := len(numbers); n > 0 && numbers[n-1] == m.Parent {
			of[i] = int32(n - 1)
			continue
		}
		last := &recent[uint64(m.Parent)%uint64(len(recent))]
		if last.number == m.Parent && m.Parent != 0 {
			of[i] = last.place
			continue
		}
		place, known := places[m.Parent]
		if !known {
			place = int32(len(numbers))
			places[m.Parent] = place
			numbers = append(numbers, m.Parent)
		}
		of[i], last.number, last.place = place, m.Parent, place
	}
	return numbers, of
}
