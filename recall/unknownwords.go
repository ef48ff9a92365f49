package recall

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// What a match of a word that no passage holds counts, as a frequency: a
	// word that begins with it, one that contains it, and one that contains its
	// beginning.
	prefixCount    = 0.6
	substringCount = 0.6
	stemCount      = 0.35

	maxUnknown     = 2  // words of a question that are looked for in these ways
	maxUnknownHits = 50 // passages of a scope for each
	minSubstring   = 3  // characters, as the store asks
)

// matchUnknown looks for words of the question that no passage holds in other
// ways, so that "postgres" finds PostgreSQL and a misspelt name the right one.
func (f *finder) matchUnknown(ctx context.Context) error {
	tried := 0
	for i := range f.query.terms {
		if f.query.df[i] > 0 || tried == maxUnknown {
			continue
		}
		tried++
		if err := f.matchUnknownWord(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// matchUnknownWord looks for one of these words in one way after the other until
// it is found.
func (f *finder) matchUnknownWord(ctx context.Context, feature int) error {
	term, word := f.query.terms[feature], f.query.words[feature]
	runes := []rune(word)
	by := func(count float32, find func(p *pool) ([]store.Meta, error)) func() (bool, error) {
		return func() (bool, error) { return f.matchOtherwise(ctx, feature, count, find) }
	}
	correction := func() (bool, error) { return f.matchCorrections(ctx, feature) }
	// A substring takes longest to find in a large scope, and is not found where
	// the word is misspelt.
	correctFirst := f.passages() > manyPassages
	var ways []func() (bool, error)
	if len(runes) >= minSubstring || text.HasUnspaced(word) {
		ways = append(ways, by(prefixCount, func(p *pool) ([]store.Meta, error) {
			return f.r.MatchPhrase(ctx, p.scope, []string{term}, true, p.filter, maxUnknownHits)
		}))
	}
	if correctFirst {
		ways = append(ways, correction)
	}
	if len(runes) > minSubstring {
		ways = append(ways, by(substringCount, func(p *pool) ([]store.Meta, error) { return f.containingFragment(ctx, p, word) }))
	}
	if !correctFirst {
		ways = append(ways, correction)
	}
	if len(runes) >= 2*minSubstring {
		ways = append(ways, by(stemCount, func(p *pool) ([]store.Meta, error) {
			return f.containingFragment(ctx, p, string(runes[:max(4, len(runes)*2/3)]))
		}))
	}
	for _, way := range ways {
		if found, err := way(); found || err != nil {
			return err
		}
	}
	return nil
}

// matchOtherwise adds the passages that are found for a feature in one way. It
// reports whether there are any.
func (f *finder) matchOtherwise(ctx context.Context, feature int, count float32, find func(p *pool) ([]store.Meta, error)) (bool, error) {
	for _, p := range f.pools {
		found, err := find(p)
		if err != nil {
			return false, fmt.Errorf("match part of a word in %s: %w", p.scope, err)
		}
		p.addMatches(found, feature, count)
		f.query.df[feature] += int64(len(found))
	}
	return f.query.df[feature] > 0, nil
}
