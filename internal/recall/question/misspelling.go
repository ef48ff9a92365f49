package question

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

const (
	// minCorrected is the length, in characters, of the shortest word to correct: nearly
	// every shorter word is one edit away from another word.
	minCorrected = 5
	// twoEditsFrom is the length, in characters, from which a word may have two edits
	// instead of one.
	twoEditsFrom = 8
	// minEnding is the length of the shortest ending that is a fragment, in characters.
	minEnding = 3
	// maxCompared is the length of the longest word to compare, in characters.
	maxCompared = 32
)

// MaxFragments is the most fragments of a word.
const MaxFragments = 4

// Misspelling is a word of a question that may be misspelled.
type Misspelling struct {
	word  string
	edits int // most edits allowed
}

// MisspellingOf returns a lower-case word as a misspelling. It returns false for a word
// that is too short or too long to correct, for one with a digit, which is never a
// misspelling of another, and for a script without spaces, which has no words to compare.
func MisspellingOf(word string) (Misspelling, bool) {
	word = withoutPossessive(word)
	n := utf8.RuneCountInString(word)
	switch {
	case n < minCorrected, n > maxCompared, text.HasUnspaced(word), strings.ContainsFunc(word, unicode.IsDigit):
		return Misspelling{}, false
	case n >= twoEditsFrom:
		return Misspelling{word, 2}, true
	}
	return Misspelling{word, 1}, true
}

// Fragments returns parts of the word, such that an edit or two leave at least one of
// them intact. They are in order of how selective they are. Beginnings come before
// endings, because they are misspelled less often.
func (m Misspelling) Fragments() []string {
	r := []rune(m.word)
	n := len(r)
	cuts := [][2]int{{0, max(4, n*2/3)}, {n - max(minEnding, n/2), n}, {0, max(minEnding, n/2)}, {n/2 - 2, n/2 + 2}}
	var out []string
	for _, c := range cuts {
		if fragment := string(r[max(c[0], 0):min(c[1], n)]); len(out) < MaxFragments && !slices.Contains(out, fragment) {
			out = append(out, fragment)
		}
	}
	return out
}

// Closest returns the terms of the words in some texts that are the fewest edits away
// from the word, within the edits allowed.
func (m Misspelling) Closest(texts iter.Seq[string]) []string {
	var out []string
	target, edits := []rune(m.word), m.edits
	for s := range texts {
		for _, w := range text.Words(s) {
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

// editDistance returns the Damerau-Levenshtein distance of two words: the number of
// letters inserted, deleted, replaced or transposed with their neighbor. It returns
// most+1 if the distance exceeds most, and also if the words begin with different
// letters, unless the first two are transposed.
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

// withoutPossessive returns a word without a possessive ending.
func withoutPossessive(word string) string {
	return strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
}
