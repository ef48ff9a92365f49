package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ornaments are the characters that Strata itself prints, and what stands for them
// where there is ASCII alone.
var ornaments = strings.NewReplacer(" · ", ", ", "·", ",", "…", "...", "›", ">", "×", "x", "–", "-", "—", "-",
	"‘", "'", "’", "'", "“", `"`, "”", `"`, "\u00a0", " ")

// Ornaments writes what Strata itself prints in ASCII, and leaves letters as they are.
func Ornaments(text string) string { return ornaments.Replace(text) }

// ASCII writes text for a terminal that has ASCII alone. A letter that is none is
// written by its number, as \u00e9, so that different texts stay different.
func ASCII(text string) string {
	text = ornaments.Replace(text)
	if isASCII(text) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\U%08x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
