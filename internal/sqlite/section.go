package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// sectionRow is a section as its row holds it, with the place of its text in the
// content of its document.
type sectionRow struct {
	number, document int64
	seq              int64
	line, endLine    int
	start, size      int
	sum              string
	headings         string // JSON
	text             string // empty if the content holds it
}

const sectionSelect = `
	SELECT c.number, c.document, c.seq, c.line, c.end_line, c.start, c.size, c.sum, c.headings, c.text FROM section c `

func scanSection(scan scanner) (sectionRow, error) {
	var r sectionRow
	var sum []byte
	err := scan(&r.number, &r.document, &r.seq, &r.line, &r.endLine, &r.start, &r.size, &sum, &r.headings, &r.text)
	r.sum = string(sum)
	return r, err
}

// section returns the section of a row, given the content of its document.
func (r sectionRow) section(d strata.Document, content string) (strata.Section, error) {
	s := strata.Section{Document: d.ID, Path: d.Path, Seq: r.seq, Line: r.line, EndLine: r.endLine, Text: r.text}
	if r.size > 0 {
		if r.start+r.size > len(content) {
			return s, database.Corrupt("read section", "a section of "+d.Path+" lies beyond the end of the file")
		}
		s.Text = content[r.start : r.start+r.size]
	}
	var err error
	s.Headings, err = listOfTexts(r.headings)
	return s, err
}

// Sections returns the sections of a document in order.
func (t *tx) Sections(ctx context.Context, scope strata.Scope, document string) ([]strata.Section, error) {
	return inScope(ctx, t, scope, "read sections", func(no int64) ([]strata.Section, error) {
		d, err := t.DocumentByID(ctx, []strata.Scope{scope}, document)
		if strata.CodeOf(err) == strata.CodeNotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return collect(ctx, t, sectionSelect+`
			WHERE c.document = (SELECT number FROM document WHERE scope_no = ? AND id = ?) ORDER BY c.seq`,
			[]any{no, document}, func(scan scanner) (strata.Section, error) {
				r, err := scanSection(scan)
				if err != nil {
					return strata.Section{}, err
				}
				return r.section(d, d.Content)
			})
	})
}

// checkSection returns an error if the section at index i is invalid.
func checkSection(s strata.Section, i int) error {
	const op = "check section"
	switch {
	case s.Seq != 0 && s.Seq != int64(i+1):
		return strata.Invalid(op, "the sections do not count from 1", "number them in their order")
	case s.Line < 1 || s.EndLine < s.Line:
		return strata.Invalid(op, "the lines of a section are not in order", "count lines from 1")
	}
	for _, x := range append([]string{s.Text}, s.Headings...) {
		if !utf8.ValidString(x) || strings.ContainsRune(x, 0) {
			return strata.Invalid(op, "a text is not plain UTF-8", "send text, not binary data")
		}
	}
	return nil
}

// newSections replace the sections of a document.
type newSections struct {
	scopeNo, document int64
	content           string // of the document
	sections          []strata.Section
	keep              bool // sections whose headings and text are unchanged keep their number and passage
	forget            bool // nothing may remain of removed sections
}

// putSections records the sections of a document, replacing the previous ones.
func (t *tx) putSections(ctx context.Context, p newSections) ([]store.StoredSection, error) {
	old, err := collect(ctx, t, sectionSelect+`WHERE c.document = ? ORDER BY c.seq`, []any{p.document}, scanSection)
	if err != nil {
		return nil, err
	}
	known := make(map[string][]sectionRow) // by sum, in order
	for _, r := range old {
		known[r.sum] = append(known[r.sum], r)
	}
	kept := make(map[int64]bool)
	out := make([]store.StoredSection, len(p.sections))
	lines := indexLines(p.content)
	for i, s := range p.sections {
		row, err := newSectionRow(p.document, i, s, lines)
		if err != nil {
			return nil, err
		}
		if same := known[row.sum]; p.keep && len(same) > 0 {
			known[row.sum] = same[1:]
			kept[same[0].number] = true
			row.number = same[0].number
			out[i] = store.StoredSection{Number: row.number}
			if err := t.moveSection(ctx, same[0], row); err != nil {
				return nil, err
			}
			continue
		}
		if row.number, err = t.nextNumber(ctx, p.scopeNo); err != nil {
			return nil, err
		}
		out[i] = store.StoredSection{Number: row.number, New: true}
		if err := t.putSection(ctx, p.scopeNo, row); err != nil {
			return nil, err
		}
	}
	for _, r := range old {
		if kept[r.number] {
			continue
		}
		if err := t.removeSection(ctx, r.number, p.forget); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// newSectionRow returns the row of the section at index i, without its number.
func newSectionRow(document int64, i int, s strata.Section, lines *lineIndex) (sectionRow, error) {
	headings, err := encodeList(s.Headings)
	r := sectionRow{document: document, seq: int64(i + 1), line: s.Line, endLine: s.EndLine, sum: check.SectionSum(s.Text, s.Headings), headings: headings}
	if start, ok := lines.find(s); ok {
		r.start, r.size = start, len(s.Text)
	} else {
		r.text = s.Text
	}
	return r, err
}

func (t *tx) putSection(ctx context.Context, scopeNo int64, r sectionRow) error {
	_, err := t.exec(ctx, `
		INSERT INTO section (number, scope_no, document, seq, line, end_line, start, size, sum, headings, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.number, scopeNo, r.document, r.seq, r.line, r.endLine, r.start, r.size, []byte(r.sum), r.headings, r.text)
	return err
}

// moveSection records the new position of a section, also in its passage.
func (t *tx) moveSection(ctx context.Context, old, now sectionRow) error {
	if old == now {
		return nil
	}
	_, err := t.exec(ctx, `UPDATE section SET seq = ?, line = ?, end_line = ?, start = ?, size = ?, text = ? WHERE number = ?`,
		now.seq, now.line, now.endLine, now.start, now.size, now.text, now.number)
	if err != nil || old.seq == now.seq {
		return err
	}
	if _, err := t.exec(ctx, `UPDATE passage SET seq = ? WHERE number = ?`, now.seq, now.number); err != nil {
		return err
	}
	return t.touch(ctx, now.number)
}

// removeSection removes a section and its passage. If forget is not set, decisions
// still hold the text.
func (t *tx) removeSection(ctx context.Context, number int64, forget bool) error {
	remove := t.supersedePassage
	if forget {
		remove = t.removePassage
	}
	if err := remove(ctx, number); err != nil {
		return err
	}
	_, err := t.exec(ctx, `DELETE FROM section WHERE number = ?`, number)
	return err
}

// lineIndex holds the offsets at which the lines of a content begin.
type lineIndex struct {
	content string
	starts  []int
}

func indexLines(content string) *lineIndex {
	x := &lineIndex{content: content, starts: []int{0}}
	for at := 0; ; {
		i := strings.IndexByte(content[at:], '\n')
		if i < 0 {
			return x
		}
		at += i + 1
		x.starts = append(x.starts, at)
	}
}

// start returns the offset of a line, counted from 1, or the end of the content for
// a line after the last.
func (x *lineIndex) start(line int) int {
	if line > len(x.starts) {
		return len(x.content)
	}
	return x.starts[line-1]
}

// find returns the offset of a section's text within its lines.
func (x *lineIndex) find(s strata.Section) (start int, ok bool) {
	from, until := x.start(s.Line), x.start(s.EndLine+1)
	i := strings.Index(x.content[from:until], s.Text)
	return from + i, i >= 0 && s.Text != ""
}

// sectionCode returns the type code of a section's passage, after checking the
// passage against the section's row.
func (t *tx) sectionCode(ctx context.Context, p store.Passage) (int64, error) {
	const op = "check passage"
	var d strata.Document
	var seq int64
	err := t.queryRow(ctx, `
		SELECT d.path, d.kind, d.type, c.seq FROM section c JOIN document d ON d.number = c.document WHERE c.number = ?`,
		p.Number).Scan(&d.Path, &d.Kind, &d.Type, &seq)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, strata.Invalid(op, "there is no section with the number", "use the numbers that PutDocument returned")
	case err != nil:
		return 0, err
	case p.Parent != d.Path || p.Seq != seq:
		return 0, strata.Invalid(op, "the section stands at another place", "use the path of its document and its own number in it")
	}
	return passage.SectionType(d), nil
}

// numberedSection is a section row with its document, without the content.
type numberedSection struct {
	sectionRow
	doc strata.Document
}

// readSections adds the sections with the given numbers to into. It reads the
// content of each document once.
func (t *tx) readSections(ctx context.Context, numbers []int64, into map[int64]store.Source) error {
	list, err := readPacked(ctx, t, `
		SELECT pack_rows(c.number, c.document, c.seq, c.line, c.end_line, c.start, c.size, c.sum, c.headings, c.text, `+documentColumns+`, '')
		FROM unpack(?) AS j CROSS JOIN section c ON c.number = j.c0 CROSS JOIN document d ON d.number = c.document `+documentJoins,
		[]any{packed.Numbers(numbers)}, func(scan scanner) (numberedSection, error) {
			var r numberedSection
			var err error
			r.doc, err = scanDocument(func(dest ...any) error {
				r.sectionRow, err = scanSection(func(own ...any) error { return scan(append(own, dest...)...) })
				return err
			})
			return r, err
		})
	if err != nil || len(list) == 0 {
		return err
	}
	contents, err := t.contents(ctx, list)
	if err != nil {
		return err
	}
	documents := make(map[int64]*strata.Document)
	for _, r := range list {
		s, err := r.section(r.doc, contents[r.document])
		if err != nil {
			return err
		}
		if documents[r.document] == nil {
			documents[r.document] = &r.doc
		}
		into[r.number] = store.Source{Number: r.number, Section: &s, Document: documents[r.document]}
	}
	return nil
}

// contents returns the contents of the documents of sections, by document number.
func (t *tx) contents(ctx context.Context, list []numberedSection) (map[int64]string, error) {
	numbers := make([]int64, len(list))
	for i, r := range list {
		numbers[i] = r.document
	}
	out := make(map[int64]string)
	err := t.eachRow(ctx, `
		SELECT d.number, d.content FROM unpack(?) AS j CROSS JOIN document d ON d.number = j.c0`,
		[]any{packed.Numbers(distinct(numbers))}, func(scan scanner) error {
			var number int64
			var content string
			err := scan(&number, &content)
			out[number] = content
			return err
		})
	return out, err
}

// readAccesses fills in the access counts of the documents of sections.
func (t *tx) readAccesses(ctx context.Context, scopeNo int64, items []store.Item) error {
	byID := make(map[string][]*store.Item)
	var ids []string
	for i, it := range items {
		if it.Document != nil {
			if byID[it.Document.ID] == nil {
				ids = append(ids, it.Document.ID)
			}
			byID[it.Document.ID] = append(byID[it.Document.ID], &items[i])
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return t.eachRow(ctx, `
		SELECT a.memory_id, a.accesses, a.last_access
		FROM unpack(?) AS j CROSS JOIN access a ON a.scope_no = ? AND a.memory_id = j.c0 AND a.accesses > 0`,
		[]any{packed.Texts(ids), scopeNo}, func(scan scanner) error {
			var id string
			var n int
			var last int64
			err := scan(&id, &n, &last)
			for _, it := range byID[id] {
				it.Accesses, it.LastAccess = n, fromMicros(last)
			}
			return err
		})
}
