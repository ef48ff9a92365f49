package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// documentColumns are the columns that scanDocument reads, except the content, of
// document d in scope s.
const documentColumns = `d.id, s.key, d.path, d.kind, d.type, d.slug, d.name, d.description, d.hash, d.size,
		d.modified_at, d.recorded_at, d.generation, d.redacted, d.problem, d.is_foreign`

const documentJoins = `
	JOIN scope s ON s.no = d.scope_no
	`

// documentSelect reads documents for scanDocument without their content,
// documentWhole with it. The caller appends a condition on d.
const (
	documentSelect = `SELECT ` + documentColumns + `, '' FROM document d ` + documentJoins
	documentWhole  = `SELECT ` + documentColumns + `, d.content FROM document d ` + documentJoins
)

// scanDocument reads documentColumns and the content.
func scanDocument(scan scanner) (strata.Document, error) {
	var d strata.Document
	var key, redacted string
	var modified, recorded, foreign int64
	err := scan(&d.ID, &key, &d.Path, &d.Kind, &d.Type, &d.Slug, &d.Name, &d.Description, &d.Hash, &d.Size,
		&modified, &recorded, &d.Generation, &redacted, &d.Problem, &foreign, &d.Content)
	if err != nil {
		return d, err
	}
	d.ModifiedAt, d.RecordedAt, d.Foreign = fromMicros(modified), fromMicros(recorded), foreign != 0
	if d.Scope, err = strata.ParseScope(key); err != nil {
		return d, err
	}
	d.Redacted, err = listOfTexts(redacted)
	return d, err
}

// Document returns a file of a scope as it was last recorded.
func (t *tx) Document(ctx context.Context, scope strata.Scope, path string) (strata.Document, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read document", "document", path, func(_ strata.Scope, no int64) (strata.Document, error) {
		return scanDocument(t.queryRow(ctx, documentWhole+`WHERE d.scope_no = ? AND d.path = ?`, no, path).Scan)
	})
}

// DocumentByID returns a document that one of the scopes owns.
func (t *tx) DocumentByID(ctx context.Context, scopes []strata.Scope, id string) (strata.Document, error) {
	return inScopes(ctx, t, scopes, "read document", "document", id, func(_ strata.Scope, no int64) (strata.Document, error) {
		return scanDocument(t.queryRow(ctx, documentWhole+`WHERE d.scope_no = ? AND d.id = ?`, no, id).Scan)
	})
}

// Bounds of a list of documents. They are higher than those of other lists because
// documents are usually listed in full, not page by page.
const (
	defaultDocuments = 1000
	maxDocuments     = 100_000
)

// Documents lists the documents of a scope by path.
func (t *tx) Documents(ctx context.Context, scope strata.Scope, f strata.DocumentFilter) ([]strata.Document, error) {
	return inScope(ctx, t, scope, "list documents", func(no int64) ([]strata.Document, error) {
		query := documentSelect
		if f.Content {
			query = documentWhole
		}
		query += `WHERE d.scope_no = ? AND d.path > ?`
		args := []any{no, f.After}
		if f.Kind != "" {
			query += ` AND d.kind = ?`
			args = append(args, f.Kind)
		} else if !f.System {
			query += ` AND d.kind <> ?`
			args = append(args, strata.DocumentSystem)
		}
		if f.Foreign {
			query += ` AND d.is_foreign`
		}
		if f.Type != "" {
			query += ` AND d.kind = ? AND d.type = ?`
			args = append(args, strata.DocumentNote, f.Type)
		}
		limit := f.Limit
		if limit <= 0 {
			limit = defaultDocuments
		}
		return collect(ctx, t, query+` ORDER BY d.path LIMIT ?`, append(args, min(limit, maxDocuments)), scanDocument)
	})
}

// DocumentStats returns, by path, what is needed to tell whether a file changed. It
// reads only an index, no content.
func (t *tx) DocumentStats(ctx context.Context, scope strata.Scope) (map[string]store.DocumentStat, error) {
	const op = "read document stats"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return map[string]store.DocumentStat{}, wrap(op, err)
	}
	rows, err := t.queryBlob(ctx, `
		SELECT pack_rows(path, hash, size, modified_at) FROM document INDEXED BY document_stat WHERE scope_no = ?`, no)
	if err != nil {
		return nil, wrap(op, err)
	}
	const usual = 128 // bytes of a row
	out := make(map[string]store.DocumentStat, len(rows)/usual)
	_, err = packed.Each(rows, 4, func(row []packed.Value) error {
		out[string(row[0].Bytes())] = store.DocumentStat{Hash: string(row[1].Bytes()), Size: row[2].Int(), ModifiedAt: row[3].Int()}
		return nil
	})
	if err != nil {
		return nil, wrap(op, err)
	}
	pending, err := t.pendingPaths(ctx, no)
	for _, path := range pending {
		st := out[path] // empty for a file that is to be removed
		st.Pending = true
		out[path] = st
	}
	return out, wrap(op, err)
}

// pendingPaths lists the paths with outstanding decisions.
func (t *tx) pendingPaths(ctx context.Context, scopeNo int64) ([]string, error) {
	return collect(ctx, t, `
		SELECT DISTINCT path FROM decision INDEXED BY decision_pending_path
		WHERE scope_no = ? AND path <> '' AND applied_at IS NULL AND set_aside = ''`, []any{scopeNo}, scanText)
}

// SameIdentity returns the notes of a scope that have an identity.
func (t *tx) SameIdentity(ctx context.Context, scope strata.Scope, identity string) ([]strata.Document, error) {
	kind, slug, ok := strings.Cut(identity, "/")
	if !ok || slug == "" {
		return nil, nil
	}
	return inScope(ctx, t, scope, "find document by identity", func(no int64) ([]strata.Document, error) {
		return collect(ctx, t, documentSelect+`
			WHERE d.scope_no = ? AND d.type = ? AND d.slug = ? AND d.kind = 'note' AND d.slug <> '' ORDER BY d.path`, []any{no, kind, slug}, scanDocument)
	})
}

// documentRow is what is needed to change a document.
type documentRow struct {
	number, generation int64
	id                 string
	name, description  string
	kind               strata.DocumentKind
	typ                strata.Type
}

// documentAt returns the row of a document, or [sql.ErrNoRows].
func (t *tx) documentAt(ctx context.Context, scopeNo int64, path string) (documentRow, error) {
	var row documentRow
	err := t.queryRow(ctx, `SELECT number, generation, id, name, description, kind, type FROM document WHERE scope_no = ? AND path = ?`,
		scopeNo, path).Scan(&row.number, &row.generation, &row.id, &row.name, &row.description, &row.kind, &row.typ)
	return row, err
}

// PutDocument records a version of a document with its sections. It sets RecordedAt
// to the time of the transaction if it is zero. A version that is not newer than the
// stored one, or that has another id, is a conflict.
func (t *tx) PutDocument(ctx context.Context, d strata.Document, sections []strata.Section) ([]store.StoredSection, error) {
	const op = "put document"
	if err := checkDocument(d); err != nil {
		return nil, err
	}
	for i, s := range sections {
		if err := checkSection(s, i); err != nil {
			return nil, err
		}
	}
	no, _, err := t.scopeNo(ctx, d.Scope, true)
	if err != nil {
		return nil, wrap(op, err)
	}
	old, err := t.documentAt(ctx, no, d.Path)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, wrap(op, err)
	}
	switch {
	case old.number == 0:
	case old.id != d.ID:
		return nil, conflict(op, "the document at "+d.Path+" has another id")
	case old.generation >= d.Generation:
		return nil, conflict(op, "the document at "+d.Path+" has this version, or a newer one, already")
	}
	number, err := t.putDocumentRow(ctx, no, old.number, d)
	if err == nil && !d.Foreign && d.Scope.Workspace != "" {
		err = t.trustFile(ctx, no, d.Path, d.Hash)
	}
	if err != nil {
		return nil, wrap(op, err)
	}
	// The index entry of a section begins with the name and description of the
	// document, and kind and type determine who may see it.
	same := old.name == d.Name && old.description == d.Description && old.kind == d.Kind && old.typ == d.Type
	out, err := t.putSections(ctx, newSections{scopeNo: no, document: number, content: d.Content, sections: sections, keep: same})
	return out, wrap(op, err)
}

func (t *tx) putDocumentRow(ctx context.Context, scopeNo, number int64, d strata.Document) (int64, error) {
	redacted, err := encodeList(d.Redacted)
	if err != nil {
		return 0, err
	}
	if d.RecordedAt.IsZero() {
		d.RecordedAt = t.now
	}
	values := []any{d.Kind, d.Type, d.Slug, d.Name, d.Description, d.Hash, d.Size, micros(d.ModifiedAt), micros(d.RecordedAt),
		d.Generation, redacted, d.Problem, d.Content, d.Foreign}
	if number != 0 {
		_, err = t.exec(ctx, `
			UPDATE document SET kind = ?, type = ?, slug = ?, name = ?, description = ?, hash = ?, size = ?, modified_at = ?,
				recorded_at = ?, generation = ?, redacted = ?, problem = ?, content = ?, is_foreign = ?
			WHERE number = ?`, append(values, number)...)
		if err != nil {
			return 0, err
		}
		return number, t.sum(ctx, check.Document, number)
	}
	if number, err = t.nextNumber(ctx, scopeNo); err != nil {
		return 0, err
	}
	_, err = t.exec(ctx, `
		INSERT INTO document (number, scope_no, id, path, kind, type, slug, name, description, hash, size, modified_at,
			recorded_at, generation, redacted, problem, content, is_foreign)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append([]any{number, scopeNo, d.ID, d.Path}, values...)...)
	if database.IsConstraint(err) {
		return 0, conflict("put document", "document "+d.ID+" already exists at another path")
	}
	if err != nil {
		return 0, err
	}
	return number, t.sum(ctx, check.Document, number)
}

// checkDocument rejects what would damage the store. Whether the document makes
// sense is not checked here.
func checkDocument(d strata.Document) error {
	const op = "check document"
	if err := d.Scope.Validate(); err != nil {
		return err
	}
	if err := strata.ValidateName("document id", d.ID); err != nil {
		return err
	}
	if err := strata.ValidatePath(d.Path); err != nil {
		return err
	}
	if d.Type != "" {
		if err := d.Type.Validate(); err != nil {
			return err
		}
	}
	switch {
	case len(d.Content) > strata.MaxDocumentBytes:
		return &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the text is longer than 1 MiB",
			Hint: "split it into several files"}
	case d.Generation < 1:
		return strata.Invalid(op, "the generation is below 1", "count versions from 1")
	case d.Size < 0:
		return strata.Invalid(op, "the size is negative", "give the size of the file in bytes")
	case d.Kind != strata.KindOfPath(d.Path):
		return strata.Invalid(op, "the kind is not that of the path", "use KindOfPath")
	}
	for _, s := range append([]string{d.Slug, d.Name, d.Description, d.Hash, d.Problem, d.Content}, d.Redacted...) {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return strata.Invalid(op, "a text is not plain UTF-8", "send text, not binary data")
		}
	}
	return nil
}

// TouchDocument records that a file was written again with the same bytes. It does
// nothing if there is no document at the path or its bytes differ.
func (t *tx) TouchDocument(ctx context.Context, scope strata.Scope, path string, st store.DocumentStat) error {
	const op = "touch document"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return wrap(op, err)
	}
	_, err = t.exec(ctx, `UPDATE document SET modified_at = ?, size = ? WHERE scope_no = ? AND path = ? AND hash = ?`,
		st.ModifiedAt, st.Size, no, path, st.Hash)
	return wrap(op, err)
}

// RemoveDocument removes the document of a file that no longer exists. Its access
// counts are kept by its id, since the file may come back.
func (t *tx) RemoveDocument(ctx context.Context, scope strata.Scope, path string) error {
	return t.removeDocument(ctx, scope, path, false)
}

// removeDocument is like RemoveDocument, but nothing of the text remains if forget
// is set.
func (t *tx) removeDocument(ctx context.Context, scope strata.Scope, path string, forget bool) error {
	const op = "remove document"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return wrap(op, err)
	}
	row, err := t.documentAt(ctx, no, path)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return wrap(op, err)
	}
	if _, err := t.putSections(ctx, newSections{scopeNo: no, document: row.number, forget: forget}); err != nil {
		return wrap(op, err)
	}
	_, err = t.exec(ctx, `DELETE FROM document WHERE number = ?`, row.number)
	return wrap(op, err)
}
