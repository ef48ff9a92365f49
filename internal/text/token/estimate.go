package token

import (
	_ "embed"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Estimate estimates tokens from the characters of a text. It reads the text once, at a
// few hundred megabytes a second. For each character, it adds the average number of
// tokens that begin there, given that character and the two before it. This separates
// common words from rare ones, languages and scripts from one another, and prose from
// code, indentation, identifiers and encoded data.
//
// Each average is the greater of those of cl100k and o200k, so the estimate tends to be
// high. [Calibration] fits it to other tokenizers.
type Estimate struct{}

// Count returns the raw estimate of the tokens of s.
func (Estimate) Count(s string) int {
	if s == "" {
		return 0
	}
	costs := layOut()
	sum, prev := 0, symNone
	word := 0 // the last three letters, five bits each
	run := 0  // number of repeats of the last character
	for i := 0; i < len(s); {
		b := s[i]
		c := int(costs.narrow[b])
		if c == symWide {
			r, size := utf8.DecodeRuneInString(s[i:])
			c = wide(r, size)
			sum += int(costs.pairs[prev<<7|c])
			word, prev, run = 0, c, 0
			i += size
			continue
		}
		if i > 0 && b == s[i-1] {
			if run++; run >= longRun {
				sum += int(costs.runs[c])
				i++
				continue
			}
		} else {
			run = 0
		}
		i++
		if c <= letters && uint(prev-1) < letters {
			word = (word<<5 | c) & (1<<15 - 1)
			sum += int(costs.triples[word])
		} else {
			if c == symDigit {
				c = digitAfter(prev)
			}
			sum += int(costs.pairs[prev<<7|c])
			word = (word<<5 | int(costs.folded[c])) & (1<<15 - 1)
		}
		prev = c
	}
	return max(1, (sum+unit-1)/unit)
}

// unit is the value of one token in the table.
const unit = 64

// longRun is the number of repeats of a character from which each further one costs the
// same.
const longRun = 4

// The symbols are the characters that the estimate distinguishes. Lower-case letters are
// 1 to 26.
const (
	letters   = 26
	symNone   = 0 // before the text
	symUpper  = 1 + letters
	symDigit  = symUpper + letters // the first of three digits
	symDigit2 = symDigit + 1
	symDigit3 = symDigit + 2
	symASCII  = symDigit3 + 1 // white space and punctuation, one each
	symWide   = symASCII + 36 // beyond ASCII, by script
	symbols   = symWide + 26
)

// digitAfter returns the symbol of a digit after another symbol: tokenizers take three
// digits at a time.
func digitAfter(prev int) int {
	if prev == symDigit || prev == symDigit2 {
		return prev + 1
	}
	return symDigit
}

// narrowOf returns the symbol of each byte. All bytes outside of ASCII have symWide.
func narrowOf() (t [256]uint8) {
	next := uint8(symASCII + 1)
	for b := range t {
		switch c := byte(b); {
		case c >= utf8.RuneSelf:
			t[b] = symWide
		case c >= 'a' && c <= 'z':
			t[b] = 1 + c - 'a'
		case c >= 'A' && c <= 'Z':
			t[b] = symUpper + c - 'A'
		case c >= '0' && c <= '9':
			t[b] = symDigit
		case c == ' ', c == '\n', c == '\t', c > ' ' && c != 0x7f:
			t[b] = next
			next++
		default:
			t[b] = symASCII // control characters
		}
	}
	return t
}

// foldedOf returns the letter of each symbol without its case, from 1; 0 for other
// symbols.
func foldedOf() (t [128]uint8) {
	for i := range letters {
		t[1+i], t[symUpper+i] = uint8(1+i), uint8(1+i)
	}
	return t
}

// wide returns the symbol of a character beyond ASCII.
func wide(r rune, size int) int {
	k := 0
	switch {
	case size == 1: // not UTF-8
		k = 1
	case r < 0xc0: // Latin punctuation
		k = 2
	case r < 0x100:
		switch r {
		case 'á', 'é', 'í', 'ó', 'ú', 'ñ':
			k = 3
		case 'ä', 'ö', 'ü', 'ß':
			k = 4
		default:
			k = 5
		}
	case r < 0x250:
		k = 6
	case r < 0x370: // phonetic letters and combining marks
		k = 7
	case r < 0x400:
		k = 8 // Greek
	case r >= 0x430 && r < 0x450:
		k = 9 // Cyrillic, lower case
	case r < 0x530:
		k = 10
	case r < 0x600: // Armenian, Hebrew
		k = 11
	case r < 0x700: // Arabic
		k = 12
	case r < 0x1100: // Indic, Thai, Georgian and their neighbors
		k = 13
	case r < 0x1e00:
		k = 14
	case r < 0x2000: // Latin and Greek with further marks
		k = 15
	case r < 0x2070: // typographic punctuation
		k = 16
	case r < 0x2500:
		k = 17
	case r < 0x2600: // lines and boxes
		k = 18
	case r < 0x3000:
		k = 19
	case r < 0x3040: // punctuation of CJK
		k = 20
	case r < 0x3100: // kana
		k = 21
	case r < 0xa000: // Han
		k = 22
	case r >= 0xac00 && r < 0xd7b0: // Hangul
		k = 23
	case unicode.Is(unicode.Variation_Selector, r):
		k = 24
	case r < 0x10000:
		k = 25
	}
	return symWide + k // 0: emoji and rare scripts
}

// table holds, in 64ths of a token, how many tokens begin on average at a
// character: by it and the one before, by the two letters before, and in a run
// of one character. It was counted with cl100k and o200k over 12 MB of prose in
// 11 languages, chat, code in Go, Python and SQL, JSON and encoded data, none
// of it of this project; fit_test.go is how.
//
//go:embed estimate.table
var table string

// costs is the table laid out so that shifts find a cell, along with the lookup of
// symbols.
type costs struct {
	pairs   [1 << 14]uint8 // before<<7 | character
	triples [1 << 15]uint8 // three letters, five bits each
	runs    [128]uint8
	narrow  [256]uint8
	folded  [128]uint8
}

// layOut returns the table as costs. It is computed once.
var layOut = sync.OnceValue(func() *costs {
	t := &costs{narrow: narrowOf(), folded: foldedOf()}
	next := 0
	take := func() uint8 { next++; return table[next-1] }
	for prev := range symbols {
		for c := range symbols {
			t.pairs[prev<<7|c] = take()
		}
	}
	for before := range letters + 1 {
		for prev := range letters {
			for c := range letters {
				t.triples[before<<10|(prev+1)<<5|(c+1)] = take()
			}
		}
	}
	for c := range symbols {
		t.runs[c] = take()
	}
	return t
})
