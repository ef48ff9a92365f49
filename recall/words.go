package recall

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

const (
	// enough is how many passages of a large scope must hold one of the rarer
	// words of the question for those that hold only common ones to be left
	// out.
	enough = 150

	// phraseWeight is what a phrase counts, as a part of what its words count
	// together, in addition to them.
	phraseWeight = 0.5
	// maxPhraseHits is the most passages of a scope that match a phrase.
	maxPhraseHits = 200
)

// matchTerms fills the pools with the passages that hold terms of the question.
func (f *finder) matchTerms(ctx context.Context) error {
	for _, p := range f.pools {
		filter := p.filter
		filter.Enough, filter.Contenders = enough, f.reads // no more are read at first
		filter.Most = f.most(filter)
		m, err := f.r.Match(ctx, p.scope, f.query.terms, filter)
		if err != nil {
			return fmt.Errorf("match words in %s: %w", p.scope, err)
		}
		p.setMatches(m)
		for i, n := range m.Frequency {
			f.query.df[i] += n
		}
	}
	return nil
}

// most is how many passages of a large scope words need to find: four times those
// that become candidates, because the store chooses by plain BM25. Of turns and
// sections all are needed, for their neighbors and parents count, too; 0 says so.
func (f *finder) most(filter store.Filter) int {
	if len(filter.Kinds) != 1 || filter.Kinds[0] != strata.KindFact {
		return 0
	}
	return 4 * max(maxSeeds, f.reads)
}

// matchPhrases adds the passages that hold the phrases of the question.
func (f *finder) matchPhrases(ctx context.Context) error {
	for i, phrase := range f.query.phrases {
		feature := len(f.query.terms) + i
		for _, p := range f.pools {
			found, err := f.r.MatchPhrase(ctx, p.scope, phrase, false, p.filter, maxPhraseHits)
			if err != nil {
				return fmt.Errorf("match phrase in %s: %w", p.scope, err)
			}
			p.addMatches(found, feature, 1)
			f.query.df[feature] += int64(len(found))
		}
	}
	return nil
}
