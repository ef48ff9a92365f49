package terminal

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Clean makes text from memory safe for a terminal and keeps it on one line:
// white space becomes single spaces, and characters that are not printed
// (escape sequences, direction overrides) become a replacement mark.
func Clean(text string) string {
	return strings.Map(printable, strings.Join(strings.Fields(text), " "))
}

// CleanLines is Clean for a text that is shown word for word: its lines and
// their indentation stay.
func CleanLines(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(text)
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return printable(r)
	}, text)
}

// printable is r, or a replacement mark for a character that is not printed.
func printable(r rune) rune {
	switch {
	case unicode.IsPrint(r), r == '\u200d': // joins emoji and letters of several scripts
		return r
	case unicode.IsSpace(r) && r != '\r':
		return ' '
	}
	return unicode.ReplacementChar
}

// Cut shortens text to a number of columns, with an ellipsis at the end. It cuts
// between words where there are any, and counts columns as a terminal does: a wide
// character takes two.
func Cut(text string, columns int) string {
	if uniseg.StringWidth(text) <= columns {
		return text
	}
	var out strings.Builder
	used := 0
	for g := uniseg.NewGraphemes(text); g.Next(); {
		if used += g.Width(); used > columns-1 {
			break
		}
		out.WriteString(g.Str())
	}
	if words := strings.LastIndexByte(out.String(), ' '); words > 0 {
		return strings.TrimRight(out.String()[:words], " ") + " …"
	}
	return out.String() + "…"
}

// Quote cleans, shortens and quotes text from outside for a message.
func Quote(text string) string {
	return `"` + Cut(Clean(text), 40) + `"`
}
