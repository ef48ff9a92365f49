package decide

import (
	"strings"
	"unicode"

	"github.com/strata-memory/strata/internal/text"
)

// Bounds of what a decision says. A reason is read in a table or a log line.
const (
	maxReason = 240 // bytes, promised by strata.Decision
	maxQuote  = 100 // bytes of a fact quoted in a reason
)

// quote quotes the start of a fact's text. Only the reason of a decision that
// holds the fact itself may quote it: forgetting the fact blanks that reason,
// while a part of its text in any other would stay behind.
func quote(s string) string { return `"` + oneLine(s, maxQuote) + `"` }

// oneLine returns s on one line of printable characters, cut to at most n bytes
// with an ellipsis.
func oneLine(s string, n int) string {
	if len(s) <= n && isOneLine(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return strings.TrimRight(text.Head(s, max(n-len("…"), 0)), " ") + "…"
}

// isOneLine reports whether a text of ASCII characters is one line as oneLine makes
// it, as nearly all are.
func isOneLine(s string) bool {
	last := byte(' ') // no space at the beginning, at the end or after another
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == ' ' && last == ' ' {
			return false
		}
		last = s[i]
	}
	return last != ' '
}
