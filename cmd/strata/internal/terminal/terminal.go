// Package terminal knows what a terminal can show: how wide it is, whether it
// has colors and letters beyond ASCII, and which text from elsewhere is safe to
// print on it.
package terminal

import (
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// leastWidth is the narrowest screen that lines are fitted to, in columns. Below
// it there would be more line breaks than words.
const leastWidth = 10

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is the number of columns that lines are fitted to: that of a terminal,
// else the one that the variable COLUMNS names, where somebody exports it. It is
// 0 where nothing says, as in a pipe: what a program may read has one line for
// each thing, of any length.
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

// HasUTF8 reports whether the locale has letters beyond ASCII. Where no variable
// names a locale, as in most containers, it is taken for one that has them.
func HasUTF8(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return true
}
