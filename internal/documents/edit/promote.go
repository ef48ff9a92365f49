package edit

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

// PromoteOptions say how a note is moved. The zero value moves it.
type PromoteOptions struct {
	DryRun bool          // return the decisions that would be made, change nothing
	Origin strata.Origin // empty means api
	Agent  string
	Reason string
}

// Promote moves a document from one scope to another in one transaction. name is an id, a
// path, "type/slug" or a slug, as for [documents.Library.Document]. A proposed note in
// _inbox/ becomes a note, also if from and to are the same.
//
// If the other scope already has another document at the path, Promote changes nothing
// and returns [strata.CodeConflict].
func (e *Editor) Promote(ctx context.Context, from, to strata.Scope, name string, o PromoteOptions) ([]strata.Decision, error) {
	const op = "promote document"
	if err := to.Validate(); err != nil {
		return nil, err
	}
	d, err := e.withEdits(ctx, from.View(), name)
	if err != nil {
		return nil, err
	}
	if err := e.makeWhole(ctx, &d); err != nil {
		return nil, err
	}
	path, content, err := moved(d, to)
	switch {
	case err != nil:
		return nil, err
	case from == to && path == d.Path:
		return nil, strata.Invalid(op, d.Path+" is already in "+to.Key(), "name a different scope")
	case strings.HasPrefix(d.Path, strata.ProjectPrefix):
		return nil, strata.Invalid(op, "memory reads files of the project itself but never moves them", "copy the text into a note")
	}
	return e.replace(ctx, []strata.Candidate{
		{Scope: to, Path: path, Content: content, BaseHash: strata.NoFile, Foreign: d.Foreign, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason},
		{Scope: from, Path: d.Path, Action: strata.ActionDelete, BaseHash: d.Hash, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason},
	}, o.DryRun)
}

// withEdits finds a document of a view and returns it after recording edits made to its
// file by hand.
func (e *Editor) withEdits(ctx context.Context, view strata.View, name string) (strata.Document, error) {
	d, err := e.o.Library.Document(ctx, view, name)
	if err != nil {
		return d, err
	}
	if err := e.o.Intake.NoticeEdits(ctx, documents.Place{Scope: d.Scope, Path: d.Path}); err != nil {
		return d, err
	}
	return e.o.Library.Document(ctx, d.Scope.View(), d.ID)
}

// replace writes a document and deletes another in one transaction.
func (e *Editor) replace(ctx context.Context, batch []strata.Candidate, dryRun bool) ([]strata.Decision, error) {
	var would []strata.Decision
	for _, c := range batch {
		d, err := e.o.Memory.Preview(ctx, c)
		if err != nil {
			return nil, err
		}
		would = append(would, d)
	}
	// Do not delete what would not be written.
	switch put := would[0]; {
	case put.Op == strata.OpReject:
		return nil, decide.Rejection(put)
	case put.Op == strata.OpNoop && !slices.Contains(put.Rules, decide.RuleSameBytes):
		return nil, &strata.Error{Code: strata.CodeConflict, Op: "move document", Message: "it cannot be moved: " + put.Reason, Hint: "write it there first"}
	}
	if dryRun {
		return would, nil
	}
	return e.o.Memory.WriteBatch(ctx, batch)
}

// makeWhole completes the content of a document from its file if memory does not have all
// of it, because of a secret or of something forgotten.
func (e *Editor) makeWhole(ctx context.Context, d *strata.Document) error {
	if documents.IsWhole(*d) {
		return nil
	}
	if e.o.Tree != nil {
		f, err := e.o.Tree.Read(ctx, d.Scope, d.Path)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return err
		}
		if f.Hash == d.Hash {
			d.Content = string(f.Content)
			return nil
		}
	}
	return &strata.Error{Code: strata.CodeConflict, Op: "move document", Message: "memory does not keep all of " + d.Path,
		Hint: "move the file by hand"}
}

// moved returns the path and content of a document in another scope. If the front matter
// of a note names its scope, it is changed.
func moved(d strata.Document, to strata.Scope) (path, content string, err error) {
	path = d.Path
	if rest, ok := strings.CutPrefix(path, strata.InboxDir); ok {
		path = strata.NotesDir + rest
		if _, _, ok := markdown.ParseNotePath(path); !ok {
			return "", "", strata.Invalid("promote document", d.Path+" is not a proposed note", "rename it to <type>_<slug>.md first")
		}
	}
	if strata.KindOfPath(path) != strata.DocumentNote {
		return path, d.Content, nil
	}
	n, err := markdown.ParseNote(d.Content)
	if err != nil {
		return path, d.Content, nil // the write reports what is wrong with it
	}
	if n.Scope == "" && n.Base == (markdown.Base{}) {
		return path, d.Content, nil
	}
	if n.Base = (markdown.Base{}); n.Scope != "" {
		n.Scope, n.Agent, n.Tier = to.Kind, to.Agent, to.Tier
	}
	content, err = markdown.EditNote(d.Content, n)
	return path, content, err
}
