package sqlite

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
)

// documents blanks the text in documents of the scope and notes every document, in
// any scope, whose file holds it. Sections that hold the text are removed with their
// passages; the others keep theirs.
func (f *forgetting) documents(ctx context.Context) error {
	type found struct {
		strata.Document
		number, scopeNo int64
	}
	list, err := collect(ctx, f.tx, `
		SELECT d.number, d.scope_no, `+documentColumns+`, d.content FROM document d `+documentJoins+`
		WHERE `+mayHold(`d.name || ' ' || d.description || ' ' || d.problem || ' ' || d.content`),
		[]any{f.subject.Patterns()}, func(scan scanner) (d found, err error) {
			d.Document, err = scanDocument(func(dest ...any) error { return scan(append([]any{&d.number, &d.scopeNo}, dest...)...) })
			return d, err
		})
	if err != nil {
		return err
	}
	for _, d := range list {
		texts := forget.DocumentTexts(d.Document)
		if !f.subject.Said.In(texts...) {
			d.Content = markdown.Human(d.Path, d.Content)
			if slices.ContainsFunc(forget.DocumentTexts(d.Document), f.subject.Holds) {
				f.standing = append(f.standing, place{d.scopeNo, d.Path})
			}
			continue
		}
		f.standing = append(f.standing, place{d.scopeNo, d.Path})
		if d.scopeNo != f.scopeNo || !f.subject.Said.Whole(texts...) {
			continue
		}
		if f.subject.Text.Whole(texts...) { // a text that only says where a note lay may stay
			if err := f.blankDocument(ctx, d.number, d.Document); err != nil {
				return err
			}
		}
		f.out.Documents = append(f.out.Documents, d.Path)
	}
	slices.Sort(f.out.Documents)
	return f.documentsElsewhere(ctx)
}

// documentsElsewhere notes documents of other scopes whose text a decision holds,
// even if the file no longer does: a note that was moved to this scope, for example.
func (f *forgetting) documentsElsewhere(ctx context.Context) error {
	low, high := passage.Numbers(f.scopeNo)
	list, err := f.tx.decisions(ctx, `WHERE d.path <> '' AND d.number NOT BETWEEN ?2 AND ?3 AND `+
		mayHold(`d.before || d.after`), f.subject.Patterns(), low, high)
	if err != nil {
		return err
	}
	for _, d := range list {
		for _, v := range []*strata.Document{d.Document.Before, d.Document.After} {
			if v == nil || !f.subject.Text.In(forget.DocumentTexts(*v)...) {
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

// blankDocument removes the text from a document and its sections.
func (f *forgetting) blankDocument(ctx context.Context, number int64, d strata.Document) error {
	sections, err := collect(ctx, f.tx, sectionSelect+`WHERE c.document = ? ORDER BY c.seq`, []any{number}, func(scan scanner) (strata.Section, error) {
		r, err := scanSection(scan)
		if err != nil {
			return strata.Section{}, err
		}
		return r.section(d, d.Content)
	})
	if err != nil {
		return err
	}
	blank, rest := f.subject.Text.BlankDocument(d, sections)
	if _, err := f.putSections(ctx, newSections{scopeNo: f.scopeNo, document: number, content: blank.Content, sections: rest, keep: true, forget: true}); err != nil {
		return err
	}
	_, err = f.exec(ctx, `UPDATE document SET name = ?, description = ?, problem = ?, content = ? WHERE number = ?`,
		blank.Name, blank.Description, blank.Problem, blank.Content, number)
	if err != nil {
		return err
	}
	return f.sum(ctx, check.Document, number)
}
