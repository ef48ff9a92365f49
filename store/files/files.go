// Package files declares what Strata asks of the directories of its scopes:
// their Markdown files, the history of these, and transcripts. Package workspace
// answers on disk.
//
// Markdown that people write is the authority for what it says. Transcripts,
// indexes and logs are projections: the database is the authority, and they can
// be written again from it.
package files

import (
	"context"
	"io"

	"github.com/strata-memory/strata"
)

// Content writes what a file is to hold. It may be called while a lock is
// held, so that of two writers the later one writes the later state; it must
// give the same bytes for the same state.
type Content func(w io.Writer) error

// Transcripts keeps the transcripts of closed sessions, one file for each. It
// is safe for concurrent use, by several processes too.
//
// A place is what a caller keeps to find a transcript again, even when the
// directory of the workspace has moved. Errors have the codes invalid for what
// is no place, unavailable for a directory that is not at hand, full and
// read_only.
type Transcripts interface {
	// Place says where the transcript of a session belongs. It writes nothing.
	Place(scope strata.Scope, session string) string
	// Write writes a transcript once. Where the same bytes stand already it
	// changes nothing; where others do, it is a conflict.
	Write(ctx context.Context, place string, c Content) error
	// Replace writes a transcript whether or not one is there.
	Replace(ctx context.Context, place string, c Content) error
	// Remove removes a transcript; one that is not there is no error.
	Remove(ctx context.Context, place string) error
	// Open reads a transcript; not_found if it is not there.
	Open(ctx context.Context, place string) (io.ReadCloser, error)
}

// IsFinal reports whether to try again cannot help: a write that failed with
// this code would fail every time.
func IsFinal(code strata.Code) bool {
	switch code {
	case strata.CodeConflict, strata.CodeCorrupt, strata.CodeInvalid, strata.CodeTooLarge:
		return true
	}
	return false
}
