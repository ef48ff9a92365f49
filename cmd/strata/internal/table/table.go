// Package table lays out text for people: tables, records of one thing, and texts with
// the words of a query marked. If a table is too wide for the screen, it stacks the cells
// of each row instead.
package table

import (
	"io"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// A Table prints rows in columns. It measures the displayed width of cells, so that
// scripts with wide characters line up; text/tabwriter counts every character as one
// column.
type Table struct {
	Header []string // may be nil
	Rows   [][]string
	// Elastic is the column that is wrapped if a line would be longer than the screen,
	// and that comes first in a stacked row.
	Elastic int
	// TextFirst stacks the rows on every screen, for a list of texts: each is read in
	// full, and followed by the other cells.
	TextFirst bool
	// Kinds are columns of words that get a color by their meaning, Faint are columns in
	// the style of explanations.
	Kinds, Faint map[int]bool
	// Apart are columns that begin a new line in a stacked row.
	Apart map[int]bool
	// ASCII uses only ASCII for anything printed around the cells.
	ASCII bool
	// Below are lines under rows, by row number. They begin in the elastic column.
	Below map[int]string
	// Marks show why a row matches, by row number: their words are marked in the elastic
	// column and in the line below the row.
	Marks map[int]Marker
}

// Gap separates columns.
const Gap = "  "

const (
	// leastElastic is how narrow the elastic column may become before the rows are
	// stacked, in columns of the terminal.
	leastElastic = 24
	// indent is the indentation of the other cells below a text.
	indent = "  "
	// dot separates the other cells; comma does so in ASCII.
	dot   = " · "
	comma = ", "
)

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Write prints the table fitted to a screen of the given width. If width is 0, there is
// no screen, and each row is one line of any length. Write never cuts text.
func (t *Table) Write(w io.Writer, width int, st terminal.Style) error {
	var out strings.Builder
	widths := t.widths()
	if t.fit(widths, width) {
		t.columns(&out, widths, width, st)
	} else {
		t.stack(&out, width, st)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// widths returns the widths that the columns need.
func (t *Table) widths() []int {
	var widths []int
	for _, cells := range append([][]string{t.Header}, t.Rows...) {
		for c, cell := range cells {
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], terminal.Columns(cell))
		}
	}
	return widths
}

// fit narrows the elastic column as far as a screen of the given width requires, and
// reports whether the columns then fit.
func (t *Table) fit(widths []int, width int) bool {
	if width == 0 || t.Elastic >= len(widths) {
		return width == 0
	}
	if t.TextFirst {
		return false
	}
	total := len(Gap) * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	over := total - width
	if over <= 0 {
		return true
	}
	widths[t.Elastic] -= over
	return widths[t.Elastic] >= max(leastElastic, t.longestWord())
}

// longestWord returns the width of the longest word in the elastic column.
func (t *Table) longestWord() int {
	longest := 0
	for _, cells := range t.Rows {
		for word := range strings.FieldsSeq(cells[t.Elastic]) {
			longest = max(longest, terminal.Columns(word))
		}
	}
	return longest
}

// columns writes the rows in columns.
func (t *Table) columns(out *strings.Builder, widths []int, width int, st terminal.Style) {
	if t.Header != nil {
		t.line(out, t.Header, widths, func(_ int, cell string) string { return st.Strong(cell) })
	}
	for row, cells := range t.Rows {
		begin := t.line(out, cells, widths, func(c int, cell string) string { return t.paint(row, c, cell, st) })
		below := t.Below[row]
		if below == "" {
			continue
		}
		lines := []string{below}
		if width > 0 {
			lines = terminal.Wrap(below, max(leastElastic, width-begin))
		}
		for _, l := range lines {
			out.WriteString(strings.Repeat(" ", begin) + t.Marks[row].paint(l, st) + "\n")
		}
	}
}

// paint colors a cell.
func (t *Table) paint(row, column int, cell string, st terminal.Style) string {
	switch {
	case column == t.Elastic:
		return t.Marks[row].paint(cell, st)
	case t.Kinds[column]:
		return st.Kind(cell)
	case t.Faint[column]:
		return st.Faint(cell)
	}
	return cell
}

// line writes a row and returns the column at which its elastic cell begins.
func (t *Table) line(out *strings.Builder, cells []string, widths []int, paint func(column int, cell string) string) (begin int) {
	var rest []string // remaining lines of the elastic cell
	for c, cell := range cells {
		if c == t.Elastic && terminal.Columns(cell) > widths[c] {
			lines := terminal.Wrap(cell, widths[c])
			cell, rest = lines[0], lines[1:]
		}
		if c < t.Elastic {
			begin += widths[c] + len(Gap)
		}
		out.WriteString(paint(c, cell))
		if c < len(cells)-1 {
			out.WriteString(strings.Repeat(" ", max(0, widths[c]-terminal.Columns(cell))) + Gap)
		}
	}
	out.WriteByte('\n')
	for _, l := range rest {
		out.WriteString(strings.Repeat(" ", begin) + paint(t.Elastic, l) + "\n")
	}
	return begin
}

// stack writes the cells of each row one below the other: the elastic cell, then the
// others, indented.
func (t *Table) stack(out *strings.Builder, width int, st terminal.Style) {
	narrow, between := max(1, width-len(indent)), dot
	if t.ASCII {
		between = comma
	}
	for row, cells := range t.Rows {
		for _, l := range terminal.Wrap(cells[t.Elastic], width) {
			out.WriteString(t.Marks[row].paint(l, st) + "\n")
		}
		if below := t.Below[row]; below != "" {
			for _, l := range terminal.Wrap(below, narrow) {
				out.WriteString(indent + t.Marks[row].paint(l, st) + "\n")
			}
		}
		said := flow{out: out, width: narrow, dot: st.Faint(between)}
		for c, cell := range cells {
			switch {
			case c == t.Elastic || cell == "" || cell == "0" && !t.TextFirst:
				continue
			case t.Apart[c]:
				said.end()
			}
			cell = t.labeled(c, cell)
			if t.Kinds[c] {
				said.add(st.Kind(cell))
				continue
			}
			said.add(st.Faint(cell))
		}
		said.end()
	}
}

// flow writes parts one after the other, separated by dots, and begins a new line when
// the next part does not fit.
type flow struct {
	out   *strings.Builder
	width int
	dot   string
	used  int // width of the current line so far
}

func (f *flow) add(part string) {
	width := terminal.Columns(part)
	switch {
	case f.used > 0 && f.used+terminal.Columns(f.dot)+width <= f.width:
		f.out.WriteString(f.dot)
		f.used += terminal.Columns(f.dot)
	default:
		f.end()
		f.out.WriteString(indent)
	}
	lines := strings.Split(terminal.Fold(part, f.width, 0), "\n")
	f.out.WriteString(strings.Join(lines, "\n"+indent))
	if len(lines) > 1 {
		f.used = 0
		width = terminal.Columns(lines[len(lines)-1])
	}
	f.used += width
}

// end ends the current line.
func (f *flow) end() {
	if f.used > 0 {
		f.out.WriteByte('\n')
	}
	f.used = 0
}

// labeled returns a cell with the header of its column, if it needs one to be understood:
// "3 turns", "closed yesterday". In a list of texts only numbers need it.
func (t *Table) labeled(column int, cell string) string {
	if column >= len(t.Header) {
		return cell
	}
	label := strings.ToLower(t.Header[column])
	_, err := strconv.Atoi(cell)
	switch isNumber := err == nil; {
	case isNumber && cell == "1":
		return cell + " " + singular(label)
	case isNumber:
		return cell + " " + label
	case t.TextFirst:
		return cell
	}
	return label + " " + cell
}

// singular returns the singular of a column header: "turn" for "turns".
func singular(label string) string {
	switch stem, isPlural := strings.CutSuffix(label, "s"); {
	case !isPlural || strings.Contains(label, " "):
		return label
	case strings.HasSuffix(stem, "ie"):
		return strings.TrimSuffix(stem, "ie") + "y"
	default:
		return stem
	}
}

// A Record prints labels with values, one pair per line: everything about one thing.
type Record struct{ rows [][]string }

// Add appends a label with its value, unless the value is empty.
func (r *Record) Add(label, value string) {
	if value != "" {
		r.rows = append(r.rows, []string{label, terminal.Clean(value)})
	}
}

// Write prints the record fitted to a screen of the given width; 0 means no screen. It
// never cuts values: this is where they are read in full.
func (r *Record) Write(w io.Writer, width int, st terminal.Style) error {
	t := Table{Rows: r.rows, Elastic: 1, Faint: map[int]bool{0: true}}
	widths := t.widths()
	var out strings.Builder
	// Do not stack labels and values just because a path is longer than the screen.
	if t.fit(widths, width) || len(widths) > 1 && widths[1] >= leastElastic {
		t.columns(&out, widths, width, st)
	} else {
		for _, row := range r.rows {
			out.WriteString(terminal.Fold(st.Faint(row[0]), width, 0) + "\n")
			for _, l := range terminal.Wrap(row[1], max(1, width-len(indent))) {
				out.WriteString(indent + l + "\n")
			}
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}
