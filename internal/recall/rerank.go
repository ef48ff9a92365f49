package recall

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata/vector"
)

// rerank adds what the model knows beyond the base embedder. A passage gains closeness if
// the model finds it nearer to the question than its base cosine predicts, as far as such
// deviations agree with the words by more than chance. If they do not, the ranking stays
// as it is without the model.
func (f *finder) rerank(ctx context.Context) error {
	if f.model.vector == nil {
		return nil
	}
	known, err := f.comparedByBoth(ctx)
	if err != nil {
		return err
	}
	near, err := f.searchModel(ctx)
	if err != nil {
		return err
	}
	fit := fitRegression(known)
	if !fit.judges() { // passages that the model found make the fit stricter, not useless
		known = append(known, near.pairs...)
		fit = fitRegression(known)
	}
	if fit.degenerate() {
		return nil
	}
	trust := fit.trust(known)
	if trust == 0 {
		return nil
	}
	if err := f.addOutliers(ctx, near, fit); err != nil {
		return err
	}
	for _, c := range f.cands {
		if c.compared {
			c.boost = trust * fit.gain(pair{base: c.similarity, model: c.modelSimilarity}, f.w)
		}
	}
	f.shareCloseness(f.cands, func(c *candidate) *float64 { return &c.boost })
	for _, c := range f.cands {
		c.closeness = min(c.closeness+c.boost, 1)
	}
	for _, p := range f.pools {
		for _, par := range p.parents {
			par.closeness = max(par.closeness, trust*par.modelCloseness)
		}
		f.setParentScores(p)
	}
	return nil
}

// comparedByBoth looks up the model's cosines of the candidates whose base cosines are
// known, and returns both cosines of each.
func (f *finder) comparedByBoth(ctx context.Context) ([]pair, error) {
	var out []pair
	for _, p := range f.pools {
		var compared []*candidate
		var numbers []int64
		for _, c := range f.cands {
			if c.pool == p && c.compared {
				compared, numbers = append(compared, c), append(numbers, c.meta.Number)
			}
		}
		found, err := f.r.Similarities(ctx, p.scope, f.model.model, f.model.vector, numbers)
		if err != nil {
			return nil, fmt.Errorf("compare candidates in %s: %w", p.scope, err)
		}
		for i, s := range found {
			compared[i].modelSimilarity = s
			out = append(out, pair{compared[i].similarity, s, compared[i].own})
		}
	}
	return out, nil
}

// nearByModel holds the passages that are nearest under the model and whose base cosines
// were not known.
type nearByModel struct {
	found [][]vector.Candidate // for each pool
	pairs []pair               // for all passages, in the order of found
}

// searchModel searches by the model's vectors and looks up the base cosines of passages
// that were not compared before. It makes no candidates.
func (f *finder) searchModel(ctx context.Context) (nearByModel, error) {
	out := nearByModel{found: make([][]vector.Candidate, len(f.pools))}
	for i, p := range f.pools {
		found, err := f.searchTiers(ctx, p, f.model, modelCloseness)
		if err != nil {
			return out, err
		}
		var numbers []int64
		for _, n := range found {
			if c := p.cands[n.ID]; c == nil || !c.compared {
				out.found[i] = append(out.found[i], n)
				numbers = append(numbers, n.ID)
			}
		}
		base, err := f.r.Similarities(ctx, p.scope, f.base.model, f.base.vector, numbers)
		if err != nil {
			return out, fmt.Errorf("compare what is near in %s: %w", p.scope, err)
		}
		for j, s := range base {
			out.pairs = append(out.pairs, pair{base: s, model: out.found[i][j].Similarity})
		}
	}
	return out, nil
}

// addOutliers makes candidates of the passages that gain closeness from the model.
func (f *finder) addOutliers(ctx context.Context, near nearByModel, fit regression) error {
	next := 0
	for i, p := range f.pools {
		var in []vector.Candidate
		byModel := make(map[int64]float32)
		for _, n := range near.found[i] {
			both := near.pairs[next]
			next++
			if fit.gain(both, f.w) > 0 {
				byModel[n.ID] = both.model
				n.Similarity = both.base
				in = append(in, n)
			}
		}
		if err := f.addNearest(ctx, p, in); err != nil {
			return err
		}
		for number, s := range byModel {
			if c := p.cands[number]; c != nil {
				c.modelSimilarity = s
			}
		}
	}
	return nil
}
