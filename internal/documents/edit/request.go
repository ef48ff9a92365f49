package edit

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// replayed returns the decision that a request id led to before, marked as such;
// nil if the id is new in the scope, or if it changed nothing, which is for the
// write to compare. A note is composed with times and on top of what stands
// there, so that what was asked for is compared, and not the whole file.
func (e *Editor) replayed(ctx context.Context, scope strata.Scope, requestID string, same func(path string, n markdown.Note) bool) (*strata.Decision, error) {
	if requestID == "" {
		return nil, nil
	}
	d, err := store.Read(ctx, e.o.Store, func(r store.Reader) (strata.Decision, error) {
		return r.DecisionByRequest(ctx, scope, requestID)
	})
	switch {
	case strata.CodeOf(err) == strata.CodeNotFound:
		return nil, nil
	case err != nil:
		return nil, err
	case !d.Op.Changed():
		return nil, nil
	case d.Document == nil || d.Document.After == nil:
		return nil, strata.RequestConflict("write note", d)
	}
	if documents.IsWhole(*d.Document.After) { // what was forgotten cannot be compared
		note, err := markdown.ParseNote(d.Document.After.Content)
		if err != nil || !same(d.Document.Path, note) {
			return nil, strata.RequestConflict("write note", d)
		}
	}
	d.Replayed = true
	return &d, nil
}

// asksFor reports whether a note at a path is what n asks for there.
func (n Note) asksFor(path, stored string, note markdown.Note) bool {
	return stored == path && note.Name == n.Title && note.Body == strings.Trim(n.Body, "\r\n") &&
		(n.Hook == "" || note.Description == n.Hook)
}
