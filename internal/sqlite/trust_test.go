package sqlite_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A version of a workspace that is not foreign is trusted from then on, and its row says
// whether it is.
func TestTrustOfVersions(t *testing.T) {
	ctx, db, scope := t.Context(), open(t, filepath.Join(t.TempDir(), "strata.db"), nil), strata.InWorkspace("01JZ0000000000000000000000")
	update := func(fn func(w store.Writer) error) error { return db.Update(ctx, fn) }
	put := func(generation int64, foreign bool) {
		t.Helper()
		d, sections := lineDocument(scope, "AGENTS.md", generation, []string{fmt.Sprint("version ", generation)})
		d.Foreign = foreign
		if err := update(func(w store.Writer) error { _, err := putDocument(ctx, w, d, sections); return err }); err != nil {
			t.Fatal(err)
		}
	}
	trust := func(path, hash string, trusted bool) error {
		return update(func(w store.Writer) error { return w.TrustDocument(ctx, scope, path, hash, trusted) })
	}
	want := func(what string, foreign bool, trusted ...string) {
		t.Helper()
		err := db.View(ctx, func(r store.Reader) error {
			list, err := r.Documents(ctx, scope, strata.DocumentFilter{Foreign: true})
			if err != nil {
				return err
			}
			hashes, err := r.Trusted(ctx, scope, "AGENTS.md")
			slices.Sort(hashes)
			if len(list) > 0 != foreign || !slices.Equal(hashes, trusted) {
				t.Errorf("%s: foreign are %d, trusted %q", what, len(list), hashes)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put(1, true)
	want("a foreign version", true)
	if err := trust("AGENTS.md", "2", true); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("another version: %v", err)
	}
	if err := trust("SOUL.md", "1", true); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("no document: %v", err)
	}
	if err := trust("AGENTS.md", "1", true); err != nil {
		t.Fatal(err)
	}
	want("trusted", false, "1")
	put(2, false)
	want("written here", false, "1", "2")
	if err := trust("AGENTS.md", "2", false); err != nil {
		t.Fatal(err)
	}
	want("trusted no longer", true, "1")
	if found, err := db.Check(ctx, nil); err != nil || len(found) > 0 {
		t.Errorf("check: %+v, %v", found, err)
	}
	for generation := range int64(store.TrustedVersions + 5) {
		put(generation+3, false)
	}
	err := db.View(ctx, func(r store.Reader) error {
		hashes, err := r.Trusted(ctx, scope, "AGENTS.md")
		if len(hashes) != store.TrustedVersions || !slices.Contains(hashes, fmt.Sprint(store.TrustedVersions+7)) {
			t.Errorf("of many %d are known", len(hashes))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	d, _ := lineDocument(scope, "AGENTS.md", 1, nil)
	if err := update(func(w store.Writer) error {
		_, err := w.ForgetDocument(ctx, scope, d, nil, []string{"version 1"}, nil)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	want("forgotten", false)
}

func TestScopesThatWereSeen(t *testing.T) {
	ctx, db := t.Context(), open(t, filepath.Join(t.TempDir(), "strata.db"), nil)
	own, agent := strata.InWorkspace("w"), strata.ForAgentIn("w", "coder")
	for _, step := range []struct {
		see        bool
		made       bool
		own, agent bool
	}{{}, {true, false, true, false}, {true, true, true, true}, {true, false, true, true}} {
		err := db.Update(ctx, func(w store.Writer) error {
			if step.see {
				if err := w.SeeScope(ctx, own, step.made); err != nil {
					return err
				}
			}
			seen, err := w.ScopeSeen(ctx, own)
			if err != nil {
				return err
			}
			theirs, err := w.ScopeSeen(ctx, agent)
			if seen != step.own || theirs != step.agent {
				t.Errorf("%+v: seen %v, that of an agent %v", step, seen, theirs)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	err := db.Update(ctx, func(w store.Writer) error { return w.SeeScope(ctx, strata.Global(), true) })
	if strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("of no workspace: %v", err)
	}
}
