package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

func TestAReadOnlyDirectoryIsSaid(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	must(t, s.Put(g, "a.md", []byte("x"), time.Time{}))
	dir, _ := s.Directory(g)
	for at := dir; at != filepath.Dir(filepath.Dir(s.home)); at = filepath.Dir(at) {
		must(t, os.Chmod(at, 0o755))
	}
	must(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	base := files.Hash([]byte("x"))
	asNobody(t, func() {
		if f, err := s.Read(ctx, g, "a.md"); err != nil || f.Hash != base {
			t.Errorf("read: %v", err)
		}
		if c, err := s.Scan(ctx, g, nil); err != nil || len(c.Changed) != 1 {
			t.Errorf("scan: %+v, %v", c, err)
		}
		if _, err := s.Write(ctx, g, "a.md", []byte("x"), strata.NoFile); err != nil {
			t.Errorf("what stands already: %v", err)
		}
		for _, doc := range []string{"a.md", "b.md", "notes/c.md"} {
			_, err := s.Write(ctx, g, doc, []byte("y"), base)
			if e, ok := err.(*strata.Error); !ok || e.Code != strata.CodeReadOnly || e.Hint == "" {
				t.Errorf("write %s: %v", doc, err)
			}
		}
		if err := s.Remove(ctx, g, "a.md", base); strata.CodeOf(err) != strata.CodeReadOnly {
			t.Errorf("remove: %v", err)
		}
	})
}

func TestAFileThatCannotBeReadIsNotGone(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	must(t, s.Put(g, "a.md", []byte("x"), time.Time{}))
	must(t, s.Put(g, "shut/b.md", []byte("x"), time.Time{}))
	dir, _ := s.Directory(g)
	for at := dir; at != filepath.Dir(filepath.Dir(s.home)); at = filepath.Dir(at) {
		must(t, os.Chmod(at, 0o755))
	}
	must(t, os.Chmod(s.path(g, "a.md"), 0))
	must(t, os.Chmod(s.path(g, "shut"), 0))
	t.Cleanup(func() { os.Chmod(s.path(g, "shut"), 0o755) })
	asNobody(t, func() {
		if _, err := s.Read(ctx, g, "a.md"); strata.CodeOf(err) != strata.CodeUnavailable {
			t.Errorf("read: %v", err)
		}
		c, err := s.Scan(ctx, g, map[string]files.Stat{"a.md": {Hash: "x"}, "shut/b.md": {Hash: "x"}, "c.md": {Hash: "x"}})
		if err != nil || len(c.Skipped) != 2 || !slices.Equal(c.Removed, []string{"c.md"}) {
			t.Errorf("scan: %+v, %v", c, err)
		}
	})
}

func TestAFullDiskIsSaidAndChangesNothing(t *testing.T) {
	home := t.TempDir()
	if err := syscall.Mount("tmpfs", home, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk needs the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(home, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s, ctx, g := NewTree(home, nil), t.Context(), strata.Global()
	f, err := s.Write(ctx, g, "a.md", []byte("x"), strata.NoFile)
	must(t, err)
	_, err = s.Write(ctx, g, "a.md", bytes.Repeat([]byte("y"), 512<<10), f.Hash)
	if e, ok := err.(*strata.Error); !ok || e.Code != strata.CodeFull || e.Hint == "" {
		t.Errorf("a full disk: %v", err)
	}
	if got, err := s.Read(ctx, g, "a.md"); err != nil || string(got.Content) != "x" {
		t.Errorf("the file: %v", err)
	}
	if got := tempFiles(t, home); len(got) > 0 {
		t.Errorf("left over: %v", got)
	}
	if _, err := s.Write(ctx, g, "a.md", []byte("z"), f.Hash); err != nil {
		t.Errorf("a smaller file: %v", err)
	}
}

func TestInitInAReadOnlyDirectoryIsSaid(t *testing.T) {
	tr := newTree(t)
	tr.dir("r")
	must(t, os.Chmod(filepath.Dir(tr.root), 0o755))
	must(t, os.Chmod(tr.root, 0o755))
	asNobody(t, func() {
		if _, err := Init(tr.path("r"), tr.home, InitOptions{}); strata.CodeOf(err) != strata.CodeReadOnly {
			t.Errorf("read-only: %v", err)
		}
	})
}
