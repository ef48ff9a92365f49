package output

import (
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/text/textdiff"
)

// What was removed and added stands in brackets, so that it reads the same without
// colors.
const (
	removedOpen, removedClose = "[-", "-]"
	addedOpen, addedClose     = "{+", "+}"
)

// mostShown is how much of a text stands for it in a list, in columns.
const mostShown = 160

// changed shows two versions of a text as one, with the words that were removed and
// added. same shows what stayed.
func changed(before, after string, st terminal.Style, same func(text string, first, last bool) string) string {
	var out strings.Builder
	parts := textdiff.Words(before, after)
	for i, part := range parts {
		text := terminal.CleanLines(part.Text)
		switch part.Kind {
		case textdiff.Removed:
			out.WriteString(st.Red(removedOpen + text + removedClose))
		case textdiff.Added:
			out.WriteString(st.Green(addedOpen + text + addedClose))
		default:
			out.WriteString(same(text, i == 0, i == len(parts)-1))
		}
	}
	return out.String()
}

// change writes what became of the texts of a decision, below its other fields: what
// changed with a line around it, or the whole text where there is one version.
func (p *Page) change(d ops.Decision) {
	before, after := d.Texts()
	switch {
	case before == "" && after == "" || before == after:
	case before == "", after == "":
		p.Printf("\n%s", ended(terminal.CleanLines(before+after)))
	default:
		p.Printf("\n%s", ended(changed(before, after, p.st, around)))
	}
}

// around leaves out lines of a text that stayed, but for those next to a change.
func around(text string, first, last bool) string {
	lines := strings.SplitAfter(text, "\n")
	from, to := 2, len(lines)-2 // the rest of a line and one more
	if first {
		from = 0
	}
	if last {
		to = len(lines)
	}
	if to-from < 3 {
		return text
	}
	return strings.Join(lines[:from], "") + "…\n" + strings.Join(lines[to:], "")
}

// oneLine shows the change of a decision in a cell of a table.
func oneLine(d ops.Decision) string {
	before, after := d.Texts()
	if before == "" || after == "" || before == after {
		return ""
	}
	if b, a := bodyOf(before), bodyOf(after); b != a { // else the front matter changed
		before, after = b, a
	}
	const near, long = 24, 60 // bytes of what stayed
	return terminal.Cut(terminal.Clean(changed(before, after, terminal.Style{}, func(text string, first, last bool) string {
		if len(text) <= long {
			return text
		}
		begin, end := strings.ToValidUTF8(text[:near], ""), strings.ToValidUTF8(text[len(text)-near:], "")
		if first {
			begin = ""
		}
		if last {
			end = ""
		}
		return begin + "…" + end
	})), mostShown)
}

// bodyOf is the text of a note without its front matter; any other text as it is.
func bodyOf(text string) string {
	if n, err := markdown.ParseNote(text); err == nil {
		return n.Body
	}
	return text
}

// lineOf writes a decision's change as fields of lines that follow it.
func (p *Page) lineOf(d ops.Decision) {
	switch before, after := d.Texts(); {
	case before != "" && after != "":
		p.fields("  change", oneLine(d))
	case before != "":
		p.fields("  from", terminal.Cut(terminal.Clean(before), mostShown))
	case after != "":
		p.fields("  to", terminal.Cut(terminal.Clean(after), mostShown))
	}
}

// ended is a text that ends in a line break.
func ended(text string) string { return strings.TrimRight(text, "\n") + "\n" }

// reasonOf is what a decision did and why, for a list.
func reasonOf(d ops.Decision) string {
	line, reason := oneLine(d), terminal.Clean(d.Reason)
	if line == "" {
		return reason
	}
	return line + table.Gap + "(" + reason + ")"
}
