package edit

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// replayed returns the decision that an earlier call with the same request id led to,
// with Replayed set. It returns nil if the id is new in the scope, or if the call changed
// nothing, in which case the write itself compares. Only what was requested is compared,
// since the file also depends on the time and on its previous version.
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
	if documents.IsWhole(*d.Document.After) { // forgotten text cannot be compared
		note, err := markdown.ParseNote(d.Document.After.Content)
		if err != nil || !same(d.Document.Path, note) {
			return nil, strata.RequestConflict("write note", d)
		}
	}
	d.Replayed = true
	return &d, nil
}

// asksFor reports whether a note that was stored is what n asks for at a path.
func (n Note) asksFor(path, stored string, note markdown.Note) bool {
	return stored == path && note.Name == n.Title && note.Body == strings.Trim(n.Body, "\r\n") &&
		(n.Hook == "" || note.Description == n.Hook)
}
