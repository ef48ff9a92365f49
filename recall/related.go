package recall

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/strata-memory/strata/concept"
)

const (
	// maxRelated is the most other words that a question is looked up by. Twice as
	// many find no more on the development data (docs/ranking.md), and of more
	// than this the store looks up the common ones, too, which costs most.
	maxRelated = 32
	// maxRelatedShare is the share of passages above which what is found by other
	// words tells nothing, and is left out to save its cost.
	maxRelatedShare = 0.3
)

// findRelated adds the passages that hold another name or form of a word of the
// question, or a thing of the kind that it names. They count as a part of that
// word, less the more passages hold any of them.
func (f *finder) findRelated(ctx context.Context) error {
	k := f.related()
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
			if float64(held[i]) > maxRelatedShare*n {
				continue
			}
			rarity := idf(n, float64(held[i])) / idf(n, float64(max(f.look.df[i], 1)))
			word := hit{int32(i), float32(k.counts[j] * math.Min(1, rarity))}
			for _, h := range found {
				if mine := hits[h.Passage]; !holds(mine, word.feature) {
					hits[h.Passage] = append(mine, word)
				}
			}
		}
		p.merge(m.Passages, hits)
	}
	return nil
}

// relatedTerms are other words for those of the question.
type relatedTerms struct {
	terms  []string
	of     []int     // the feature each stands for
	counts []float64 // what it counts of it
}

// related lists the other words, names before things of a kind.
func (f *finder) related() relatedTerms {
	var out relatedTerms
	add := func(of int, terms []string, count float64) {
		for _, t := range terms {
			if count > 0 && len(out.terms) < maxRelated && !slices.Contains(f.look.terms, t) && !slices.Contains(out.terms, t) {
				out.terms, out.of, out.counts = append(out.terms, t), append(out.of, of), append(out.counts, count)
			}
		}
	}
	for i, t := range f.look.terms {
		add(i, concept.RelatedTo(t).Synonyms, f.w.Synonym)
	}
	for i, t := range f.look.terms {
		add(i, concept.RelatedTo(t).Hyponyms, f.w.Hyponym)
	}
	return out
}
