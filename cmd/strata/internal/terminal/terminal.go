// Package terminal determines what a terminal can show: its width, whether it has colors
// and letters beyond ASCII, and which text from outside is safe to print on it.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// leastWidth is the narrowest screen that lines are fitted to, in columns. On a narrower
// one there would be more line breaks than words.
const leastWidth = 10

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns the number of columns to fit lines to: the width of a terminal, or else
// the value of the variable COLUMNS, if exported. It is 0 if neither is known, as in a
// pipe: programs get one line per item, of any length.
func Width(stream io.Writer, getenv func(string) string) int {
	if f, ok := stream.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w >= leastWidth {
			return w
		}
	}
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n >= leastWidth {
		return n
	}
	return 0
}

// HasUTF8 reports whether the locale has letters beyond ASCII. If no variable names a
// locale, as in most containers, it assumes so.
func HasUTF8(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return true
}

// Style colors text if Color is set. The zero Style leaves text as it is.
type Style struct{ Color bool }

// Strong returns text in bold.
func (s Style) Strong(text string) string { return s.paint("1", text) }

// Faint returns text in the style of explanations.
func (s Style) Faint(text string) string { return s.paint("2", text) }

// Red returns text in red.
func (s Style) Red(text string) string { return s.paint("31", text) }

// Green returns text in green.
func (s Style) Green(text string) string { return s.paint("32", text) }

// kinds are the colors of words for the kind of something, or for what became of it. They
// tell neighboring lines apart; red is for what is gone.
var kinds = map[string]string{
	"fact": "32", "turn": "35", "section": "34", "note": "34", "skill": "34",
	"user": "36", "feedback": "35", "project": "34", "reference": "33",
	"added": "32", "updated": "33", "replaced": "33", "renamed": "33", "deleted": "31", "forgotten": "31", "rejected": "31",
	"error": "31", "correction": "33", "active": "32", "proposed": "33", "archived": "2", "unchanged": "2",
}

// Kind colors a word that names a kind. Any other word is faint.
func (s Style) Kind(word string) string {
	if code, ok := kinds[word]; ok {
		return s.paint(code, word)
	}
	return s.Faint(word)
}

// paint wraps text in an SGR sequence (ECMA-48, 8.3.117).
func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bytes formats a size in binary units.
func Bytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
}
