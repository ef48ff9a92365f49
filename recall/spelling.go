package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// minCorrected is the length, in characters, of the shortest word that is
	// taken for misspelt: nearly every shorter one is one edit away from another
	// word.
	minCorrected = 5
	// twoEditsFrom is the length, in characters, from which two edits are allowed
	// instead of one.
	twoEditsFrom = 8
	// maxFragments is the most fragments of a word that a scope is searched for,
	// maxFragmentsLarge that of a scope of more than manyPassages, where each
	// costs up to some milliseconds.
	maxFragments      = 4
	maxFragmentsLarge = 2
	manyPassages      = 200_000
	// maxCorrectionReads is how many passages that hold a fragment are read for
	// words like the one looked for.
	maxCorrectionReads = 24
	// maxCorrections is the most words that one is corrected to.
	maxCorrections = 3
	// correctionCount is what a correction counts, as a frequency of the word of
	// the question.
	correctionCount = 0.7
)

// matchCorrections matches a word that no passage holds by its corrections: of
// the words of passages that contain a fragment of it, those that are the fewest
// edits away. It reports whether there are any.
func (f *finder) matchCorrections(ctx context.Context, feature int) (bool, error) {
	word := withoutPossessive(f.query.words[feature])
	edits := maxEdits(word)
	if edits == 0 {
		return false, nil
	}
	var terms []string
	for _, p := range f.pools {
		fragments := fragmentsOf(word)
		if p.total > manyPassages {
			fragments = fragments[:min(len(fragments), maxFragmentsLarge)]
		}
		for _, fragment := range fragments {
			found, err := f.containingFragment(ctx, p, fragment)
			if err != nil {
				return false, err
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
				return false, fmt.Errorf("read words that are spelt alike in %s: %w", p.scope, err)
			}
			if alike := closestWords(word, items, edits); len(alike) > 0 {
				terms = append(terms, alike...)
				break
			}
		}
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	return len(terms) > 0, f.matchInstead(ctx, feature, terms[:min(len(terms), maxCorrections)])
}

// containingFragment returns the newest passages of a pool that contain a word or
// a fragment of one. A fragment may be asked for twice, and is searched for once.
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

// withoutPossessive returns a word without the ending of a possessive.
func withoutPossessive(word string) string {
	return strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
}

// matchInstead matches a word of the question by other terms. These are looked
// for together with the rest of the question, as if the word had been spelt that
// way: a passage that holds a common word was left out of the matches before,
// unless it held a rare one, too.
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
		freqs := emptyFreqs(m)
		for i, found := range m.Terms {
			for _, h := range found {
				switch {
				case i < others:
					freqs[h.Passage] = append(freqs[h.Passage], termFreq{int32(i), float32(h.Count)})
				case !hasFeature(freqs[h.Passage], int32(feature)):
					freqs[h.Passage] = append(freqs[h.Passage], termFreq{int32(feature), correctionCount})
				}
			}
		}
		p.merge(m.Passages, freqs)
		for _, n := range m.Frequency[others:] {
			f.query.df[feature] += n
		}
	}
	return nil
}

// maxEdits returns how many edits are allowed in a lower-case word. A number is
// never taken for another, and a script without spaces has no words to compare.
func maxEdits(word string) int {
	n := utf8.RuneCountInString(word)
	if n < minCorrected || n > maxCompared || text.HasUnspaced(word) || strings.ContainsFunc(word, unicode.IsDigit) {
		return 0
	}
	if n >= twoEditsFrom {
		return 2
	}
	return 1
}

// fragmentsOf returns parts of a word of which an edit or two leave one as it was,
// the most selective first. Beginnings come before endings, as they are misspelt
// less often.
func fragmentsOf(word string) []string {
	r := []rune(word)
	n := len(r)
	cuts := [][2]int{{0, max(4, n*2/3)}, {n - max(minSubstring, n/2), n}, {0, max(minSubstring, n/2)}, {n/2 - 2, n/2 + 2}}
	var out []string
	for _, c := range cuts {
		if fragment := string(r[max(c[0], 0):min(c[1], n)]); len(out) < maxFragments && !slices.Contains(out, fragment) {
			out = append(out, fragment)
		}
	}
	return out
}

// closestWords returns the terms of the words in some passages that are the
// fewest edits away from a word, and no more than so many.
func closestWords(word string, items []store.Item, edits int) []string {
	var out []string
	target := []rune(word)
	for _, it := range items {
		for _, w := range text.Words(indexedText(it)) {
			n := editDistance(target, w, edits)
			if n > edits {
				continue
			}
			if n < edits {
				edits, out = n, out[:0]
			}
			if term := text.Term(w); term != "" && !slices.Contains(out, term) {
				out = append(out, term)
			}
		}
	}
	return out
}

// maxCompared is the length of the longest word that is compared, in characters.
const maxCompared = 32

// editDistance returns the Damerau-Levenshtein distance of two words (letters
// inserted, deleted, replaced or transposed with their neighbor); most+1 where it
// is more than most. Of words that begin with different letters it is most+1, too,
// unless the first two are transposed.
func editDistance(a []rune, word string, most int) int {
	if len(word) > 4*maxCompared {
		return most + 1
	}
	b := []rune(word)
	if len(a) > maxCompared || len(b) > maxCompared || max(len(a)-len(b), len(b)-len(a)) > most || len(a) == 0 || len(b) == 0 {
		return most + 1
	}
	if a[0] != b[0] && (len(a) < 2 || len(b) < 2 || a[0] != b[1] || a[1] != b[0]) {
		return most + 1
	}
	var rows [3][maxCompared + 1]int
	two, one, row := &rows[0], &rows[1], &rows[2]
	for j := range b {
		one[j+1] = j + 1
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(one[j]+cost, one[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], two[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most {
			return most + 1
		}
		two, one, row = one, row, two
	}
	return one[len(b)]
}
