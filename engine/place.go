package engine

import (
	"context"

	"github.com/strata-memory/strata"
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

// KnownWorkspace returns the id that the home keeps for the first of the keys
// that it knows; empty if it knows none. Unlike [Engine.WorkspaceID] it makes none.
func (e *Engine) KnownWorkspace(ctx context.Context, keys ...string) (string, error) {
	return store.Read(ctx, e.store, func(r store.Reader) (string, error) { return store.KnownWorkspace(ctx, r, keys...) })
}

// WorkspaceID returns the id that the home keeps for a workspace, and makes one
// on first use; see [store.WorkspaceID].
func (e *Engine) WorkspaceID(ctx context.Context, keys ...string) (string, error) {
	return store.WorkspaceID(ctx, e.store, keys...)
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
