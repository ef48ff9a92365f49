package recall

import (
	"context"
	"fmt"
	"math"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

const (
	// phraseWeight is what a phrase counts in addition to its words, as a fraction of
	// what they count together.
	phraseWeight = 0.5
	// maxPhraseHits is the most passages of a scope that match a phrase.
	maxPhraseHits = 200
)

// matchTerms fills the pools with the passages that hold terms of the question.
func (f *finder) matchTerms(ctx context.Context) error {
	for _, p := range f.pools {
		m, err := f.r.Match(ctx, p.scope, f.query.terms, p.filter, f.mostNeeded(p.filter))
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

// mostNeeded returns the options for matching words in a large scope. The store chooses
// by plain BM25, so of facts, four times as many are matched as become candidates. All
// turns and sections that hold rarer words are needed, because their neighbors and
// parents count too. The best reads passages must always be there.
func (f *finder) mostNeeded(filter store.Filter) store.MatchOptions {
	o := store.MatchOptions{Limit: math.MaxInt32, Best: f.reads}
	if len(filter.Kinds) == 1 && filter.Kinds[0] == strata.KindFact {
		o.Limit = 4 * f.mostSeeds
	}
	return o
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
