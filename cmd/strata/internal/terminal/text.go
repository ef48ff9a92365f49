package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Clean makes text from memory safe for a terminal and puts it on one line: white space
// becomes single spaces, and unprintable characters (escape sequences, direction
// overrides) become a replacement mark.
func Clean(text string) string {
	return strings.Map(printable, strings.Join(strings.Fields(text), " "))
}

// CleanLines is Clean for text that is shown word for word: it keeps lines and their
// indentation.
func CleanLines(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(text)
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return printable(r)
	}, text)
}

// printable returns r, or a replacement mark if it is not printable.
func printable(r rune) rune {
	switch {
	case unicode.IsPrint(r), r == '\u200d': // joins emoji and letters of several scripts
		return r
	case unicode.IsSpace(r) && r != '\r':
		return ' '
	}
	return unicode.ReplacementChar
}

// Cut shortens text to a number of columns, with an ellipsis at the end. It cuts between
// words if there are any, and counts columns as a terminal does: a wide character takes
// two.
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

// ornaments maps the non-ASCII characters that Strata itself prints to their replacements
// in ASCII.
var ornaments = strings.NewReplacer(" · ", ", ", "·", ",", "…", "...", "›", ">", "×", "x", "–", "-", "—", "-",
	"‘", "'", "’", "'", "“", `"`, "”", `"`, "\u00a0", " ", "•", "*", "│", "|", "─", "-")

// asciiWriter writes to a terminal that has only ASCII.
type asciiWriter struct{ w io.Writer }

// Letters returns a writer to a screen that replaces letters the screen lacks: if the
// locale does not have UTF-8, it writes [ASCII]. Each Write must contain whole letters.
func Letters(w io.Writer, getenv func(string) string) io.Writer {
	if HasUTF8(getenv) {
		return w
	}
	return asciiWriter{w}
}

func (a asciiWriter) Write(data []byte) (int, error) {
	if _, err := io.WriteString(a.w, ASCII(string(data))); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Ornaments replaces the characters that Strata itself prints by ASCII, and leaves
// letters alone.
func Ornaments(text string) string { return ornaments.Replace(text) }

// ASCII converts text for a terminal that has only ASCII. Any other letter becomes its
// code, such as \u00e9, so that different texts stay different.
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
