package learnings

import (
	"strings"
	"unicode"
)

// Neutral returns s as harmless text on one line of at most limit characters:
// white space collapsed, control and format characters (also those that hide
// text or turn its direction) removed, and the marks of HTML, code and
// strike-through replaced by look-alikes, so that a lesson can neither break
// the file nor pose as something else in a prompt. What is cut ends in an
// ellipsis.
func Neutral(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		case r == '`':
			return '\''
		case r == '~':
			return '∼'
		case unicode.In(r, unicode.C), unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return cut(strings.Join(strings.Fields(s), " "), limit)
}

// cut shortens s to limit characters.
func cut(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return strings.TrimRight(string(runes[:max(limit-1, 0)]), " ") + "…"
}

// toolName returns the name of a tool as it can stand between asterisks.
func toolName(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("_-./:", r) {
			return r
		}
		return '_'
	}, strings.TrimSpace(Neutral(s, MaxTool)))
	if s == "" {
		return "unknown"
	}
	return s
}
