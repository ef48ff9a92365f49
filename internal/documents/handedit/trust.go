package handedit

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// ScopesOf lists the scopes of a workspace: its own, and those of agents known to the
// home or found in its directory.
func (in *Intake) ScopesOf(ctx context.Context, workspace string) ([]strata.Scope, error) {
	own := strata.InWorkspace(workspace)
	if err := own.Validate(); err != nil {
		return nil, err
	}
	known, err := store.Read(ctx, in.o.Store, func(r store.Reader) ([]strata.Scope, error) { return r.Scopes(ctx) })
	if err != nil {
		return nil, err
	}
	out := []strata.Scope{own}
	add := func(s strata.Scope) {
		if s.Workspace == workspace && s.Validate() == nil && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, s := range known {
		add(s)
	}
	if in.o.Origins != nil {
		for _, agent := range in.o.Origins.Agents(own) {
			add(strata.ForAgentIn(workspace, agent))
		}
	}
	return out, nil
}

// MadeWorkspace records that the directory of a workspace was created here, so that what
// people write into it counts as their own.
func (in *Intake) MadeWorkspace(ctx context.Context, workspace string) error {
	return in.o.Store.Update(ctx, func(w store.Writer) error { return w.SeeScope(ctx, strata.InWorkspace(workspace), true) })
}

// OriginOf returns where the file of a document came from according to version control,
// or the zero Origin if that is unknown.
func (in *Intake) OriginOf(ctx context.Context, d strata.Document) (files.Origin, error) {
	if in.o.Origins == nil {
		return files.Origin{}, nil
	}
	return in.o.Origins.Origin(ctx, d.Scope, files.File{Path: d.Path, Content: []byte(d.Content), Stat: files.Stat{Hash: d.Hash}})
}

// Trust records, in one transaction, that versions of documents in workspaces are
// trusted, or that they are foreign. If a document has another version by now, Trust
// changes nothing and returns [strata.CodeConflict]. It then updates the files that
// depend on the documents.
func (in *Intake) Trust(ctx context.Context, list []strata.Document, trusted bool) error {
	var places []documents.Place
	var scopes []strata.Scope
	for _, d := range list {
		places = append(places, documents.Place{Scope: d.Scope, Path: d.Path})
		if !slices.Contains(scopes, d.Scope) {
			scopes = append(scopes, d.Scope)
		}
	}
	if err := in.NoticeEdits(ctx, places...); err != nil {
		return err
	}
	kind := strata.EventFileTrusted
	if !trusted {
		kind = strata.EventFileDistrusted
	}
	err := in.o.Store.Update(ctx, func(w store.Writer) error {
		for _, d := range list {
			if err := w.TrustDocument(ctx, d.Scope, d.Path, d.Hash, trusted); err != nil {
				return err
			}
			err := w.AppendEvent(ctx, strata.Event{Kind: kind, Scope: d.Scope, Ref: d.ID, Detail: d.Hash, At: w.Now()})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || in.o.Tree == nil {
		return err
	}
	for _, s := range scopes {
		in.o.Projector.Want(s, markdown.AllParts)
	}
	return in.o.Projector.Scopes(ctx, scopes...)
}
