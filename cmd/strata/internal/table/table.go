// Package table lays text out in columns for people: tables, records of one
// thing, and the words of a question marked in what answers it.
package table

import (
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// A Table prints rows in columns. Columns are as wide as what is displayed in
// them, so that scripts with wide characters line up; text/tabwriter counts
// every character as one column.
type Table struct {
	Header []string // may be nil
	Rows   [][]string
	// Elastic is the column that is cut where a line would be longer than the
	// terminal.
	Elastic int
	// Faint are columns that explain rather than answer.
	Faint map[int]bool
	// Below are lines under rows, by the number of the row. They begin where the
	// elastic column does.
	Below map[int]string
	// Marks show why a row answers: they are found in its elastic column and in
	// the line below it.
	Marks map[int]Marker
}

// Gap parts the columns.
const Gap = "  "

// LeastElastic is how far the elastic column shrinks on a narrow terminal, in
// columns of the terminal.
const LeastElastic = 16

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Write prints the table fitted to a terminal of the given width; 0 means that
// nothing is cut.
func (t *Table) Write(w io.Writer, width int, st terminal.Style) error {
	widths := t.widths(width)
	var out strings.Builder
	if t.Header != nil {
		t.line(&out, t.Header, widths, func(_ int, cell string) string { return st.Strong(cell) })
	}
	for row, cells := range t.Rows {
		indent := t.line(&out, cells, widths, func(c int, cell string) string {
			switch {
			case c == t.Elastic:
				return t.Marks[row].paint(cell, st)
			case t.Faint[c]:
				return st.Faint(cell)
			}
			return cell
		})
		if below := t.Below[row]; below != "" {
			if width > 0 {
				below = terminal.Cut(below, max(LeastElastic, width-indent))
			}
			out.WriteString(strings.Repeat(" ", indent) + t.Marks[row].paint(below, st) + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// line writes one line and returns where its elastic column begins.
func (t *Table) line(out *strings.Builder, cells []string, widths []int, paint func(column int, cell string) string) (indent int) {
	for c, cell := range cells {
		if c == t.Elastic {
			cell = terminal.Cut(cell, widths[c])
		}
		if c < t.Elastic {
			indent += widths[c] + len(Gap)
		}
		out.WriteString(paint(c, cell))
		if c < len(cells)-1 {
			out.WriteString(strings.Repeat(" ", max(0, widths[c]-uniseg.StringWidth(cell))) + Gap)
		}
	}
	out.WriteByte('\n')
	return indent
}

// widths are the widths of the columns in a terminal of the given width.
func (t *Table) widths(width int) []int {
	var widths []int
	for _, cells := range append([][]string{t.Header}, t.Rows...) {
		for c, cell := range cells {
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], uniseg.StringWidth(cell))
		}
	}
	total := len(Gap) * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	if over := total - width; width > 0 && over > 0 && t.Elastic < len(widths) {
		widths[t.Elastic] = max(LeastElastic, widths[t.Elastic]-over)
	}
	return widths
}

// A Record prints labels with values below each other: all there is to say of
// one thing.
type Record struct{ rows [][]string }

// Add appends a label with its value, unless that is empty.
func (r *Record) Add(label, value string) {
	if value != "" {
		r.rows = append(r.rows, []string{label, terminal.Clean(value)})
	}
}

// Write prints the record. Values are never cut: this is where they are read in
// full.
func (r *Record) Write(w io.Writer, st terminal.Style) error {
	t := Table{Rows: r.rows, Elastic: 1, Faint: map[int]bool{0: true}}
	return t.Write(w, 0, st)
}
