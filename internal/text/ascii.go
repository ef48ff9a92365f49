package text

import (
	"strings"
	"unicode/utf8"
)

// asciiKind is what an ASCII character is to the word boundaries of UAX #29.
type asciiKind uint8

const (
	between   asciiKind = iota // it belongs to no word
	letter                     // ALetter
	digit                      // Numeric
	underline                  // ExtendNumLet
	joins                      // MidNumLet or Single_Quote: inside a word or a number
	joinsWord                  // MidLetter
	joinsNum                   // MidNum
)

// asciiKinds are the kinds of all ASCII characters.
var asciiKinds = func() (kinds [utf8.RuneSelf]asciiKind) {
	for c := range kinds {
		switch c := byte(c); {
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

// appendASCIIWords appends the words of an ASCII text, as [Words] returns them.
// The rules of UAX #29 are few there, and most texts are ASCII: it takes a fifth
// of the time of those for all scripts.
func appendASCIIWords(out []string, s string) []string {
	for i := 0; i < len(s); {
		end, named := asciiWord(s[i:])
		if named {
			out = append(out, strings.ToLower(s[i:i+end]))
		}
		i += max(end, 1)
	}
	return out
}

// asciiWord returns the length of the word that s begins with, 0 for none, and
// whether it has a letter or digit.
func asciiWord(s string) (end int, named bool) {
	last := between
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

// joinsBoth reports whether a character joins its neighbors to one word.
func joinsBoth(before, kind, after asciiKind) bool {
	switch {
	case before == letter && after == letter:
		return kind == joins || kind == joinsWord
	case before == digit && after == digit:
		return kind == joins || kind == joinsNum
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
