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
	// Documents lists the documents of a scope by path. It does not set
	// Shadowed, which depends on other scopes.
	Documents(ctx context.Context, scope strata.Scope, f strata.DocumentFilter) ([]strata.Document, error)
	// DocumentStats returns the stats of all documents of a scope, by path. Of a
	// path that has an outstanding decision and no document, only Pending is set.
	DocumentStats(ctx context.Context, scope strata.Scope) (map[string]DocumentStat, error)
	// Sections returns the sections of a document in order.
	Sections(ctx context.Context, scope strata.Scope, document string) ([]strata.Section, error)
	// Trusted returns the hashes of the versions of a file that are trusted: those that
	// PutDocument recorded as not foreign, and those of TrustDocument.
	Trusted(ctx context.Context, scope strata.Scope, path string) ([]string, error)
	// ScopeSeen reports whether [DocumentWriter.SeeScope] was called for a scope of a
	// workspace, or for its workspace as one made here.
	ScopeSeen(ctx context.Context, scope strata.Scope) (bool, error)
	// SameIdentity returns the documents of a scope with the identity, without
	// content.
	SameIdentity(ctx context.Context, scope strata.Scope, identity string) ([]strata.Document, error)
}

// TrustedVersions is how many versions of a file are known to be trusted.
const TrustedVersions = 100

// DocumentStat is what a scan compares with a file to see whether it changed.
type DocumentStat struct {
	Hash       string
	Size       int64
	ModifiedAt int64 // microseconds since 1970
	// Pending reports whether a decision about the path is outstanding, so that
	// the file is not yet what memory says.
	Pending bool
}

// DocumentWriter changes what is known of the files of scopes.
type DocumentWriter interface {
	// PutDocument records a version of a document in place of the one before, with
	// its sections, whose Document and Path are filled in. Another id than before,
	// or a generation that is not above the one before, is a conflict.
	//
	// A section whose headings and text are as before keeps its passage, unless the
	// document's name or description changed, which are indexed with it. Passages of
	// sections that are gone are removed. The caller indexes the new ones with
	// PutPassage, with the kind section, the document's path as parent and the
	// section's place as Seq.
	//
	// The hash of a version of a workspace that is not foreign is one that is trusted
	// from then on, as one of the newest [TrustedVersions] of its path.
	PutDocument(ctx context.Context, d strata.Document, sections []strata.Section) ([]StoredSection, error)
	// TrustDocument records that the version of a document with a hash is trusted, or
	// that it is foreign. Another version than that is a conflict, no document not_found.
	TrustDocument(ctx context.Context, scope strata.Scope, path, hash string, trusted bool) error
	// SeeScope records that the files of a scope of a workspace were looked at; made, that
	// its directory was made here.
	SeeScope(ctx context.Context, scope strata.Scope, made bool) error
	// TouchDocument records that a file was written again with the same bytes.
	TouchDocument(ctx context.Context, scope strata.Scope, path string, s DocumentStat) error
	// RemoveDocument removes a document with its sections and their passages. A
	// path without a document is no error. The accesses of the document stay known
	// by its id.
	RemoveDocument(ctx context.Context, scope strata.Scope, path string) error
}

// StoredSection is the passage of a section, and whether it is to be indexed.
type StoredSection struct {
	Number int64
	New    bool
}
