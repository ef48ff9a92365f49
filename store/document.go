package store

import (
	"context"

	"github.com/strata-memory/strata"
)

// DocumentReader reads what is known of the files of scopes.
type DocumentReader interface {
	// Document returns a file of a scope as it was last recorded, with its
	// content; else not_found.
	Document(ctx context.Context, scope strata.Scope, path string) (strata.Document, error)
	// DocumentByID returns a document if one of the scopes owns it; else
	// not_found.
	DocumentByID(ctx context.Context, scopes []strata.Scope, id string) (strata.Document, error)
	// Documents lists the documents of a scope by path. It knows one scope and
	// leaves Shadowed alone.
	Documents(ctx context.Context, scope strata.Scope, f strata.DocumentFilter) ([]strata.Document, error)
	// DocumentStats returns what tells whether a file changed, by path, of all
	// documents of a scope. A path with an outstanding decision that has no
	// document has nothing but Pending.
	DocumentStats(ctx context.Context, scope strata.Scope) (map[string]DocumentStat, error)
	// Sections returns the sections of a document in order.
	Sections(ctx context.Context, scope strata.Scope, document string) ([]strata.Section, error)
	// SameIdentity returns the documents of a scope with the identity, without
	// content.
	SameIdentity(ctx context.Context, scope strata.Scope, identity string) ([]strata.Document, error)
}

// DocumentStat is what a scan of files compares with.
type DocumentStat struct {
	Hash       string
	Size       int64
	ModifiedAt int64 // microseconds since 1970
	// Pending tells that a decision about the path is outstanding: the file is
	// not yet what memory says.
	Pending bool
}

// DocumentWriter changes what is known of the files of scopes.
type DocumentWriter interface {
	// PutDocument records a version of a document in the place of the one before,
	// with its sections, whose Document and Path are filled in. A section whose
	// headings and text are as before keeps its passage, wherever it stands now,
	// unless the document's name or description changed, which are indexed with
	// it; passages of sections that are gone go. Another id than before, or a
	// generation that is not above it, is a conflict. It returns a number for each section
	// and whether it is new: the caller indexes those with PutPassage, under the
	// kind section, the document's path as parent and the section's place as Seq.
	PutDocument(ctx context.Context, d strata.Document, sections []strata.Section) ([]StoredSection, error)
	// TouchDocument records that a file was written again with the same bytes.
	TouchDocument(ctx context.Context, scope strata.Scope, path string, s DocumentStat) error
	// RemoveDocument forgets that there was a file, with its sections and their
	// passages; a path without a document is no error. How often the document was
	// of use stays known by its id.
	RemoveDocument(ctx context.Context, scope strata.Scope, path string) error
}

// StoredSection is the passage of a section.
type StoredSection struct {
	Number int64
	New    bool
}
