package text

import (
	"strings"
	"unicode/utf8"
)

// asciiKind is the class of an ASCII character under the word boundary rules of UAX #29.
type asciiKind uint8

const (
	between   asciiKind = iota // not part of any word
	letter                     // ALetter
	digit                      // Numeric
	underline                  // ExtendNumLet
	joins                      // MidNumLet or Single_Quote: inside a word or a number
	joinsWord                  // MidLetter
	joinsNum                   // MidNum
)

// asciiKinds holds the kind of each ASCII character. It has an element for each byte, so
// that no index is out of range.
var asciiKinds = func() (kinds [256]asciiKind) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			kinds[c] = letter
		case '0' <= c && c <= '9':
			kinds[c] = digit
		}
	}
	kinds['_'], kinds['.'], kinds['\''], kinds[':'] = underline, joins, joins, joinsWord
	kinds[','], kinds[';'] = joinsNum, joinsNum
	return kinds
}()

// asciiWords implements Words for ASCII texts, which most texts are. Only few rules of
// UAX #29 apply to them, so it takes a fifth of the time needed for all scripts.
func asciiWords(s string) []string {
	s = strings.ToLower(s)
	out := make([]string, 0, len(s)/5+1)
	for i := 0; i < len(s); {
		end, named := asciiWord(s[i:])
		if named {
			out = append(out, s[i:i+end])
		}
		i += max(end, 1)
	}
	return out
}

// asciiWord returns the length of the word at the beginning of s, or 0 if there is none,
// and whether the word has a letter or digit.
func asciiWord(s string) (end int, named bool) {
	for end < len(s) && asciiKinds[s[end]] == letter { // most words consist only of letters
		end++
	}
	last := between
	if end > 0 {
		last, named = letter, true
	}
	for end < len(s) {
		kind := asciiKinds[s[end]]
		switch {
		case kind == letter || kind == digit:
			named = true
		case kind == underline:
		case end+1 < len(s) && joinsBoth(last, kind, asciiKinds[s[end+1]]):
		default:
			return end, named
		}
		last = kind
		end++
	}
	return end, named
}

// joinsBoth reports whether a character joins its neighbors into one word.
func joinsBoth(before, kind, after asciiKind) bool {
	switch {
	case before == letter && after == letter:
		return kind == joins || kind == joinsWord
	case before == digit && after == digit:
		return kind == joins || kind == joinsNum
	}
	return false
}

// normalizeASCII implements Normalize for ASCII texts.
func normalizeASCII(s string) string {
	if !isSpacedOnce(s) {
		s = strings.Join(strings.Fields(s), " ")
	}
	return strings.ToLower(s)
}

// isSpacedOnce reports whether all white space of an ASCII text is single spaces between
// other characters.
func isSpacedOnce(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c == ' ' && before == ' ' || '\t' <= c && c <= '\r' {
			return false
		}
		before = c
	}
	return before != ' ' || s == ""
}

// IsNumber reports whether s consists of ASCII digits. It returns false for "".
func IsNumber(s string) bool {
	for i := range len(s) {
		if asciiKinds[s[i]] != digit {
			return false
		}
	}
	return s != ""
}

// IsASCII reports whether s has only ASCII characters.
func IsASCII(s string) bool {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if s[i]|s[i+1]|s[i+2]|s[i+3]|s[i+4]|s[i+5]|s[i+6]|s[i+7] >= utf8.RuneSelf {
			return false
		}
	}
	for ; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
