package extract

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needed returns the longest string that stands in every text which an expression
// matches, in small letters, though it may stand there in others; empty for none
// that is known.
func needed(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return longestPlain(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needed(re.Sub[0])
		}
	case syntax.OpAlternate:
		common := needed(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			common = longestCommon(common, needed(sub))
		}
		return common
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if s := needed(sub); len(s) > len(longest) {
				longest = s
			}
		}
		return longest
	}
	return ""
}

// longestCommon returns the longest string that stands in both, without spaces
// before it.
func longestCommon(a, b string) string {
	for n := len(a); n > 0; n-- {
		for i := 0; i+n <= len(a); i++ {
			if strings.Contains(b, a[i:i+n]) {
				return strings.TrimLeft(a[i:i+n], " ")
			}
		}
	}
	return ""
}

// longestPlain returns the longest part of a literal that is ASCII in every case, in
// small letters: an s may stand for a long s, and a k for the sign of Kelvin.
func longestPlain(literal []rune) string {
	longest := ""
	for part := range strings.FieldsFuncSeq(string(literal), func(r rune) bool { return !plainInAnyCase(r) }) {
		part = strings.TrimLeft(part, " ") // which stands everywhere: it would be slow to look for
		if len(part) > len(longest) {
			longest = part
		}
	}
	return strings.ToLower(longest)
}

func plainInAnyCase(r rune) bool {
	if r >= utf8.RuneSelf {
		return false
	}
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		if other >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// holdsFold reports whether a text holds a string of ASCII in small letters, in
// whatever case.
func holdsFold(s, low string) bool {
	first := low[0]
	return holdsFrom(s, low, first) || 'a' <= first && first <= 'z' && holdsFrom(s, low, first-'a'+'A')
}

// holdsFrom is holdsFold where the string stands with this first character.
func holdsFrom(s, low string, first byte) bool {
	for {
		i := strings.IndexByte(s, first)
		if i < 0 || len(s)-i < len(low) {
			return false
		}
		if strings.EqualFold(s[i:i+len(low)], low) {
			return true
		}
		s = s[i+1:]
	}
}
