package main

import (
	"io"
	"strings"

	"github.com/rivo/uniseg"
)

// table prints rows in columns. Columns are as wide as what is displayed in
// them, so that scripts with wide characters line up; text/tabwriter counts
// every character as one column.
type table struct {
	header []string // may be nil
	rows   [][]string
	// elastic is the column that is cut where a line would be longer than the
	// terminal.
	elastic int
	// faint are columns that explain rather than answer.
	faint map[int]bool
	// below are lines under rows, by the number of the row. They begin where the
	// elastic column does.
	below map[int]string
	// marks show why a row answers: they are found in its elastic column and in
	// the line below it.
	marks map[int]marker
}

// gap parts the columns.
const gap = "  "

// leastElastic is how far the elastic column shrinks on a narrow terminal.
const leastElastic = 16

// add appends a row.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write prints the table fitted to a terminal of the given width; 0 means that
// nothing is cut.
func (t *table) write(w io.Writer, width int, st style) error {
	lines := t.rows
	if t.header != nil {
		lines = append([][]string{t.header}, lines...)
	}
	widths := columnWidths(lines)
	if width > 0 {
		total := len(gap) * (len(widths) - 1)
		for _, n := range widths {
			total += n
		}
		if over := total - width; over > 0 && t.elastic < len(widths) {
			widths[t.elastic] = max(leastElastic, widths[t.elastic]-over)
		}
	}
	var out strings.Builder
	for i, cells := range lines {
		heading := i == 0 && t.header != nil
		row := i
		if t.header != nil {
			row--
		}
		indent := 0
		for c, cell := range cells {
			if c == t.elastic {
				cell = cut(cell, widths[c])
			}
			pad := ""
			if c < len(cells)-1 {
				pad = strings.Repeat(" ", max(0, widths[c]-uniseg.StringWidth(cell))) + gap
			}
			if c < t.elastic {
				indent += widths[c] + len(gap)
			}
			switch {
			case heading:
				cell = st.strong(cell)
			case c == t.elastic:
				cell = t.marks[row].paint(cell, st)
			case t.faint[c]:
				cell = st.faint(cell)
			}
			out.WriteString(cell + pad)
		}
		out.WriteByte('\n')
		if line := t.below[row]; line != "" && !heading {
			if width > 0 {
				line = cut(line, max(leastElastic, width-indent))
			}
			out.WriteString(strings.Repeat(" ", indent) + t.marks[row].paint(line, st) + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// columnWidths are the columns each cell of a column fits into.
func columnWidths(lines [][]string) []int {
	var widths []int
	for _, cells := range lines {
		for c, cell := range cells {
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], uniseg.StringWidth(cell))
		}
	}
	return widths
}

// cut shortens text to a number of columns, with an ellipsis in the last one.
func cut(text string, columns int) string {
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
	return strings.TrimRight(out.String(), " ") + "…"
}
