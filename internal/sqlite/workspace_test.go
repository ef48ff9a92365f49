package sqlite

import (
	"context"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A directory that brings an id may be that workspace if one of its keys is kept for the
// id, or the id is new.
func TestAWorkspaceAdmitsDirectoriesByTheirKeys(t *testing.T) {
	b := newBed(t)
	b.update(func(ctx context.Context, t *tx) {
		b.ok(t.PutWorkspace(ctx, "git:/a", "kept"))
		b.ok(t.PutWorkspace(ctx, "dir:/a", "kept"))
		b.put(ctx, t, strata.InWorkspace("owner"), "general", "The build needs Go", nil)
	})
	b.view(func(ctx context.Context, tx *tx) {
		for _, c := range []struct {
			id   string
			keys []string
			want bool
		}{
			{"kept", []string{"git:/a", "dir:/a"}, true}, {"kept", []string{"git:/b", "dir:/a"}, true},
			{"kept", []string{"dir:/b"}, false}, {"kept", nil, false},
			{"owner", []string{"dir:/a"}, false}, {"new", []string{"dir:/a"}, true}, {"new", nil, true},
		} {
			if ok, err := store.AdmitsWorkspace(ctx, tx, c.id, c.keys...); err != nil || ok != c.want {
				t.Errorf("%s by %v: %v, %v", c.id, c.keys, ok, err)
			}
		}
		if keys, err := tx.WorkspaceKeys(ctx, "kept"); err != nil || !slices.Equal(keys, []string{"dir:/a", "git:/a"}) {
			t.Errorf("keys: %v, %v", keys, err)
		}
	})
}
