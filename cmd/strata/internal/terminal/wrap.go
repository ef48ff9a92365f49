package terminal

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Columns returns the width of a text on a terminal. A wide character takes two columns,
// and the sequences of a [Style] take none.
func Columns(text string) int {
	if strings.IndexByte(text, '\x1b') < 0 {
		return uniseg.StringWidth(text)
	}
	var plain strings.Builder
	for {
		before, rest, found := strings.Cut(text, "\x1b[")
		plain.WriteString(before)
		if !found {
			return uniseg.StringWidth(plain.String())
		}
		_, text, _ = strings.Cut(rest, "m")
	}
}

// Wrap breaks a text between words into lines of at most the given number of columns. A
// longer word, such as an address, gets its own line and is not cut. Scripts written
// without spaces are broken where Unicode allows it.
func Wrap(text string, columns int) []string {
	return strings.Split(Fold(strings.Join(strings.Fields(text), " "), columns, 0), "\n")
}

// Fold is Wrap for lines that are laid out: it keeps the spaces between words, and
// indents the continuation of a line like the line, plus hang columns.
func Fold(text string, columns, hang int) string {
	var out strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		if Columns(line) <= columns {
			out.WriteString(line)
			continue
		}
		foldLine(&out, line, columns, hang)
	}
	return out.String()
}

// foldLine writes one line that is too long.
func foldLine(out *strings.Builder, line string, columns, hang int) {
	words := strings.TrimLeft(line, " ")
	indent := len(line) - len(words)
	if indent > columns/2 {
		indent = 0 // otherwise there would be no room for words
	}
	out.WriteString(strings.Repeat(" ", indent))
	used, begun := indent, false
	for words != "" {
		word := words[:len(words)-len(strings.TrimLeft(words, " "))]
		gap := len(word)
		words = words[gap:]
		if word, words = nextWord(words); word == "" {
			return // trailing spaces
		}
		width := Columns(word)
		switch {
		case !begun:
		case used+gap+width > columns:
			used, gap = indent+hang, 0
			out.WriteString("\n" + strings.Repeat(" ", used))
		default:
			out.WriteString(strings.Repeat(" ", gap))
			used += gap
		}
		out.WriteString(word)
		used, begun = used+width, true
	}
}

// nextWord cuts the first word off a text. Wide characters belong to scripts without
// spaces, which may be broken where Unicode's rules (UAX #14) allow it.
func nextWord(text string) (word, rest string) {
	end := strings.IndexByte(text, ' ')
	if end < 0 {
		end = len(text)
	}
	word, rest = text[:end], text[end:]
	if strings.IndexByte(word, '\x1b') >= 0 || uniseg.StringWidth(word) == uniseg.GraphemeClusterCount(word) {
		return word, rest
	}
	part, _, _, _ := uniseg.FirstLineSegmentInString(word, -1)
	return part, text[len(part):]
}
