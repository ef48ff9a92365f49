package forget

import (
	"strings"

	"github.com/strata-memory/strata"
)

// DocumentTexts are the texts of a document that people write.
func DocumentTexts(d strata.Document) []string {
	return []string{d.Name, d.Description, d.Problem, d.Content}
}

// BlankDocument takes the texts out of a document: the lines that hold one; where one
// spans lines, those of the sections that hold it; else all. The other lines keep
// their numbers. It returns the sections that stay, in order and without their
// places: none if all lines went, or the name or description, with which every
// section is indexed.
func (t Texts) BlankDocument(d strata.Document, sections []strata.Section) (blank strata.Document, rest []strata.Section) {
	var held []strata.Section
	for _, s := range sections {
		if t.Whole(append(s.Headings, s.Text)...) {
			held = append(held, s)
			continue
		}
		s.Seq = 0 // those that are left are counted from the start
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

// withoutLines takes the texts out of the content of a document and reports
// whether all lines went.
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

// blankLines leaves nothing of some lines but their number.
func blankLines(lines []string) {
	clear(lines)
	if len(lines) > 0 {
		lines[0] = strata.ForgottenText
	}
}
