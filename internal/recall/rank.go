package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata/internal/base/topk"
	"github.com/strata-memory/strata/internal/recall/question"
)

// neighborSlack is how many more candidates are looked up than are read, as a factor:
// some are neighbors that turn out not to exist.
const neighborSlack = 2

// readBest reads candidates in order of their preliminary scores until n have been read
// in all. It returns the ones that this call read and that still exist.
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

// preselect returns the n best candidates by preliminary score, which does not need their
// texts, best first.
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

// compareScores orders candidates by score, best first. Ties are broken by deeper scope,
// then by newer time, then by kind (fact, section, turn), then by which was stored last.
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

// read reads the items of the candidates, and notes which of the turns before them ask a
// question.
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
