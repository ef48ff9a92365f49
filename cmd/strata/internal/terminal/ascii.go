package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ornaments are the characters that Strata itself prints, and what stands for them
// where there is ASCII alone.
var ornaments = strings.NewReplacer(" · ", ", ", "·", ",", "…", "...", "›", ">", "×", "x", "–", "-", "—", "-",
	"‘", "'", "’", "'", "“", `"`, "”", `"`, "\u00a0", " ", "•", "*", "│", "|", "─", "-")

// asciiWriter writes to a terminal that has ASCII alone.
type asciiWriter struct{ w io.Writer }

// Letters returns a writer to a screen that writes letters the screen has: those of
// [ASCII] where the locale has no UTF-8. Each Write has whole letters.
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
