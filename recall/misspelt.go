package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// minSpelt is the fewest letters of a word that is taken for misspelt:
	// nearly every shorter one is a letter away from some other word.
	minSpelt = 5
	// longSpelt is the length from which two slips are forgiven instead of one.
	longSpelt = 8
	// maxPieces is the most pieces of a word that the store is asked for, of a
	// scope of more than manyPassages maxPiecesLarge: there each costs up to
	// some milliseconds.
	maxPieces      = 4
	maxPiecesLarge = 2
	manyPassages   = 200_000
	// pieceTries bounds the texts that are looked at for a piece in such a scope.
	// Most that have its groups of three letters have them in several words: of
	// 10,000 to 30,000 passages none held the piece, after up to 70 milliseconds.
	pieceTries = 2048
	// readSpelt is how many passages that hold a piece are read for the word
	// that was meant.
	readSpelt = 24
	// maxMeant is the most words that one may stand for.
	maxMeant = 3
	// meantCount is what a word counts that is like one of the question.
	meantCount = 0.7
)

// meant looks for the words that a word which no passage holds may have been
// meant to be: of those in passages that hold a piece of it, the ones that are
// fewest slips away. It tells whether any was found.
func (f *finder) meant(ctx context.Context, feature int) (bool, error) {
	word := possessor(f.look.words[feature])
	slips := allowedSlips(word)
	if slips == 0 {
		return false, nil
	}
	var terms []string
	for _, p := range f.pools {
		pieces := piecesOf(word)
		if p.total > manyPassages {
			pieces = pieces[:min(len(pieces), maxPiecesLarge)]
		}
		for _, piece := range pieces {
			found, err := f.holdingPiece(ctx, p, piece)
			if err != nil {
				return false, err
			}
			if len(found) == 0 {
				continue
			}
			found = found[:min(len(found), readSpelt)]
			numbers := make([]int64, len(found))
			for i, m := range found {
				numbers[i] = m.Number
			}
			items, err := f.r.Items(ctx, p.scope, numbers)
			if err != nil {
				return false, fmt.Errorf("read what is spelt alike in %s: %w", p.scope, err)
			}
			if alike := spelt(word, items, slips); len(alike) > 0 {
				terms = append(terms, alike...)
				break
			}
		}
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	return len(terms) > 0, f.stand(ctx, feature, terms[:min(len(terms), maxMeant)])
}

// holdingPiece returns the newest passages of a pool that hold a piece of a word.
// The same piece may be looked for in two ways, and is searched for once.
func (f *finder) holdingPiece(ctx context.Context, p *pool, piece string) ([]store.Meta, error) {
	if found, ok := p.holding[piece]; ok {
		return found, nil
	}
	filter := p.filter
	if p.total > manyPassages {
		filter.Tries = pieceTries
	}
	found, err := f.r.MatchSubstring(ctx, p.scope, piece, filter, maxPartHits)
	if err != nil {
		return nil, fmt.Errorf("match a piece of a word in %s: %w", p.scope, err)
	}
	if p.holding == nil {
		p.holding = make(map[string][]store.Meta)
	}
	p.holding[piece] = found
	return found, nil
}

// possessor is a word without the ending of a possessive.
func possessor(word string) string {
	return strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
}

// stand lets some terms stand for a word of the question. They are looked for
// beside its other words, as if it had been spelt right: most passages that hold
// a common one are no candidates, and some that hold it beside other common ones
// were left out before.
func (f *finder) stand(ctx context.Context, feature int, terms []string) error {
	if len(terms) == 0 {
		return nil
	}
	others := len(f.look.terms)
	asked := slices.Concat(f.look.terms, terms)
	for _, p := range f.pools {
		filter := p.filter
		filter.Enough, filter.Contenders, filter.Most = enough, f.reads, f.most(filter)
		m, err := f.r.Match(ctx, p.scope, asked, filter)
		if err != nil {
			return fmt.Errorf("match words that may be meant in %s: %w", p.scope, err)
		}
		hits := roomForHits(m)
		for i, found := range m.Terms {
			for _, h := range found {
				switch {
				case i < others:
					hits[h.Passage] = append(hits[h.Passage], hit{int32(i), float32(h.Count)})
				case !holds(hits[h.Passage], int32(feature)):
					hits[h.Passage] = append(hits[h.Passage], hit{int32(feature), meantCount})
				}
			}
		}
		p.merge(m.Passages, hits)
		for _, n := range m.Frequency[others:] {
			f.look.df[feature] += n
		}
	}
	return nil
}

// allowedSlips is how many slips are forgiven in a lower-case word. Numbers are
// never meant to be others, and scripts without spaces have no words to compare.
func allowedSlips(word string) int {
	n := utf8.RuneCountInString(word)
	if n < minSpelt || n > maxAlike || text.HasUnspaced(word) || strings.ContainsFunc(word, unicode.IsDigit) {
		return 0
	}
	if n >= longSpelt {
		return 2
	}
	return 1
}

// piecesOf returns parts of a word of which a slip or two leave one as it was,
// those first that tell the most and that people seldom get wrong: beginnings.
func piecesOf(word string) []string {
	r := []rune(word)
	n := len(r)
	cuts := [][2]int{{0, max(4, n*2/3)}, {n - max(minSubstring, n/2), n}, {0, max(minSubstring, n/2)}, {n/2 - 2, n/2 + 2}}
	var out []string
	for _, c := range cuts {
		if piece := string(r[max(c[0], 0):min(c[1], n)]); len(out) < maxPieces && !slices.Contains(out, piece) {
			out = append(out, piece)
		}
	}
	return out
}

// spelt returns the terms of the words in some passages that are the fewest
// slips away from a word, and at most so many.
func spelt(word string, items []store.Item, slips int) []string {
	var out []string
	target := []rune(word)
	for _, it := range items {
		for _, w := range text.Words(indexedText(it)) {
			n := slipsBetween(target, w, slips)
			if n > slips {
				continue
			}
			if n < slips {
				slips, out = n, out[:0]
			}
			if term := text.Term(w); term != "" && !slices.Contains(out, term) {
				out = append(out, term)
			}
		}
	}
	return out
}

// indexedText is what was indexed of a passage.
func indexedText(it store.Item) string {
	switch {
	case it.Fact != nil:
		return FactText(*it.Fact)
	case it.Turn != nil:
		return TurnText(*it.Turn)
	case it.Section != nil:
		d := strata.Document{}
		if it.Document != nil {
			d = *it.Document
		}
		return SectionText(d, *it.Section)
	}
	return ""
}

// maxAlike is the length of the longest word that is compared, in characters.
const maxAlike = 32

// slipsBetween counts the letters to insert, leave out, change or exchange with
// their neighbor to make one word of another; most+1 where that takes more than
// most. Of a word that begins otherwise only an exchange is forgiven.
func slipsBetween(a []rune, word string, most int) int {
	if len(word) > 4*maxAlike {
		return most + 1
	}
	b := []rune(word)
	if len(a) > maxAlike || len(b) > maxAlike || max(len(a)-len(b), len(b)-len(a)) > most || len(a) == 0 || len(b) == 0 {
		return most + 1
	}
	if a[0] != b[0] && (len(a) < 2 || len(b) < 2 || a[0] != b[1] || a[1] != b[0]) {
		return most + 1
	}
	var rows [3][maxAlike + 1]int
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
