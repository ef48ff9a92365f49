package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata/internal/base/topk"
	"github.com/strata-memory/strata/internal/recall/question"
)

// neighborSlack is how many times more candidates are looked up than are read,
// because some are neighbors that do not exist.
const neighborSlack = 2

// readBest reads candidates by their preliminary scores until the best n are read,
// and returns those that were not returned before and are there.
func (f *finder) readBest(ctx context.Context, n int) ([]*candidate, error) {
	best := f.preselect(neighborSlack * n)
	if err := f.resolveNeighbors(ctx, best); err != nil {
		return nil, err
	}
	best = slices.DeleteFunc(slices.Clone(best), func(c *candidate) bool { return c.meta.Number == 0 || c.taken })
	best = best[:min(len(best), n-f.taken)]
	f.taken += len(best)
	for _, c := range best {
		c.taken = true
	}
	if err := f.read(ctx, best); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(best, func(c *candidate) bool {
		return c.reading == nil || c.item.Fact == nil && c.item.Turn == nil && c.item.Section == nil
	}), nil
}

// preselect returns the n best candidates by the score as far as it is known
// without their texts, best first.
func (f *finder) preselect(n int) []*candidate {
	for _, c := range f.cands {
		c.preScore = f.w.Words*(c.own+c.around) + f.vector*c.closeness*leftOpen(c.own+c.around) + f.parentWeight(c)*c.parent
	}
	out := topk.Select(f.cands, n, comparePreScores)
	slices.SortFunc(out, comparePreScores)
	return out
}

// comparePreScores orders candidates by preliminary score, best first.
func comparePreScores(a, b *candidate) int {
	if a.preScore != b.preScore {
		return cmp.Compare(b.preScore, a.preScore)
	}
	return cmp.Or(
		cmp.Compare(a.pool.order, b.pool.order),
		cmp.Compare(b.meta.Parent, a.meta.Parent),
		cmp.Compare(b.meta.Seq, a.meta.Seq),
		cmp.Compare(b.meta.Number, a.meta.Number),
	)
}

// compareScores orders candidates by score, best first. Of equals the one of the
// deeper scope comes first, then the newer, then a fact before a section before a
// turn. Which was stored first decides last.
func compareScores(a, b *candidate) int {
	return cmp.Or(
		cmp.Compare(b.score, a.score),
		cmp.Compare(a.pool.order, b.pool.order),
		b.at().Compare(a.at()),
		cmp.Compare(a.meta.Kind, b.meta.Kind),
		cmp.Compare(b.meta.Seq, a.meta.Seq),
		cmp.Compare(b.meta.Number, a.meta.Number),
	)
}

// read fills the items of the candidates and notes which of the turns before
// them ask a question.
func (f *finder) read(ctx context.Context, among []*candidate) error {
	for _, p := range f.pools {
		var numbers []int64
		for _, c := range among {
			if c.pool != p {
				continue
			}
			if c.reading == nil {
				numbers = append(numbers, c.meta.Number)
			}
			if _, known := p.asks[c.previous]; c.previous != 0 && !known {
				numbers = append(numbers, c.previous)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		slices.Sort(numbers)
		items, err := f.r.Items(ctx, p.scope, slices.Compact(numbers))
		if err != nil {
			return fmt.Errorf("read candidates in %s: %w", p.scope, err)
		}
		for _, it := range items {
			if it.Turn != nil {
				p.asks[it.Number] = question.HasMark(it.Turn.Text)
			}
			if c := p.cands[it.Number]; c != nil {
				c.reading = &reading{item: it}
			}
		}
	}
	return nil
}
