package store

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
)

// KnownWorkspace returns the id that is kept for the first of the keys that has
// one; empty if none has.
func KnownWorkspace(ctx context.Context, r Reader, keys ...string) (string, error) {
	for _, key := range keys {
		if known, err := r.Workspace(ctx, key); err != nil || known != "" {
			return known, err
		}
	}
	return "", nil
}

// WorkspaceID returns the id of the workspace that is known by the keys, the
// surest first. If only a later key has an id, or none has, the id (then a new
// one) is kept for the first as well as for all without: a directory that
// becomes a repository keeps its memory. Without keys the id is empty.
func WorkspaceID(ctx context.Context, s Store, keys ...string) (string, error) {
	if len(keys) == 0 {
		return "", nil
	}
	known, err := Read(ctx, s, func(r Reader) (string, error) { return r.Workspace(ctx, keys[0]) })
	if err != nil || known != "" {
		return known, err
	}
	err = s.Update(ctx, func(w Writer) error {
		// Asked again here, because another process may have been faster.
		var err error
		if known, err = KnownWorkspace(ctx, w, keys...); err != nil {
			return err
		}
		if known == "" {
			var ids id.Maker
			known = ids.New(id.Workspace, w.Now())
		}
		for _, key := range keys {
			if err := w.PutWorkspace(ctx, key, known); err != nil && strata.CodeOf(err) != strata.CodeConflict {
				return err
			}
		}
		return nil
	})
	if strata.CodeOf(err) == strata.CodeFull {
		// What is known already can be read without keeping it for the other keys.
		had, readErr := Read(ctx, s, func(r Reader) (string, error) { return KnownWorkspace(ctx, r, keys...) })
		if readErr == nil && had != "" {
			return had, nil
		}
	}
	if err != nil {
		return "", err
	}
	return known, nil
}

// AdmitsWorkspace reports whether a directory that is known by the keys may be the workspace
// whose id it brings: the id is new to the store, or kept for one of the keys.
func AdmitsWorkspace(ctx context.Context, r Reader, id string, keys ...string) (bool, error) {
	kept, err := r.WorkspaceKeys(ctx, id)
	if err != nil {
		return false, err
	}
	if len(kept) > 0 {
		return slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(kept, key) }), nil
	}
	scopes, err := r.Scopes(ctx)
	return !slices.ContainsFunc(scopes, func(s strata.Scope) bool { return s.Workspace == id }), err
}

// KeepWorkspace keeps the id of a workspace under keys, so that it can be given back to a
// directory that lost it. Keys that stand for another id already stay as they are and are
// returned.
func KeepWorkspace(ctx context.Context, s Store, id string, keys ...string) (taken []string, err error) {
	err = s.Update(ctx, func(w Writer) error {
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
