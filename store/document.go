package store

import (
	"context"

	"github.com/strata-memory/strata"
)

// DocumentReader reads what the store knows about the files of scopes.
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
	// DocumentStats returns the stats of all documents of a scope by path. For a path
	// that has an outstanding decision but no document, only Pending is set.
	DocumentStats(ctx context.Context, scope strata.Scope) (map[string]DocumentStat, error)
	// Sections returns the sections of a document in order.
	Sections(ctx context.Context, scope strata.Scope, document string) ([]strata.Section, error)
	// Trusted returns the hashes of the trusted versions of a file: those that
	// PutDocument recorded as not foreign or that TrustDocument recorded as trusted.
	Trusted(ctx context.Context, scope strata.Scope, path string) ([]string, error)
	// ScopeSeen reports whether [DocumentWriter.SeeScope] was called for a workspace's
	// scope, or, with made set, for the scope of the workspace itself.
	ScopeSeen(ctx context.Context, scope strata.Scope) (bool, error)
	// SameIdentity returns the documents of a scope that have the identity, without
	// content.
	SameIdentity(ctx context.Context, scope strata.Scope, identity string) ([]strata.Document, error)
}

// TrustedVersions is the number of trusted versions that are remembered for a file.
const TrustedVersions = 100

// DocumentStat is what a scan compares with a file to detect a change.
type DocumentStat struct {
	Hash       string
	Size       int64
	ModifiedAt int64 // microseconds since 1970
	// Pending reports whether a decision about the path is outstanding, so that the file
	// does not match the database yet.
	Pending bool
}

// DocumentWriter changes what the store knows about the files of scopes.
type DocumentWriter interface {
	// PutDocument records a version of a document with its sections, in place of the
	// version before. It fills in the Document and Path of the sections. It returns
	// conflict if the id differs from that of the version before, or if the generation is
	// not above it.
	//
	// A section with unchanged headings and text keeps its passage, unless the document's
	// name, description, kind or type changed, on which the indexed text or who sees it
	// depends. PutDocument removes the passages of sections that are gone. The caller
	// indexes the new ones with PutPassage: the kind is section, the parent is the
	// document's path and Seq is the section's place.
	//
	// If the version belongs to a workspace and is not foreign, PutDocument adds its hash
	// to the trusted ones; the newest [TrustedVersions] of each path stay.
	PutDocument(ctx context.Context, d strata.Document, sections []strata.Section) ([]StoredSection, error)
	// TrustDocument records that the version of a document with the given hash is trusted
	// or foreign. If the document has another hash, it returns conflict; without a
	// document, not_found.
	TrustDocument(ctx context.Context, scope strata.Scope, path, hash string, trusted bool) error
	// SeeScope records that the files of a workspace's scope were looked at; made says
	// that Strata made their directory.
	SeeScope(ctx context.Context, scope strata.Scope, made bool) error
	// TouchDocument records that a file was written again with the same bytes.
	TouchDocument(ctx context.Context, scope strata.Scope, path string, s DocumentStat) error
	// RemoveDocument removes a document with its sections and their passages. It is no
	// error if there is no document at the path. Accesses of the document stay recorded
	// under its id.
	RemoveDocument(ctx context.Context, scope strata.Scope, path string) error
}

// StoredSection is the passage number of a section and whether the caller must index it.
type StoredSection struct {
	Number int64
	New    bool
}
