package engine

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/memoryurl"
	"github.com/strata-memory/strata/store"
)

// Directory returns where the files of a scope lie; false where they have no
// place at hand. The directory need not exist.
func (e *Engine) Directory(scope strata.Scope) (dir string, ok bool) {
	if e.opts.Tree == nil || scope.Validate() != nil {
		return "", false
	}
	return e.opts.Tree.Directory(scope)
}

// KnownWorkspace returns the id that the home keeps for a workspace key; empty
// if it keeps none. Unlike [Engine.WorkspaceID] it makes none.
func (e *Engine) KnownWorkspace(ctx context.Context, key string) (string, error) {
	var out string
	err := e.store.View(ctx, func(r store.Reader) error {
		var err error
		out, err = r.Workspace(ctx, key)
		return err
	})
	return out, err
}

// KeepWorkspace has the home keep the id of a workspace under keys, so that it
// can be given back to a directory that lost it. Keys that stand for another id
// already stay as they are and are returned.
func (e *Engine) KeepWorkspace(ctx context.Context, id string, keys ...string) (taken []string, err error) {
	err = e.store.Update(ctx, func(w store.Writer) error {
		taken = nil
		for _, key := range keys {
			err := w.PutWorkspace(ctx, key, id)
			if strata.CodeOf(err) == strata.CodeConflict {
				taken = append(taken, key)
				continue
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return taken, err
}

// Resolve returns the document that an address names, such as
// memory://root/MEMORY.md, with its content; memory://root is the summary of
// memory. The root is that of the view: a path that several scopes have is that
// of the first. Errors: invalid for what is no address, and not_found.
func (e *Engine) Resolve(ctx context.Context, view strata.View, address string) (strata.Document, error) {
	path, err := memoryurl.Parse(address)
	if err != nil {
		return strata.Document{}, err
	}
	d, err := e.Document(ctx, view, path)
	if strata.CodeOf(err) != strata.CodeNotFound {
		return d, err
	}
	missing := &strata.Error{Code: strata.CodeNotFound, Op: "resolve address", Message: "there is no document " + strings.TrimPrefix(address, memoryurl.Scheme),
		Hint: "strata note list --kind any lists the documents there are"}
	if path == memoryurl.SummaryPath {
		missing.Message, missing.Hint = "there is no summary of memory yet", "memory://root/MEMORY.md is the index"
	}
	return strata.Document{}, missing
}
