package main

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is the number of columns of a terminal; 0 for anything else, which
// means that lines may be of any length.
func width(stream io.Writer) int {
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

// style colors text for a terminal. The zero style leaves it as it is.
type style struct{ on bool }

// styleFor colors what goes to a terminal unless colors are unwanted.
func (a *app) styleFor(stream io.Writer) style {
	return style{on: isTerminal(stream) && !a.flags.noColor && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"}
}

func (s style) strong(text string) string { return s.paint("1", text) }
func (s style) faint(text string) string  { return s.paint("2", text) }
func (s style) alarm(text string) string  { return s.paint("31", text) }

// paint wraps text in an SGR sequence (ECMA-48, 8.3.117).
func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// clean makes text from memory safe for a terminal and keeps it on one line:
// white space becomes single spaces, and characters that are not printed
// (escape sequences, direction overrides) become a replacement mark.
func clean(text string) string {
	return strings.Map(printable, strings.Join(strings.Fields(text), " "))
}

// cleanLines is clean for a text that is shown word for word: its lines and
// their indentation stay.
func cleanLines(text string) string {
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

// quote cleans, shortens and quotes text from outside for a message.
func quote(text string) string {
	return "\"" + cut(clean(text), 40) + "\""
}
