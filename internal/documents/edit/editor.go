// Package edit composes documents and moves them: notes under their titles,
// proposals of notes, ad-hoc notes, promotion to another scope, skills that are learnt
// from calls of tools or made of notes, and the archive of daily logs. All it does goes
// through the one write path.
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

// Options are what an editor works with. All but Tree are needed.
type Options struct {
	Memory  Memory
	Store   store.Store
	Library *documents.Library
	Tree    files.Tree // nil: there are no files
	IDs     *id.Maker
	Now     func() time.Time
	// Intake takes in what was done by hand to files that are about to be written.
	Intake *handedit.Intake
}

// Editor composes and moves the documents of a home. It is safe for concurrent
// use.
type Editor struct{ o Options }

// New returns an editor.
func New(o Options) *Editor { return &Editor{o} }
