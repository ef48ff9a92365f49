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
	// minCorrected is the length, in characters, of the shortest word that is
	// taken for misspelt: nearly every shorter one is one edit away from another
	// word.
	minCorrected = 5
	// twoEditsFrom is the length, in characters, from which two edits are allowed
	// instead of one.
	twoEditsFrom = 8
	// minEnding is the shortest ending that is a fragment, in characters.
	minEnding = 3
	// maxCompared is the length of the longest word that is compared, in characters.
	maxCompared = 32
)

// MaxFragments is the most fragments of a word.
const MaxFragments = 4

// Misspelling is a word of a question that may be misspelt.
type Misspelling struct {
	word  string
	edits int // that are allowed
}

// MisspellingOf returns a word of lower case as a misspelling. It reports false for
// one that is too short or too long to be corrected, for a number, which is never
// taken for another, and for a script without spaces, which has no words to compare.
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

// Fragments returns parts of the word of which an edit or two leave one as it was,
// the most selective first. Beginnings come before endings, as they are misspelt
// less often.
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

// Closest returns the terms of the words of some texts that are the fewest edits away
// from the word, and no more than are allowed.
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

// withoutPossessive returns a word without the ending of a possessive.
func withoutPossessive(word string) string {
	return strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
}
