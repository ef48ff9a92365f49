// Package files declares what Strata needs from the directories of its scopes: their
// Markdown files, the history of these files, and transcripts. Package workspace
// implements it on disk.
//
// Markdown that people write is the authority for what it says. Transcripts, indexes and
// logs are projections: the database is the authority, and they can be rewritten from it.
package files

import (
	"context"
	"io"

	"github.com/strata-memory/strata"
)

// Content writes the content of a file. It may be called while a lock is held, so that
// the later of two writers writes the later state. It must write the same bytes for the
// same state.
type Content func(w io.Writer) error

// Transcripts keeps the transcripts of closed sessions, one file per session. It is safe
// for concurrent use, even by several processes.
//
// A place is what a caller stores to find a transcript again, even after the directory of
// the workspace has moved. Errors have the codes invalid for an invalid place,
// unavailable for a directory that is not available, full and read_only.
type Transcripts interface {
	// Place returns where the transcript of a session belongs. It writes nothing.
	Place(scope strata.Scope, session string) string
	// Write writes a transcript. If a file with the same bytes exists, it changes
	// nothing; if one with other bytes exists, it returns conflict.
	Write(ctx context.Context, place string, c Content) error
	// Replace writes a transcript, whether or not one exists.
	Replace(ctx context.Context, place string, c Content) error
	// Remove removes a transcript. It is no error if there is none.
	Remove(ctx context.Context, place string) error
	// Open opens a transcript for reading; not_found if there is none.
	Open(ctx context.Context, place string) (io.ReadCloser, error)
}

// IsFinal reports whether trying again cannot help, because a write that failed with this
// code would fail every time.
func IsFinal(code strata.Code) bool {
	switch code {
	case strata.CodeConflict, strata.CodeCorrupt, strata.CodeInvalid, strata.CodeTooLarge:
		return true
	}
	return false
}
