package engine

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/store"
)

// A hand edit is settled in one transaction, and what is generated from it (the
// index of notes, say) follows. No decision is outstanding then, since the file
// is as it says, so a process that ends in between would leave a file that is
// not true. That is why the same transaction sets the time of that file to
// untrueSince: the next look finds that the file differs from what is known of
// it, and has it rendered.

// untrueSince is the time, in microseconds since 1970, of a file whose generated
// part is to be rendered anew.
const untrueSince = 0

// generatedIn is the file with the generated part that a change of a document
// leaves untrue; empty for none.
func generatedIn(path string) string {
	switch partOf(path) {
	case partIndex:
		return strata.IndexPath
	case partLessons:
		return path
	}
	return ""
}

// markUntrue notes durably that what is generated from a document is no longer
// true. A file that is not there yet needs no mark.
func markUntrue(ctx context.Context, w store.Writer, shelf *shelf, scope strata.Scope, path string) error {
	target := place{scope, generatedIn(path)}
	if target.path == "" || shelf.untrue[target] && target.path != path {
		return nil
	}
	d, err := documentAt(ctx, w, scope, target.path)
	if err != nil || d == nil {
		return err
	}
	shelf.untrue[target] = true
	return w.TouchDocument(ctx, scope, target.path, store.DocumentStat{Hash: d.Hash, Size: d.Size, ModifiedAt: untrueSince})
}

// renderUntrue has rendered what a process that ended early left untrue, and
// takes it out of what a scan found: it stays marked until it is true. Where
// there are notes and no index at all, that is to be rendered too.
func (e *Engine) renderUntrue(scope strata.Scope, known map[string]files.Stat, found *files.Changes) {
	for path := range found.Touched {
		if known[path].ModifiedAt.Equal(time.UnixMicro(untrueSince)) && generatedIn(path) == path {
			delete(found.Touched, path)
			e.render(scope, partOf(path))
		}
	}
	if _, ok := known[strata.IndexPath]; ok {
		return
	}
	for path := range known {
		if strata.KindOfPath(path) == strata.DocumentNote && partOf(path) == partIndex {
			e.render(scope, partIndex)
			return
		}
	}
}
