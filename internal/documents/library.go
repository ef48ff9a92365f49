package documents

import (
	"context"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/memoryurl"
	"github.com/strata-memory/strata/store"
)

// Library answers questions about the documents of a home. It is safe for
// concurrent use.
type Library struct{ store store.Store }

// NewLibrary returns a Library that reads from a store.
func NewLibrary(s store.Store) *Library { return &Library{store: s} }

// At returns the document at an address, such as memory://root/MEMORY.md, with its
// content. memory://root is the summary of memory. If several scopes of the view have the
// path, the first one counts. Parts that are based only on what is gone are left out; see
// [Told]. At returns [strata.CodeInvalid] for an invalid address, and
// [strata.CodeNotFound].
func (l *Library) At(ctx context.Context, view strata.View, address string) (strata.Document, error) {
	path, err := memoryurl.Parse(address)
	if err != nil {
		return strata.Document{}, err
	}
	d, err := l.Document(ctx, view, path)
	told := true
	if err == nil {
		err = l.store.View(ctx, func(r store.Reader) error {
			d, told, err = Told(ctx, r, d)
			return err
		})
	}
	if told && strata.CodeOf(err) != strata.CodeNotFound {
		return d, err
	}
	missing := &strata.Error{Code: strata.CodeNotFound, Op: "resolve address", Message: "there is no document " + strings.TrimPrefix(address, memoryurl.Scheme),
		Hint: "strata note list --kind any lists all documents"}
	if path == memoryurl.SummaryPath {
		missing.Message, missing.Hint = "there is no summary of memory yet", "memory://root/MEMORY.md is the index"
	}
	return strata.Document{}, missing
}

// Resolve is like [Library.At], but also records that a skill was opened. If the home
// cannot be written at the moment, it does not.
func (l *Library) Resolve(ctx context.Context, view strata.View, address string) (strata.Document, error) {
	d, err := l.At(ctx, view, address)
	if err != nil || d.Kind != strata.DocumentSkill {
		return d, err
	}
	err = l.store.Update(ctx, func(w store.Writer) error { return w.RecordMark(ctx, d.Scope, d.ID, store.MarkOpened) })
	switch strata.CodeOf(err) {
	case strata.CodeReadOnly, strata.CodeBusy, strata.CodeFull:
		err = nil
	}
	return d, err
}

// Opened returns when the documents of a view were last opened, by document id.
func (l *Library) Opened(ctx context.Context, view strata.View) (map[string]time.Time, error) {
	out := make(map[string]time.Time)
	err := store.ViewEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) error {
		list, err := r.Opened(ctx, s)
		for _, o := range list {
			out[o.Document] = o.At
		}
		return err
	})
	return out, err
}

// File is a file of a scope in a report. Reason says what is wrong with it, and is empty
// if nothing is. An empty Path means a whole directory.
type File struct {
	Scope  strata.Scope `json:"scope"`
	Path   string       `json:"path,omitempty"`
	Reason string       `json:"reason,omitempty"`
}
