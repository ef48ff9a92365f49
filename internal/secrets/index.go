package secrets

import "strings"

// index finds many short literals in one pass over a text. Two table lookups dismiss most
// bytes, one for the byte and one for the next.
type index struct {
	// second[c] has bit b&63 set if an anchor begins with the bytes c, b.
	second [256]uint64
	// bucket[c][b&63] is the index in buckets of those anchors; bucket 0 is empty.
	bucket  [256][64]uint16
	buckets [][]anchor
	// third[n] has bit b&63 set if an anchor in buckets[n] has b as its third byte.
	third []uint64
}

// anchor is a literal and the function to call where it occurs.
type anchor struct {
	literal string // in lower case if fold
	fold    bool
	hit     func(s *scanner, at int)
}

func newIndex() *index { return &index{buckets: make([][]anchor, 1), third: make([]uint64, 1)} }

// add registers a literal of at least two bytes. With fold, ASCII letters match
// in either case.
func (ix *index) add(literal string, fold bool, hit func(s *scanner, at int)) {
	if fold {
		literal = lowerASCII(literal)
	}
	a := anchor{literal: literal, fold: fold, hit: hit}
	for _, c := range cases(literal[0], fold) {
		for _, d := range cases(literal[1], fold) {
			ix.second[c] |= 1 << (d & 63)
			n := &ix.bucket[c][d&63]
			if *n == 0 {
				*n = uint16(len(ix.buckets))
				ix.buckets, ix.third = append(ix.buckets, nil), append(ix.third, 0)
			}
			if len(literal) == 2 {
				ix.third[*n] = ^uint64(0)
			} else {
				for _, e := range cases(literal[2], fold) {
					ix.third[*n] |= 1 << (e & 63)
				}
			}
			ix.buckets[*n] = append(ix.buckets[*n], a)
		}
	}
}

// scan calls the functions of the anchors in a text, in order, and returns the scanner
// that it passed to them: nil if there was none, as in most texts.
func (ix *index) scan(text string) *scanner {
	var s *scanner
	for i := 0; i+1 < len(text); i++ {
		c := text[i]
		if ix.second[c]&(1<<(text[i+1]&63)) == 0 {
			continue
		}
		n := ix.bucket[c][text[i+1]&63]
		if i+2 < len(text) && ix.third[n]&(1<<(text[i+2]&63)) == 0 {
			continue
		}
		for _, a := range ix.buckets[n] {
			if hasPrefix(text[i:], a.literal, a.fold) {
				if s == nil {
					s = &scanner{text: text}
				}
				a.hit(s, i)
			}
		}
	}
	return s
}

func cases(c byte, fold bool) []byte {
	if fold && 'a' <= c && c <= 'z' {
		return []byte{c, c - 'a' + 'A'}
	}
	return []byte{c}
}

// hasPrefix reports whether text begins with the literal. With fold, it ignores ASCII
// case, and the literal is in lower case.
func hasPrefix(text, literal string, fold bool) bool {
	if !fold {
		return strings.HasPrefix(text, literal)
	}
	if len(text) < len(literal) {
		return false
	}
	for i := 0; i < len(literal); i++ {
		if lower(text[i]) != literal[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { c = lower(c); return 'a' <= c && c <= 'z' }

func isAlnum(c byte) bool { return isDigit(c) || isLetter(c) }

// isWordByte reports whether c may occur in a token or an identifier.
func isWordByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }
