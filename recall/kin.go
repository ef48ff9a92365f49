package recall

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/strata-memory/strata/concept"
)

const (
	// maxKin is the most other words that a question is looked up by. Twice as
	// many find no more on the development data (docs/ranking.md), and of more
	// than this the store looks up the common ones, too, which costs most.
	maxKin = 32
	// maxKinShare is the share of passages above which what is found by other
	// words tells nothing, and is left out to save its cost.
	maxKinShare = 0.3
)

// findKin adds the passages that hold another name or form of a word of the
// question, or a thing of the kind that it names. They count as a part of that
// word, less the more passages hold any of them.
func (f *finder) findKin(ctx context.Context) error {
	k := f.kin()
	if len(k.terms) == 0 {
		return nil
	}
	for _, p := range f.pools {
		filter := p.filter
		filter.Enough, filter.Most = enough, f.most(filter)
		m, err := f.r.Match(ctx, p.scope, k.terms, filter)
		if err != nil {
			return fmt.Errorf("match other words in %s: %w", p.scope, err)
		}
		held := make([]int64, f.look.size())
		for j, n := range m.Frequency {
			held[k.of[j]] += n
		}
		n := float64(m.Total) + background
		hits := roomForHits(m)
		for j, found := range m.Terms {
			i := k.of[j]
			if float64(held[i]) > maxKinShare*n {
				continue
			}
			rarity := idf(n, float64(held[i])) / idf(n, float64(max(f.look.df[i], 1)))
			kin := hit{int32(i), float32(k.counts[j] * math.Min(1, rarity))}
			for _, h := range found {
				if mine := hits[h.Passage]; !holds(mine, kin.feature) {
					hits[h.Passage] = append(mine, kin)
				}
			}
		}
		p.merge(m.Passages, hits)
	}
	return nil
}

// kinTerms are other words for those of the question.
type kinTerms struct {
	terms  []string
	of     []int     // the feature each stands for
	counts []float64 // what it counts of it
}

// kin lists the other words, names before things of a kind.
func (f *finder) kin() kinTerms {
	var out kinTerms
	add := func(of int, terms []string, count float64) {
		for _, t := range terms {
			if count > 0 && len(out.terms) < maxKin && !slices.Contains(f.look.terms, t) && !slices.Contains(out.terms, t) {
				out.terms, out.of, out.counts = append(out.terms, t), append(out.of, of), append(out.counts, count)
			}
		}
	}
	for i, t := range f.look.terms {
		add(i, concept.KinOf(t).Same, f.w.Same)
	}
	for i, t := range f.look.terms {
		add(i, concept.KinOf(t).Members, f.w.Member)
	}
	return out
}
