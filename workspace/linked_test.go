package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// A link to a directory that was allowed by name is one of the scope's own:
// files are read, found, written and removed there.
func TestAnAllowedLinkIsFollowed(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	vault := t.TempDir()
	dir, _ := s.Directory(g)
	must(t, os.MkdirAll(dir, 0o700))
	must(t, os.Symlink(vault, filepath.Join(dir, "notes")))
	must(t, os.WriteFile(filepath.Join(vault, "project_a.md"), []byte("a\n"), 0o600))
	must(t, os.Mkdir(filepath.Join(vault, "sub"), 0o700))
	must(t, os.WriteFile(filepath.Join(vault, "sub", "b.md"), []byte("b\n"), 0o600))

	if _, err := s.Read(ctx, g, "notes/project_a.md"); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("read through a link that nobody allowed: %v", err)
	}
	c, err := s.Scan(ctx, g, nil)
	if err != nil || len(c.Changed) != 0 || !slices.Equal(c.Skipped, []files.Skipped{{Path: "notes", Reason: reasonLink}}) {
		t.Errorf("scan: %+v, %v", c, err)
	}

	s.AllowLinks(vault)
	f, err := s.Read(ctx, g, "notes/project_a.md")
	if err != nil || string(f.Content) != "a\n" {
		t.Errorf("read: %q, %v", f.Content, err)
	}
	c, err = s.Scan(ctx, g, map[string]files.Stat{"notes/gone.md": {Hash: "x"}})
	if err != nil || len(c.Changed) != 2 || c.Changed[1].Path != "notes/sub/b.md" || !slices.Equal(c.Removed, []string{"notes/gone.md"}) {
		t.Errorf("scan: %+v, %v", c, err)
	}
	next, err := s.Write(ctx, g, "notes/project_a.md", []byte("aa\n"), f.Hash)
	must(t, err)
	_, err = s.Write(ctx, g, "notes/project_c.md", []byte("c\n"), strata.NoFile)
	must(t, err)
	for name, want := range map[string]string{"project_a.md": "aa\n", "project_c.md": "c\n"} {
		if got, err := os.ReadFile(filepath.Join(vault, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	must(t, s.Remove(ctx, g, "notes/project_a.md", next.Hash))
	if _, err := os.Lstat(filepath.Join(vault, "project_a.md")); !os.IsNotExist(err) {
		t.Errorf("removed: %v", err)
	}

	// A link inside what is followed is a link like any other.
	must(t, os.Symlink(t.TempDir(), filepath.Join(vault, "out")))
	if _, err := s.Write(ctx, g, "notes/out/x.md", []byte("x"), strata.NoFile); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("write through a link inside: %v", err)
	}
	// What lies in a vault that is not at hand is not gone.
	must(t, os.Rename(vault, vault+"-away"))
	c, err = s.Scan(ctx, g, map[string]files.Stat{"notes/project_c.md": {Hash: "x"}})
	if err != nil || len(c.Removed) != 0 {
		t.Errorf("scan without the vault: %+v, %v", c, err)
	}
	must(t, os.Rename(vault+"-away", vault))
}

// What is done in the directory behind an allowed link is noticed.
func TestAnAllowedLinkIsWatched(t *testing.T) {
	s, g := newStand(t), strata.Global()
	vault := t.TempDir()
	dir, _ := s.Directory(g)
	must(t, os.MkdirAll(dir, 0o700))
	must(t, os.Symlink(vault, filepath.Join(dir, "notes")))
	s.AllowLinks(vault)
	called := make(chan strata.Scope, 1)
	must(t, s.Watch(t.Context(), []strata.Scope{g}, func(s strata.Scope) {
		select {
		case called <- s:
		default:
		}
	}))
	must(t, os.WriteFile(filepath.Join(vault, "project_a.md"), []byte("a\n"), 0o600))
	select {
	case <-called:
	case <-time.After(20 * time.Second):
		t.Error("nothing was noticed")
	}
}
