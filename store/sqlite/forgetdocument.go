package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// heldDocument is a document that may hold a text.
type heldDocument struct {
	strata.Document
	number, scopeNo int64
}

// documents blanks what documents of the scope hold of the text, and notes every
// document that holds it, of this or other scopes: its file still does. Sections
// with the text go, and their passages; the others keep theirs.
func (f *forgetting) documents(ctx context.Context) error {
	rows, err := f.query(ctx, `
		SELECT d.number, d.scope_no, `+documentColumns+`, d.content FROM document d `+documentJoins+`
		WHERE `+maybe(`d.name || ' ' || d.description || ' ' || d.problem || ' ' || d.content`), f.wanted.pattern)
	if err != nil {
		return err
	}
	list, err := collect(rows, func(scan scanner) (heldDocument, error) {
		var d heldDocument
		var err error
		d.Document, err = scanDocument(func(dest ...any) error { return scan(append([]any{&d.number, &d.scopeNo}, dest...)...) })
		return d, err
	})
	if err != nil {
		return err
	}
	for _, d := range list {
		if !f.wanted.in(documentTexts(d.Document)...) {
			continue
		}
		f.standing = append(f.standing, place{d.scopeNo, d.Path})
		if d.scopeNo != f.scopeNo || !slices.ContainsFunc(documentTexts(d.Document), f.wanted.whole) {
			continue
		}
		if err := f.blankDocument(ctx, d); err != nil {
			return err
		}
		f.out.Documents = append(f.out.Documents, d.Path)
	}
	slices.Sort(f.out.Documents)
	return f.documentsElsewhere(ctx)
}

// documentsElsewhere notes the documents of other scopes of which a decision
// holds the text, though the file may not any more: a note that was moved to
// this scope, say.
func (f *forgetting) documentsElsewhere(ctx context.Context) error {
	low, high := numbers(f.scopeNo)
	list, err := f.tx.decisions(ctx, `WHERE d.path <> '' AND d.number NOT BETWEEN ?2 AND ?3 AND `+
		maybe(`d.before || d.after`), f.wanted.pattern, low, high)
	if err != nil {
		return err
	}
	for _, d := range list {
		for _, v := range []*strata.Document{d.Document.Before, d.Document.After} {
			if v == nil || !f.wanted.in(documentTexts(*v)...) {
				continue
			}
			no, _, err := f.tx.scopeNo(ctx, d.Scope, false)
			if err != nil {
				return err
			}
			f.standing = append(f.standing, place{no, d.Document.Path})
		}
	}
	return nil
}

// documentTexts are the texts of a document that people write.
func documentTexts(d strata.Document) []string {
	return []string{d.Name, d.Description, d.Problem, d.Content}
}

// blankDocument takes the text out of a document and its sections.
func (f *forgetting) blankDocument(ctx context.Context, d heldDocument) error {
	rows, err := f.query(ctx, sectionSelect+`WHERE c.document = ? ORDER BY c.seq`, d.number)
	if err != nil {
		return err
	}
	sections, err := collect(rows, func(scan scanner) (strata.Section, error) {
		r, err := scanSection(scan)
		if err != nil {
			return strata.Section{}, err
		}
		return r.section(d.Document, d.Content)
	})
	if err != nil {
		return err
	}
	var held [][2]int // lines of sections with the text
	rest := sections[:0]
	for _, s := range sections {
		if slices.ContainsFunc(append(s.Headings, s.Text), f.wanted.whole) {
			held = append(held, [2]int{s.Line, s.EndLine})
			continue
		}
		s.Seq = 0 // those that are left count anew
		rest = append(rest, s)
	}
	blank, all := f.withoutText(d.Document, held)
	if all || blank.Name != d.Name || blank.Description != d.Description {
		rest = nil // every section is indexed with both
	}
	if _, err := f.putSections(ctx, d.scopeNo, d.number, blank.Content, rest, true, true); err != nil {
		return err
	}
	_, err = f.exec(ctx, `UPDATE document SET name = ?, description = ?, problem = ?, content = ? WHERE number = ?`,
		blank.Name, blank.Description, blank.Problem, blank.Content, d.number)
	return err
}

// withoutText blanks what a document says of the text: the lines that hold it;
// where it spans lines, those of the sections that hold it; else all. The other
// lines keep their numbers.
func (f *forgetting) withoutText(d strata.Document, sections [][2]int) (blank strata.Document, all bool) {
	for _, s := range []*string{&d.Name, &d.Description, &d.Problem} {
		if f.wanted.whole(*s) {
			*s = strata.ForgottenText
		}
	}
	if !f.wanted.whole(d.Content) {
		return d, false
	}
	lines := strings.Split(d.Content, "\n")
	for i, line := range lines {
		if f.wanted.whole(line) {
			lines[i] = strata.ForgottenText + line[len(strings.TrimRight(line, "\r")):]
		}
	}
	if d.Content = strings.Join(lines, "\n"); !f.wanted.whole(d.Content) {
		return d, false
	}
	for _, s := range sections {
		blankLines(lines[min(s[0]-1, len(lines)):min(s[1], len(lines))])
	}
	if d.Content = strings.Join(lines, "\n"); !f.wanted.whole(d.Content) {
		return d, false
	}
	blankLines(lines)
	d.Content = strings.Join(lines, "\n")
	return d, true
}

// blankLines leaves nothing of some lines but their number.
func blankLines(lines []string) {
	clear(lines)
	if len(lines) > 0 {
		lines[0] = strata.ForgottenText
	}
}

// blankChange takes the text out of what a decision did to a file.
func (f *forgetting) blankChange(c *strata.DocumentChange) (changed bool) {
	for _, d := range []*strata.Document{c.Before, c.After} {
		if d != nil && d.ID == f.id {
			*d = withoutFile(*d)
			changed = true
			continue
		}
		if d == nil || !slices.ContainsFunc(documentTexts(*d), f.wanted.whole) {
			continue
		}
		*d, _ = f.withoutText(*d, nil)
		changed = true
	}
	return changed
}

// withoutFile returns what may be known of a forgotten file: where it lay, and
// its hash, by which it is told from another and removed.
func withoutFile(d strata.Document) strata.Document {
	return strata.Document{
		ID: d.ID, Scope: d.Scope, Path: d.Path, Kind: d.Kind, Content: strata.ForgottenText,
		Hash: d.Hash, Size: d.Size, Generation: d.Generation, ModifiedAt: d.ModifiedAt, RecordedAt: d.RecordedAt,
	}
}

// ForgetDocument removes every trace of a document of a scope.
func (t *tx) ForgetDocument(ctx context.Context, scope strata.Scope, d strata.Document, whole, parts []string) (store.Forgotten, error) {
	const op = "forget document"
	if err := strata.ValidateName("document id", d.ID); err != nil {
		return store.Forgotten{}, err
	}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return store.Forgotten{}, wrap(op, err)
	}
	if !ok {
		return store.Forgotten{}, strata.NotFound(op, "document", d.ID)
	}
	f := forgetting{tx: t, scopeNo: no, scope: scope, id: d.ID, file: d.Path}
	whole = normalizedTexts(whole)
	normal := normalizedTexts(append(parts, whole...))
	f.wanted = newWanted(normal)
	shown := normal
	if d.Kind == strata.DocumentNote {
		shown = append(slices.Clone(normal), text.Normalize(d.Path)) // its line in an index
	}
	f.shown = newWanted(shown)
	stones := func(ctx context.Context) error {
		for _, s := range whole {
			if err := f.putTombstone(ctx, f.scopeNo, s, f.id); err != nil {
				return err
			}
		}
		return nil
	}
	for _, step := range []func(context.Context) error{
		f.purgeWords, f.removeFile, f.decisions, f.traces, f.recalls, f.turns, f.documents, f.snapshots, f.states, f.learnings, f.outcomes,
		f.transcripts, f.remaining, stones,
	} {
		if err := step(ctx); err != nil {
			return store.Forgotten{}, wrap(op, err)
		}
	}
	return f.out, nil
}

// removeFile removes the row of the document and how often it was of use.
func (f *forgetting) removeFile(ctx context.Context) error {
	row, err := f.documentAt(ctx, f.scopeNo, f.file)
	switch {
	case err == nil && row.id == f.id:
		if err := f.removeDocument(ctx, f.scope, f.file, true); err != nil {
			return err
		}
		f.out.Versions = 1
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	}
	_, err = f.exec(ctx, `DELETE FROM access WHERE scope_no = ? AND memory_id = ?`, f.scopeNo, f.id)
	return err
}

// normalizedTexts returns the texts normalized, each once, without empty ones.
func normalizedTexts(list []string) []string {
	var out []string
	for _, s := range list {
		if n := text.Normalize(s); n != "" {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
