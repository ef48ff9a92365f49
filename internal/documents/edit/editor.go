// Package edit composes and moves documents: notes under their titles, proposals of
// notes, ad-hoc notes, promotion to another scope, skills learned from tool calls or made
// of notes, and the archive of daily logs. All changes go through the regular write path.
package edit

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/handedit"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Memory is the write path.
type Memory interface {
	Write(context.Context, strata.Candidate) (strata.Decision, error)
	WriteBatch(context.Context, []strata.Candidate) ([]strata.Decision, error)
	Preview(context.Context, strata.Candidate) (strata.Decision, error)
}

// Options are what an [Editor] needs. All but Tree are required.
type Options struct {
	Memory  Memory
	Store   store.Store
	Library *documents.Library
	Tree    files.Tree // nil if there are no files
	IDs     *id.Maker
	Now     func() time.Time
	// Intake records edits made by hand to files that are about to be written.
	Intake *handedit.Intake
}

// Editor composes and moves the documents of a home. It is safe for concurrent use.
type Editor struct{ o Options }

// New returns an editor.
func New(o Options) *Editor { return &Editor{o} }
