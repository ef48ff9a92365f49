// Package markdown formats the Markdown that models write for a terminal, while it
// arrives: headings and bold, lists, quotations and code, wrapped between words. It
// supports what models use and shows the rest as it is.
package markdown

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"

	"github.com/rivo/uniseg"
)

// Writer converts Markdown to lines for a terminal. It shows a word once it is complete.
// The text must not contain control characters other than line breaks.
type Writer struct {
	width int // in columns; 0: lines of any length
	color bool

	word   strings.Builder // the word that is not yet complete
	start  bool            // the line has nothing but the word yet
	column int             // width of the line so far
	space  int             // spaces before the word
	indent string          // indentation of continuation lines
	line   kind
	fenced bool // inside a code block
	bold   bool
	code   bool // inside a code span
}

// kind is the kind of a line.
type kind int

const (
	text kind = iota
	heading
	fence
	verbatim // in a code block
)

// NewWriter returns a writer for a terminal with the given number of columns. Without
// color it keeps the markers of bold and code, because nothing else would show them.
func NewWriter(width int, color bool) *Writer {
	return &Writer{width: width, color: color, start: true}
}

// Write returns what to show for the next part of a text.
func (w *Writer) Write(part string) string {
	var out strings.Builder
	for _, r := range part {
		switch {
		case r == '\n':
			w.endLine(&out)
		case w.fenced && (!w.start || !strings.HasPrefix("```", strings.TrimSpace(w.word.String()+string(r)))):
			w.verbatim(&out, r)
		case r == ' ':
			w.endWord(&out)
			w.space++
		default:
			w.word.WriteRune(r)
			if uniseg.StringWidth(string(r)) == 2 { // wide characters: scripts written without spaces
				w.endWord(&out)
			}
		}
	}
	return out.String()
}

// Close returns the rest of the text, and whether the last line is unfinished.
func (w *Writer) Close() (rest string, open bool) {
	var out strings.Builder
	w.endWord(&out)
	open = w.column > 0
	*w = *NewWriter(w.width, w.color)
	return out.String(), open
}

// verbatim writes a character of a code block, whose lines are not wrapped.
func (w *Writer) verbatim(out *strings.Builder, r rune) {
	if w.start {
		w.start, w.line = false, verbatim
		out.WriteString("    ")
	}
	out.WriteString(strings.Repeat(" ", w.space) + w.word.String() + string(r))
	w.column, w.space = 4, 0
	w.word.Reset()
}

func (w *Writer) endLine(out *strings.Builder) {
	w.endWord(out)
	if w.line != fence {
		out.WriteByte('\n')
	}
	w.start, w.column, w.space, w.indent, w.line, w.bold, w.code = true, 0, 0, "", text, false, false
}

// endWord writes the word, on the next line if this one has no room for it.
func (w *Writer) endWord(out *strings.Builder) {
	word := w.word.String()
	w.word.Reset()
	if word == "" {
		return
	}
	if w.start {
		if word = w.begin(out, word); word == "" {
			return
		}
	}
	if w.line == fence {
		return
	}
	shown, columns := w.paint(word)
	if w.width > 0 && w.column > len(w.indent) && w.column+w.space+columns > w.width {
		out.WriteString("\n" + w.indent)
		w.column, w.space = uniseg.StringWidth(w.indent), 0
	}
	out.WriteString(strings.Repeat(" ", w.space) + shown)
	w.column += w.space + columns
	w.space = 0
}

var numbered = lazyregexp.New(`^\d{1,3}[.)]$`)

// begin determines the kind of a line by its first word, and returns the part of the word
// to show.
func (w *Writer) begin(out *strings.Builder, word string) string {
	w.start = false
	margin := strings.Repeat(" ", w.space)
	mark := func(sign string) string {
		out.WriteString(margin + sign)
		w.column, w.space = w.space+uniseg.StringWidth(sign), 0
		w.indent = strings.Repeat(" ", w.column+1)
		return ""
	}
	switch {
	case strings.HasPrefix(word, "```"):
		w.fenced, w.line = !w.fenced, fence
		return ""
	case strings.Trim(word, "#") == "" && len(word) <= 6 && w.color:
		w.line, w.space = heading, -1
		return ""
	case word == "-" || word == "*" || word == "+":
		return mark("•")
	case numbered.MatchString(word):
		return mark(word)
	case word == ">":
		out.WriteString("│")
		w.column, w.space, w.indent = 1, 0, "│ "
		return ""
	case word == "---" || word == "***":
		return strings.Repeat("─", max(min(w.width, 40), 3))
	}
	w.indent = margin
	return word
}

// paint returns a word as it is shown, and its width in columns.
func (w *Writer) paint(word string) (shown string, columns int) {
	if !w.color {
		return word, uniseg.StringWidth(word)
	}
	var out, run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			columns += uniseg.StringWidth(run.String())
			out.WriteString(w.style(run.String()))
			run.Reset()
		}
	}
	for rest := word; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "`"):
			flush()
			w.code, rest = !w.code, rest[1:]
		case strings.HasPrefix(rest, "**") && !w.code:
			flush()
			w.bold, rest = !w.bold, rest[2:]
		default:
			run.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	flush()
	return out.String(), columns
}

// style wraps a text in SGR sequences (ECMA-48, 8.3.117).
func (w *Writer) style(text string) string {
	switch {
	case w.code:
		return "\x1b[36m" + text + "\x1b[0m"
	case w.bold, w.line == heading:
		return "\x1b[1m" + text + "\x1b[0m"
	}
	return text
}
