package store

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
)

// KnownWorkspace returns the id of the first key that has one; empty if none has.
func KnownWorkspace(ctx context.Context, r Reader, keys ...string) (string, error) {
	for _, key := range keys {
		if known, err := r.Workspace(ctx, key); err != nil || known != "" {
			return known, err
		}
	}
	return "", nil
}

// WorkspaceID returns the id of the workspace with the given keys, of which the most
// reliable comes first. If the first key has no id, WorkspaceID stores the id of a later
// key, or a new id if none has one, for all keys without an id. So a directory that
// becomes a repository keeps its memory. Without keys, WorkspaceID returns an empty id.
func WorkspaceID(ctx context.Context, s Store, keys ...string) (string, error) {
	if len(keys) == 0 {
		return "", nil
	}
	known, err := Read(ctx, s, func(r Reader) (string, error) { return r.Workspace(ctx, keys[0]) })
	if err != nil || known != "" {
		return known, err
	}
	err = s.Update(ctx, func(w Writer) error {
		// Ask again: another process may have stored an id since.
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
		// Even if the store is full, an id that is already stored for another key can be
		// used.
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

// AdmitsWorkspace reports whether a directory with the given keys may claim a workspace
// id: either the id is new to the store, or the store has it for one of the keys.
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

// KeepWorkspace stores the id of a workspace under keys, so that a directory that lost
// its id can get it back. Keys that have another id already keep it and are returned.
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
