package forget

import (
	"strings"

	"github.com/strata-memory/strata"
)

// DocumentTexts returns the texts of a document that people write.
func DocumentTexts(d strata.Document) []string {
	return []string{d.Name, d.Description, d.Problem, d.Content}
}

// BlankDocument removes the texts from a document: the lines that contain one; if a text
// spans lines, the sections that contain it; failing that, all lines. The remaining lines
// keep their numbers. rest holds the remaining sections in order, with Seq reset. It is
// empty if all lines, the name or the description were removed, since the index holds the
// name and description with every section.
func (t Texts) BlankDocument(d strata.Document, sections []strata.Section) (blank strata.Document, rest []strata.Section) {
	var held []strata.Section
	for _, s := range sections {
		if t.Whole(append(s.Headings, s.Text)...) {
			held = append(held, s)
			continue
		}
		s.Seq = 0 // numbered anew by the store
		rest = append(rest, s)
	}
	for _, s := range []*string{&d.Name, &d.Description} {
		if *s != strata.ForgottenText && t.Whole(*s) {
			*s, rest = strata.ForgottenText, nil
		}
	}
	if t.Whole(d.Problem) {
		d.Problem = strata.ForgottenText
	}
	var all bool
	if d.Content, all = t.withoutLines(d.Content, held); all {
		rest = nil
	}
	return d, rest
}

// withoutLines removes the texts from the content of a document and reports whether all
// lines were removed.
func (t Texts) withoutLines(content string, held []strata.Section) (blank string, all bool) {
	if !t.Whole(content) {
		return content, false
	}
	lines := strings.Split(content, "\n")
	for i, line := range lines {
		if t.Whole(line) {
			lines[i] = strata.ForgottenText + line[len(strings.TrimRight(line, "\r")):]
		}
	}
	if content = strings.Join(lines, "\n"); !t.Whole(content) {
		return content, false
	}
	for _, s := range held {
		blankLines(lines[min(s.Line-1, len(lines)):min(s.EndLine, len(lines))])
	}
	if content = strings.Join(lines, "\n"); !t.Whole(content) {
		return content, false
	}
	blankLines(lines)
	return strings.Join(lines, "\n"), true
}

// blankLines empties lines and puts the mark of a forgotten text in the first.
func blankLines(lines []string) {
	clear(lines)
	if len(lines) > 0 {
		lines[0] = strata.ForgottenText
	}
}
