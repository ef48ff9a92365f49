package recall

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// The frequencies that a match counts for a word that no passage holds: a match of a
	// word that begins with it, of one that contains it, and of one that contains its
	// beginning.
	prefixCount    = 0.6
	substringCount = 0.6
	stemCount      = 0.35

	maxUnknown     = 2  // most words of a question that are looked for like this
	maxUnknownHits = 50 // most passages of a scope for each of them
	minSubstring   = 3  // characters; the store requires as many

	// maxFragmentsLarge is the most fragments of a word to search for in a scope of more
	// than manyPassages passages, where each can take some milliseconds.
	maxFragmentsLarge = 2
	manyPassages      = 200_000
	// maxCorrectionReads is the most passages with a fragment that are read to find words
	// spelled like the one looked for.
	maxCorrectionReads = 24
	// maxCorrections is the most corrections of one word, and correctionCount what a
	// match of one counts as a frequency of the question's word.
	maxCorrections  = 3
	correctionCount = 0.7
)

// matchUnknown looks for words of the question that no passage holds, by prefix,
// substring and spelling, so that "postgres" finds PostgreSQL and a misspelled name the
// right one.
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

// matchUnknownWord tries one way after the other to find one such word, until a passage
// matches.
func (f *finder) matchUnknownWord(ctx context.Context, feature int) error {
	term, word := f.query.terms[feature], f.query.words[feature]
	runes := []rune(word)
	by := func(count float32, find func(p *pool) ([]store.Meta, error)) func() (bool, error) {
		return func() (bool, error) { return f.matchOtherwise(ctx, feature, count, find) }
	}
	correction := func() (bool, error) { return f.matchCorrections(ctx, feature) }
	// A substring search is the slowest in a large scope, and finds nothing if the word
	// is misspelled.
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

// matchOtherwise adds the passages that find returns as matches of a feature. It reports
// whether there are any.
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

// matchCorrections matches a word that no passage holds by its corrections: the words,
// from passages that contain a fragment of it, that are the fewest edits away. It reports
// whether there are any.
func (f *finder) matchCorrections(ctx context.Context, feature int) (bool, error) {
	word, ok := question.MisspellingOf(f.query.words[feature])
	if !ok {
		return false, nil
	}
	var terms []string
	for _, p := range f.pools {
		alike, err := f.corrections(ctx, p, word)
		if err != nil {
			return false, err
		}
		terms = append(terms, alike...)
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	return len(terms) > 0, f.matchInstead(ctx, feature, terms[:min(len(terms), maxCorrections)])
}

// corrections returns the words of a pool that are closest to a misspelled one. It reads
// the passages that contain a fragment of the word, and stops at the first fragment that
// leads to a correction.
func (f *finder) corrections(ctx context.Context, p *pool, word question.Misspelling) ([]string, error) {
	fragments := word.Fragments()
	if p.total > manyPassages {
		fragments = fragments[:min(len(fragments), maxFragmentsLarge)]
	}
	for _, fragment := range fragments {
		found, err := f.containingFragment(ctx, p, fragment)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			continue
		}
		found = found[:min(len(found), maxCorrectionReads)]
		numbers := make([]int64, len(found))
		for i, m := range found {
			numbers[i] = m.Number
		}
		items, err := f.r.Items(ctx, p.scope, numbers)
		if err != nil {
			return nil, fmt.Errorf("read words that are spelt alike in %s: %w", p.scope, err)
		}
		if alike := word.Closest(indexedTexts(items)); len(alike) > 0 {
			return alike, nil
		}
	}
	return nil, nil
}

// containingFragment returns the newest passages of a pool that contain a word or a
// fragment of one. It caches the result, since a fragment may be asked for twice.
func (f *finder) containingFragment(ctx context.Context, p *pool, fragment string) ([]store.Meta, error) {
	if found, ok := p.substrings[fragment]; ok {
		return found, nil
	}
	found, err := f.r.MatchSubstring(ctx, p.scope, fragment, p.filter, maxUnknownHits)
	if err != nil {
		return nil, fmt.Errorf("match a fragment of a word in %s: %w", p.scope, err)
	}
	p.substrings[fragment] = found
	return found, nil
}

// matchInstead matches a word of the question by other terms. It matches them together
// with the rest of the question, as if the word had been spelled correctly: the first
// match left out passages that hold only a common word, and these may hold a rare one
// now.
func (f *finder) matchInstead(ctx context.Context, feature int, terms []string) error {
	if len(terms) == 0 {
		return nil
	}
	others := len(f.query.terms)
	asked := slices.Concat(f.query.terms, terms)
	for _, p := range f.pools {
		m, err := f.r.Match(ctx, p.scope, asked, p.filter, f.mostNeeded(p.filter))
		if err != nil {
			return fmt.Errorf("match corrected words in %s: %w", p.scope, err)
		}
		p.merge(m.Passages, correctedFreqs(m, others, feature))
		for _, n := range m.Frequency[others:] {
			f.query.df[feature] += n
		}
	}
	return nil
}

// correctedFreqs returns the features of the passages in m. The first terms matched terms
// are those of the question; the others are corrections of the given feature.
func correctedFreqs(m store.Matches, terms, feature int) [][]termFreq {
	freqs := emptyFreqs(m)
	for i, found := range m.Terms {
		for _, h := range found {
			switch {
			case i < terms:
				freqs[h.Passage] = append(freqs[h.Passage], termFreq{int32(i), float32(h.Count)})
			case !hasFeature(freqs[h.Passage], int32(feature)):
				freqs[h.Passage] = append(freqs[h.Passage], termFreq{int32(feature), correctionCount})
			}
		}
	}
	return freqs
}
