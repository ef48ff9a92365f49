package token

import (
	"unicode"
	"unicode/utf8"
)

// A text is split into pieces before bytes are merged; no token crosses their
// borders. The rules are part of the definition of a tokenizer, which states
// them as regular expressions. They are, with L letters and N numbers:
//
//	cl100k  's|'t|'re|'ve|'m|'ll|'d          in any case
//	        [^\r\nLN]?L+
//	        N{1,3}
//	         ?[^\sLN]+[\r\n]*
//	        \s*[\r\n]+
//	        \s+(?!\S)
//	        \s+
//	o200k   [^\r\nLN]?U*W+('s|'t|…)?         U: upper and title case
//	        [^\r\nLN]?U+W*('s|'t|…)?         W: lower case
//	        N{1,3}                           both: letters without case, marks
//	         ?[^\sLN]+[\r\n/]*
//	        and white space as above

// kind is a set of the classes that the rules distinguish.
type kind uint8

const (
	upper   kind = 1 << iota // may be in U
	lower                    // may be in W
	letter                   // L
	digit                    // N
	space                    // \s
	newline                  // \r or \n
)

// ascii holds the kinds of the ASCII characters.
var ascii = func() (t [utf8.RuneSelf]kind) {
	for b := range t {
		t[b] = kindOf(rune(b))
	}
	return t
}()

func kindOf(r rune) kind {
	switch {
	case r == '\n' || r == '\r':
		return space | newline
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.Ll, r):
		return letter | lower
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return letter | upper
	case unicode.In(r, unicode.Lm, unicode.Lo):
		return letter | upper | lower
	case unicode.IsNumber(r):
		return digit
	case unicode.IsMark(r):
		return upper | lower
	}
	return 0
}

// at returns the kind of the character at i and where the next one begins; at
// the end of s, 0 and i.
func at(s string, i int) (kind, int) {
	if i >= len(s) {
		return 0, i
	}
	if b := s[i]; b < utf8.RuneSelf {
		return ascii[b], i + 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return kindOf(r), i + size
}

// skip returns the end of the run of characters of one of these kinds.
func skip(s string, i int, kinds kind) int {
	for i < len(s) {
		k, next := at(s, i)
		if k&kinds == 0 {
			break
		}
		i = next
	}
	return i
}

// pieceCL100K returns the end of the piece of s at i.
func pieceCL100K(s string, i int) int {
	if end := contraction(s, i); end > i {
		return end
	}
	k, next := at(s, i)
	if k&letter != 0 {
		return skip(s, next, letter)
	}
	if after, _ := at(s, next); k&(newline|digit) == 0 && after&letter != 0 {
		return skip(s, next, letter)
	}
	return pieceOther(s, i, k, next, false)
}

// pieceO200K returns the end of the piece of s at i.
func pieceO200K(s string, i int) int {
	k, next := at(s, i)
	lead := k&(newline|letter|digit) == 0 // may precede a word
	end := -1
	if lead {
		end = word(s, next)
	}
	if end < 0 {
		end = word(s, i)
	}
	if end < 0 && lead {
		end = capitals(s, next)
	}
	if end < 0 {
		end = capitals(s, i)
	}
	if end >= 0 {
		return contraction(s, end)
	}
	return pieceOther(s, i, k, next, true)
}

// word returns the end of U*W+ at i, or -1.
func word(s string, i int) int {
	end := -1 // behind the last character that may be lower case
	for i < len(s) {
		k, next := at(s, i)
		if k&upper == 0 {
			if k&lower != 0 {
				return skip(s, next, lower)
			}
			break
		}
		if k&lower != 0 {
			end = next
		}
		i = next
	}
	return end
}

// capitals returns the end of U+W* at i, or -1, where there is no U*W+.
func capitals(s string, i int) int {
	if end := skip(s, i, upper); end > i {
		return end
	}
	return -1
}

// pieceOther returns the end of a piece of numbers, punctuation or white space,
// which begins at i with a character of kind k that ends at next.
func pieceOther(s string, i int, k kind, next int, slash bool) int {
	if k&digit != 0 {
		for range 2 {
			if k, after := at(s, next); k&digit != 0 {
				next = after
			}
		}
		return next
	}
	other := i
	if s[i] == ' ' {
		other = next
	}
	if end := punctuation(s, other); end > other {
		for end < len(s) && (s[end] == '\n' || s[end] == '\r' || slash && s[end] == '/') {
			end++
		}
		return end
	}
	return whiteSpace(s, i)
}

// punctuation returns the end of the run of what is no letter, number or space.
func punctuation(s string, i int) int {
	for i < len(s) {
		k, next := at(s, i)
		if k&(space|letter|digit) != 0 {
			break
		}
		i = next
	}
	return i
}

// whiteSpace returns the end of a piece of white space: up to the last line end
// of the run, else all but the character that goes with what follows.
func whiteSpace(s string, i int) int {
	line, last, end := -1, i, i
	for end < len(s) {
		k, next := at(s, end)
		if k&space == 0 {
			break
		}
		if k&newline != 0 {
			line = next
		}
		last, end = end, next
	}
	switch {
	case line >= 0:
		return line
	case end < len(s) && last > i:
		return last
	}
	return end
}

// contraction returns the end of 's, 't, 're, 've, 'm, 'll or 'd at i, in any
// case; i if there is none.
func contraction(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	switch s[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	}
	if i+2 < len(s) {
		switch string([]byte{s[i+1] | 0x20, s[i+2] | 0x20}) {
		case "re", "ve", "ll":
			return i + 3
		}
	}
	return i
}
