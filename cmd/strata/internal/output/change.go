package output

import (
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/text/textdiff"
)

// Removed and added words are in brackets, so that a change reads the same without
// colors.
const (
	removedOpen, removedClose = "[-", "-]"
	addedOpen, addedClose     = "{+", "+}"
)

// mostShown bounds a text in a list, in columns.
const mostShown = 160

// changed merges two versions of a text into one that marks the removed and added words.
// same formats the parts that stayed.
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

// change writes the change of a decision's texts, below its other fields: the changed
// parts with a line of context, or the whole text if there is only one version.
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

// around drops the lines of an unchanged part except those next to a change.
func around(text string, first, last bool) string {
	lines := strings.SplitAfter(text, "\n")
	from, to := 2, len(lines)-2 // the rest of the line, and one more line
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

// oneLine formats the change of a decision for a table cell.
func oneLine(d ops.Decision) string {
	before, after := d.Texts()
	if before == "" || after == "" || before == after {
		return ""
	}
	if b, a := bodyOf(before), bodyOf(after); b != a { // otherwise only the front matter changed
		before, after = b, a
	}
	const near, long = 24, 60 // bytes of unchanged text
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

// bodyOf returns the text of a note without its front matter, and any other text as it
// is.
func bodyOf(text string) string {
	if n, err := markdown.ParseNote(text); err == nil {
		return n.Body
	}
	return text
}

// lineOf writes the change of a decision as fields on lines of their own.
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

// ended returns a text with exactly one line break at the end.
func ended(text string) string { return strings.TrimRight(text, "\n") + "\n" }

// reasonOf says, for a list, what a decision did and why.
func reasonOf(d ops.Decision) string {
	line, reason := oneLine(d), terminal.Clean(d.Reason)
	if line == "" {
		return reason
	}
	return line + table.Gap + "(" + reason + ")"
}
