package recall

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/store"
)

const (
	// maxRelated is the most related words that expand a question. Source:
	// docs/ranking.md, where twice as many find no more. With more than these, the store
	// also looks up common words, which cost the most.
	maxRelated = 32
	// maxRelatedShare is the share of passages, in [0,1], above which a feature is not
	// expanded: a word that so many passages hold does not affect the ranking.
	maxRelatedShare = 0.3
)

// expandRelated adds the passages that hold a synonym or hyponym of a word of the
// question. Each counts as a fraction of that word, which shrinks as more passages hold
// any of its related words.
func (f *finder) expandRelated(ctx context.Context) error {
	f.related = f.relatedTerms()
	if len(f.related.terms) == 0 {
		return nil
	}
	for _, p := range f.pools {
		needed := f.mostNeeded(p.filter)
		needed.Best = 0 // passages that match only common words count for little
		m, err := f.r.Match(ctx, p.scope, f.related.terms, p.filter, needed)
		if err != nil {
			return fmt.Errorf("match related words in %s: %w", p.scope, err)
		}
		p.merge(m.Passages, f.relatedFreqs(m))
	}
	return nil
}

// relatedFreqs returns the features of the passages that related words match.
func (f *finder) relatedFreqs(m store.Matches) [][]termFreq {
	held := make([]int64, f.query.size()) // passages with a word related to each feature
	for j, n := range m.Frequency {
		held[f.related.features[j]] += n
	}
	n := float64(m.Total) + background
	freqs := emptyFreqs(m)
	for j, found := range m.Terms {
		i := f.related.features[j]
		if float64(held[i]) > maxRelatedShare*n {
			continue
		}
		rarity := idf(n, float64(held[i])) / idf(n, float64(max(f.query.df[i], 1)))
		freq := termFreq{int32(i), float32(f.related.counts[j] * math.Min(1, rarity))}
		for _, h := range found {
			if !hasFeature(freqs[h.Passage], freq.feature) {
				freqs[h.Passage] = append(freqs[h.Passage], freq)
			}
		}
	}
	return freqs
}

// expansion holds terms that are related to those of the question.
type expansion struct {
	terms    []string
	features []int     // the feature that each term is related to
	counts   []float64 // what each term counts as a frequency of that feature
}

// relatedTerms returns the related terms of the question, synonyms first.
func (f *finder) relatedTerms() expansion {
	var out expansion
	add := func(feature int, terms []string, count float64) {
		for _, t := range terms {
			if count > 0 && len(out.terms) < maxRelated && !slices.Contains(f.query.terms, t) && !slices.Contains(out.terms, t) {
				out.terms, out.features, out.counts = append(out.terms, t), append(out.features, feature), append(out.counts, count)
			}
		}
	}
	for i, t := range f.query.terms {
		add(i, topics.RelatedTo(t).Synonyms, f.w.Synonym)
	}
	for i, t := range f.query.terms {
		add(i, topics.RelatedTo(t).Hyponyms, f.w.Hyponym)
	}
	return out
}
