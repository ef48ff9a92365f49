package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// screen is what a terminal shows of what is written to it: as much of ECMA-48 and of what
// xterm adds as the command and its line editor use. Anything else is an error, so that
// nothing is shown otherwise than on a real terminal.
type screen struct {
	columns, rows int
	lines         [][]string // all rows since the beginning, those that scrolled away too; a cell holds a character
	top           int        // the first row that is on the screen
	x, y          int        // of the cursor, y from the first row of all
	full          bool       // the cursor stands behind the last column: the next character wraps
	pastes        bool       // bracketed paste mode is on
	colored       bool       // something was shown in a color, faint or bold
	partial       []byte     // the beginning of a sequence or character
	replies       []byte     // to what was asked of the terminal
	unknown       []string   // sequences that are not understood
}

func newScreen(columns, rows int) *screen {
	return &screen{columns: columns, rows: rows, lines: make([][]string, 1)}
}

// Write shows data.
func (s *screen) Write(data []byte) (int, error) {
	text := append(s.partial, data...)
	s.partial = nil
	for len(text) > 0 {
		n := s.next(text)
		if n == 0 {
			s.partial = append([]byte{}, text...)
			break
		}
		text = text[n:]
	}
	return len(data), nil
}

// next shows the first character or sequence, and returns how many bytes it has; 0 where its
// end is not there yet.
func (s *screen) next(text []byte) int {
	switch c := text[0]; {
	case c == '\r':
		s.x, s.full = 0, false
	case c == '\n':
		s.down()
	case c == '\b':
		s.x, s.full = max(s.x-1, 0), false
	case c == '\a':
	case c == 0x1b:
		return s.sequence(text)
	case c < ' ' || c == 0x7f:
		s.unknown = append(s.unknown, fmt.Sprintf("%q", c))
	default:
		if !utf8.FullRune(text) {
			return 0
		}
		r, n := utf8.DecodeRune(text)
		s.put(string(r))
		return n
	}
	return 1
}

// put shows a character at the cursor.
func (s *screen) put(c string) {
	width := uniseg.StringWidth(c)
	if width == 0 && s.x > 0 { // it belongs to the character before it
		row := s.row()
		row[s.x-1] += c
		return
	}
	if s.full || s.x+width > s.columns {
		s.x, s.full = 0, false
		s.down()
	}
	row := s.row()
	row[s.x] = c
	if width == 2 {
		row[s.x+1] = ""
	}
	s.x += width
	if s.x >= s.columns {
		s.x, s.full = s.columns-1, true
	}
}

// row is the row of the cursor, as wide as the screen.
func (s *screen) row() []string {
	for len(s.lines[s.y]) < s.columns {
		s.lines[s.y] = append(s.lines[s.y], " ")
	}
	return s.lines[s.y]
}

// down moves the cursor a row down; at the end of the screen all rows move up.
func (s *screen) down() {
	s.y++
	for len(s.lines) <= s.y {
		s.lines = append(s.lines, nil)
	}
	s.top = max(s.top, s.y-s.rows+1)
}

// sequence does what a control sequence says.
func (s *screen) sequence(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	if text[1] != '[' {
		s.unknown = append(s.unknown, fmt.Sprintf("%q", text[:2]))
		return 2
	}
	end := 2
	for end < len(text) && (text[end] < 0x40 || text[end] > 0x7e) {
		end++
	}
	if end == len(text) {
		return 0
	}
	arguments, final := string(text[2:end]), text[end]
	n, err := strconv.Atoi(arguments)
	if err != nil || n == 0 {
		n = 1
	}
	switch {
	case final == 'A':
		s.y, s.full = max(s.y-n, s.top), false
	case final == 'B':
		s.y, s.full = min(s.y+n, s.top+s.rows-1), false
		for len(s.lines) <= s.y {
			s.lines = append(s.lines, nil)
		}
	case final == 'C':
		s.x, s.full = min(s.x+n, s.columns-1), false
	case final == 'D':
		s.x, s.full = max(s.x-n, 0), false
	case final == 'G':
		s.x, s.full = min(n, s.columns)-1, false
	case final == 'J' && (arguments == "" || arguments == "0"):
		s.lines = s.lines[:s.y+1]
		s.lines[s.y] = s.lines[s.y][:min(s.x, len(s.lines[s.y]))]
	case final == 'K' && (arguments == "" || arguments == "0"):
		s.lines[s.y] = s.lines[s.y][:min(s.x, len(s.lines[s.y]))]
	case final == 'K' && arguments == "2":
		s.lines[s.y] = nil
	case final == 'm':
		s.colored = s.colored || arguments != "" && arguments != "0"
	case final == 'n' && arguments == "6":
		s.replies = fmt.Appendf(s.replies, "\x1b[%d;%dR", s.y-s.top+1, s.x+1)
	case (final == 'h' || final == 'l') && arguments == "?2004":
		s.pastes = final == 'h'
	default:
		s.unknown = append(s.unknown, fmt.Sprintf("%q", text[:end+1]))
	}
	return end + 1
}

// text is what was ever shown, a line for each row.
func (s *screen) text() string {
	var out strings.Builder
	for _, line := range s.lines {
		out.WriteString(strings.TrimRight(strings.Join(line, ""), " ") + "\n")
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}
