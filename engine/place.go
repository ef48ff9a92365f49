package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Directory returns the directory for the files of a scope; false if none is available.
// The directory need not exist.
func (e *Engine) Directory(scope strata.Scope) (dir string, ok bool) {
	if e.opts.Tree == nil || scope.Validate() != nil {
		return "", false
	}
	return e.opts.Tree.Directory(scope)
}

// Attach makes the directory of a workspace available.
func (e *Engine) Attach(id, root string) {
	if t, ok := e.opts.Tree.(interface{ Attach(id, root string) }); ok {
		t.Attach(id, root)
	}
}

// KnownWorkspace returns the id that the home keeps for the first known key; empty if it
// knows none. Unlike [Engine.WorkspaceID] it creates none.
func (e *Engine) KnownWorkspace(ctx context.Context, keys ...string) (string, error) {
	return store.Read(ctx, e.store, func(r store.Reader) (string, error) { return store.KnownWorkspace(ctx, r, keys...) })
}

// WorkspaceID returns the id that the home keeps for a workspace, and creates one on
// first use; see [store.WorkspaceID].
func (e *Engine) WorkspaceID(ctx context.Context, keys ...string) (string, error) {
	return store.WorkspaceID(ctx, e.store, keys...)
}

// AdmitsWorkspace is [store.AdmitsWorkspace].
func (e *Engine) AdmitsWorkspace(ctx context.Context, id string, keys ...string) (bool, error) {
	return store.Read(ctx, e.store, func(r store.Reader) (bool, error) { return store.AdmitsWorkspace(ctx, r, id, keys...) })
}

// KeepWorkspace is [store.KeepWorkspace].
func (e *Engine) KeepWorkspace(ctx context.Context, id string, keys ...string) (taken []string, err error) {
	return store.KeepWorkspace(ctx, e.store, id, keys...)
}
