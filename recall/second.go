package recall

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata/vector"
)

// secondGain is how much a passage that stands out gains: the closeness of so
// many times the spread of the first embedding's cosines for each deviation above
// leastResidual. A good model's answers lie four deviations out and more, and are
// then taken for as close as the closest by words.
const secondGain = 2

// addSecond adds what a model sees that the built-in embedder does not: passages
// that it finds nearer to the question than the first embedding lets expect, as far
// as so many stand out so far as chance does not explain. Where that is not so,
// nothing is added, and the ranking is what it is without the model.
func (f *finder) addSecond(ctx context.Context) error {
	if f.second.vector == nil {
		return nil
	}
	known, err := f.compareSecond(ctx)
	if err != nil {
		return err
	}
	line := fit(known)
	if line.tellsNothing() {
		return nil
	}
	near, err := f.nearSecond(ctx)
	if err != nil {
		return err
	}
	trust := line.trust(append(known, near.pairs...), f.passages())
	if trust == 0 {
		return nil
	}
	if err := f.joinSecond(ctx, near, line); err != nil {
		return err
	}
	for _, c := range f.cands {
		if c.compared {
			c.added = trust * line.gain(pair{c.similarity, c.second}, f.w)
		}
	}
	f.windows(f.cands, ofSecond)
	for _, c := range f.cands {
		c.closeness = min(c.closeness+c.added, 1)
	}
	for _, p := range f.pools {
		for _, par := range p.parents {
			par.closeness = max(par.closeness, trust*par.second)
		}
	}
	for _, c := range f.cands {
		c.parent = c.pool.parents[c.meta.Parent].relevance(f.w)
	}
	return nil
}

// ofSecond is what a model adds to the closeness of a candidate.
func ofSecond(c *candidate) *float64 { return &c.added }

// ofParent is the closeness of a parent, and ofParentSecond that by a model
// beside the first embedding.
func ofParent(p *parent) *float64       { return &p.closeness }
func ofParentSecond(p *parent) *float64 { return &p.second }

// compareSecond looks up the model's cosines of the candidates that the first
// embedding was compared with, and returns both of each.
func (f *finder) compareSecond(ctx context.Context) ([]pair, error) {
	var out []pair
	for _, p := range f.pools {
		var mine []*candidate
		var numbers []int64
		for _, c := range f.cands {
			if c.pool == p && c.compared {
				mine, numbers = append(mine, c), append(numbers, c.meta.Number)
			}
		}
		found, err := f.r.Similarities(ctx, p.scope, f.second.model, f.second.vector, numbers)
		if err != nil {
			return nil, fmt.Errorf("compare candidates in %s: %w", p.scope, err)
		}
		for i, s := range found {
			mine[i].second = s
			out = append(out, pair{mine[i].similarity, s})
		}
	}
	return out, nil
}

// nearness is what is near by the second embedding and was not compared before.
type nearness struct {
	found [][]vector.Candidate // of each pool
	pairs []pair               // of all of them, in that order
}

// nearSecond looks for the passages nearest by the second embedding and compares the
// new ones by the first. It makes none of them candidates.
func (f *finder) nearSecond(ctx context.Context) (nearness, error) {
	out := nearness{found: make([][]vector.Candidate, len(f.pools))}
	for i, p := range f.pools {
		found, err := f.searchTiers(ctx, p, f.second, ofParentSecond)
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
		first, err := f.r.Similarities(ctx, p.scope, f.first.model, f.first.vector, numbers)
		if err != nil {
			return out, fmt.Errorf("compare what is near in %s: %w", p.scope, err)
		}
		for j, s := range first {
			out.pairs = append(out.pairs, pair{s, out.found[i][j].Similarity})
		}
	}
	return out, nil
}

// joinSecond makes those candidates that stand out.
func (f *finder) joinSecond(ctx context.Context, near nearness, line line) error {
	at := 0
	for i, p := range f.pools {
		var in []vector.Candidate
		seconds := make(map[int64]float32)
		for _, n := range near.found[i] {
			both := near.pairs[at]
			at++
			if line.gain(both, f.w) > 0 {
				seconds[n.ID] = both.second
				n.Similarity = both.first
				in = append(in, n)
			}
		}
		if err := f.join(ctx, p, in); err != nil {
			return err
		}
		for number, s := range seconds {
			if c := p.cands[number]; c != nil {
				c.second = s
			}
		}
	}
	return nil
}
