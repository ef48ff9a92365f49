// Package table lays text out for people: tables, records of one thing, and the
// words of a question marked in what answers it. A table that is too wide for the
// screen is no table there: its rows stand below each other.
package table

import (
	"io"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// A Table prints rows in columns. Columns are as wide as what is displayed in
// them, so that scripts with wide characters line up; text/tabwriter counts
// every character as one column.
type Table struct {
	Header []string // may be nil
	Rows   [][]string
	// Elastic is the column that is wrapped where a line would be longer than the
	// screen, and that leads where rows stand below each other.
	Elastic int
	// TextFirst has the rows stand below each other on every screen, for a list of
	// texts: each is read in full, and what else there is to say of it follows.
	TextFirst bool
	// Kinds are columns of words that are colored by what they name, Faint those
	// that explain rather than answer.
	Kinds, Faint map[int]bool
	// Apart are columns that begin a line of their own where rows stand below each
	// other.
	Apart map[int]bool
	// ASCII has nothing else printed around the cells.
	ASCII bool
	// Below are lines under rows, by the number of the row. They begin where the
	// elastic column does.
	Below map[int]string
	// Marks show why a row answers: they are found in its elastic column and in
	// the line below it.
	Marks map[int]Marker
}

// Gap parts the columns.
const Gap = "  "

const (
	// leastElastic is how far the elastic column shrinks before the rows of a table
	// stand below each other, in columns of the terminal.
	leastElastic = 24
	// indent is how far what is said of a text stands behind it.
	indent = "  "
	// dot parts what is said of a text, comma where there is ASCII alone.
	dot   = " · "
	comma = ", "
)

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Write prints the table fitted to a screen of the given width. 0 means that there is
// none: each row is one line of any length. Nothing is ever cut.
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

// widths are the widths of the columns where there is room.
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

// fit narrows the elastic column as far as a screen of the given width needs, and
// reports whether the columns have room then.
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

// longestWord is the width of the longest word of the elastic column.
func (t *Table) longestWord() int {
	longest := 0
	for _, cells := range t.Rows {
		for word := range strings.FieldsSeq(cells[t.Elastic]) {
			longest = max(longest, terminal.Columns(word))
		}
	}
	return longest
}

// columns writes the rows as lines of columns.
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

// line writes a row and returns where its elastic column begins.
func (t *Table) line(out *strings.Builder, cells []string, widths []int, paint func(column int, cell string) string) (begin int) {
	var rest []string // of the elastic column
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

// stack writes the rows below each other: the elastic cell, then what else there is to
// say, indented.
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

// flow writes parts behind each other, with a dot between, and begins a line where the
// next one has no room.
type flow struct {
	out   *strings.Builder
	width int
	dot   string
	used  int // columns of the line so far
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

// end ends the line that has begun.
func (f *flow) end() {
	if f.used > 0 {
		f.out.WriteByte('\n')
	}
	f.used = 0
}

// labeled is a cell with the head of its column, where it does not speak for itself:
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

// singular is one of what the head of a column counts: "turn" of "turns".
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

// A Record prints labels with values below each other: all there is to say of
// one thing.
type Record struct{ rows [][]string }

// Add appends a label with its value, unless that is empty.
func (r *Record) Add(label, value string) {
	if value != "" {
		r.rows = append(r.rows, []string{label, terminal.Clean(value)})
	}
}

// Write prints the record fitted to a screen of the given width; 0 means that there is
// none. Values are never cut: this is where they are read in full.
func (r *Record) Write(w io.Writer, width int, st terminal.Style) error {
	t := Table{Rows: r.rows, Elastic: 1, Faint: map[int]bool{0: true}}
	widths := t.widths()
	var out strings.Builder
	// A path that is longer than the screen is no reason to take labels and values apart.
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
