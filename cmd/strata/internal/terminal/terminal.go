// Package terminal knows what a terminal can show: how wide it is, whether it
// has colors, and which text from elsewhere is safe to print on it.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is the number of columns of a terminal; 0 for anything else, which
// means that lines may be of any length.
func Width(stream io.Writer) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil || w < 20 {
		return 0
	}
	return w
}

// Style colors text where Color is set. The zero Style leaves it as it is.
type Style struct{ Color bool }

// Strong returns text in bold.
func (s Style) Strong(text string) string { return s.paint("1", text) }

// Faint returns text that explains rather than answers.
func (s Style) Faint(text string) string { return s.paint("2", text) }

// Red returns text in red.
func (s Style) Red(text string) string { return s.paint("31", text) }

// Green returns text in green.
func (s Style) Green(text string) string { return s.paint("32", text) }

// paint wraps text in an SGR sequence (ECMA-48, 8.3.117).
func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
