package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

func TestDocumentsStandInTheirScope(t *testing.T) {
	s := newStand(t)
	for _, c := range []struct {
		scope     strata.Scope
		dir, file string
	}{
		{strata.Global(), s.home, "global/notes/a.md"},
		{strata.ForAgent("Coder"), s.home, fileNameOf("agents/", "Coder") + "/notes/a.md"},
		{inWorkspace, s.root, ".strata/notes/a.md"},
		{strata.ForAgentIn(filestest.Workspace, "coder"), s.root, ".strata/agents/coder/notes/a.md"},
		{strata.InWorkspace("bare"), s.home, "workspaces/bare/notes/a.md"},
		{strata.ForAgentIn("bare", "coder"), s.home, "workspaces/bare/agents/coder/notes/a.md"},
	} {
		if _, err := s.Write(t.Context(), c.scope, "notes/a.md", []byte("x"), strata.NoFile); err != nil {
			t.Errorf("%s: %v", c.scope, err)
			continue
		}
		file := filepath.Join(c.dir, filepath.FromSlash(c.file))
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", c.scope, info, err)
			continue
		}
		if info, err := os.Stat(filepath.Dir(file)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: directory %v, %v", c.scope, info, err)
		}
		if dir, ok := s.Directory(c.scope); !ok || dir != filepath.Dir(filepath.Dir(file)) {
			t.Errorf("%s: directory %s, %v", c.scope, dir, ok)
		}
	}
	if _, ok := NewTree("", nil).Directory(strata.Global()); ok {
		t.Error("without a home there is a directory")
	}
}

func fileNameOf(prefix, name string) string { return prefix + fileName(name) }

// TestWhatIsNoFileIsRefused: links of every kind, directories, pipes and sockets
// in the place of a document, and links in the place of a directory above it.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	outside := filepath.Join(t.TempDir(), "outside.md")
	must(t, os.WriteFile(outside, []byte("outside"), 0o600))
	must(t, s.Put(g, "real.md", []byte("real"), time.Time{}))
	must(t, s.Put(g, "dir/in.md", []byte("in"), time.Time{}))
	made := map[string]error{
		"out.md":  os.Symlink(outside, s.path(g, "out.md")),
		"near.md": os.Symlink("real.md", s.path(g, "near.md")),
		"loop.md": os.Symlink("loop.md", s.path(g, "loop.md")),
		"dead.md": os.Symlink("nothing", s.path(g, "dead.md")),
		"dir.md":  os.Mkdir(s.path(g, "dir.md"), 0o700),
		"pipe.md": makePipe(s.path(g, "pipe.md")),
		"far":     os.Symlink(filepath.Dir(outside), s.path(g, "far")),
		"linked":  os.Symlink("dir", s.path(g, "linked")),
	}
	refused := []string{"far/outside.md", "linked/in.md", "real.md/x.md"}
	for doc, err := range made {
		must(t, err)
		if strings.HasSuffix(doc, ".md") {
			refused = append(refused, doc)
		}
	}
	for _, doc := range refused {
		if _, err := s.Read(ctx, g, doc); strata.CodeOf(err) != strata.CodeConflict {
			t.Errorf("read %s: %v", doc, err)
		}
		for _, base := range []string{strata.NoFile, files.Hash([]byte("real")), files.Hash([]byte("in")), files.Hash([]byte("outside"))} {
			if _, err := s.Write(ctx, g, doc, []byte("new"), base); strata.CodeOf(err) != strata.CodeConflict {
				t.Errorf("write %s: %v", doc, err)
			}
			if err := s.Remove(ctx, g, doc, base); strata.CodeOf(err) != strata.CodeConflict {
				t.Errorf("remove %s: %v", doc, err)
			}
		}
	}
	c, err := s.Scan(ctx, g, map[string]files.Stat{"near.md": {Hash: "x"}, "linked/in.md": {Hash: "x"}})
	must(t, err)
	var found []string
	for _, f := range c.Changed {
		found = append(found, f.Path)
	}
	if !slices.Equal(found, []string{"dir/in.md", "real.md"}) || len(c.Removed) > 0 {
		t.Errorf("found %v, gone %v", found, c.Removed)
	}
	for _, doc := range []string{"out.md", "near.md", "loop.md", "dead.md", "pipe.md", "far", "linked"} {
		if !slices.ContainsFunc(c.Skipped, func(s files.Skipped) bool { return s.Path == doc && s.Reason != "" }) {
			t.Errorf("%s is not named among %v", doc, c.Skipped)
		}
	}
	if got, err := os.ReadFile(outside); err != nil || string(got) != "outside" {
		t.Errorf("outside: %q, %v", got, err)
	}
}

func TestALinkedRootDirectoryIsRefused(t *testing.T) {
	s, ctx, outside := newStand(t), t.Context(), t.TempDir()
	must(t, os.Symlink(outside, filepath.Join(s.home, "global")))
	if _, err := s.Write(ctx, strata.Global(), "a.md", []byte("x"), strata.NoFile); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("write: %v", err)
	}
	if _, err := s.Scan(ctx, strata.Global(), nil); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("scan: %v", err)
	}
	t.Run("also a .strata that leads to something else than this workspace", func(t *testing.T) {
		must(t, os.RemoveAll(filepath.Join(s.root, markerDir)))
		must(t, os.Symlink(outside, filepath.Join(s.root, markerDir)))
		_, err := s.Write(ctx, inWorkspace, "a.md", []byte("x"), strata.NoFile)
		must(t, err)
		if got := under(t, outside); len(got) > 0 {
			t.Errorf("written outside: %v", got)
		}
		must(t, os.WriteFile(filepath.Join(outside, "workspace.toml"), []byte(markerText(filestest.Workspace, s.root)), 0o600))
		if dir, ok := s.Directory(inWorkspace); !ok || dir != filepath.Join(s.root, markerDir) {
			t.Errorf("a link to the workspace's own memory: %s, %v", dir, ok)
		}
	})
}

func TestADirectoryThatIsGoneDeletesNothing(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	known := map[string]files.Stat{"a.md": {Hash: "x"}}
	if c, err := s.Scan(ctx, g, nil); err != nil || len(c.Changed) > 0 {
		t.Errorf("nothing known: %+v, %v", c, err)
	}
	if _, err := s.Scan(ctx, g, known); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Errorf("something known: %v", err)
	}
	dir, _ := s.Directory(g)
	must(t, os.Mkdir(dir, 0o700))
	if c, err := s.Scan(ctx, g, known); err != nil || !slices.Equal(c.Removed, []string{"a.md"}) {
		t.Errorf("an empty directory: %+v, %v", c, err)
	}
	// Below a root that is there, a directory that is gone was deleted.
	if c, err := s.Scan(ctx, strata.ForAgentIn(filestest.Workspace, "coder"), known); err != nil || !slices.Equal(c.Removed, []string{"a.md"}) {
		t.Errorf("an agent's directory: %+v, %v", c, err)
	}
	must(t, os.RemoveAll(dir))
	if _, err := s.Write(ctx, g, "a.md", []byte("x"), strata.NoFile); err != nil {
		t.Errorf("a write makes it again: %v", err)
	}
	t.Run("also that of a home", func(t *testing.T) {
		must(t, os.RemoveAll(s.home))
		if _, err := s.Write(ctx, g, "a.md", []byte("x"), strata.NoFile); strata.CodeOf(err) != strata.CodeUnavailable {
			t.Errorf("write: %v", err)
		}
		if _, err := s.Read(ctx, g, "a.md"); strata.CodeOf(err) != strata.CodeNotFound {
			t.Errorf("read: %v", err)
		}
		if _, err := s.Scan(ctx, g, known); strata.CodeOf(err) != strata.CodeUnavailable {
			t.Errorf("scan: %v", err)
		}
		must(t, s.Remove(ctx, g, "a.md", strata.NoFile))
	})
}

// TestAWorkspaceIsFoundWhereItWasLast: also by a process that runs elsewhere,
// and after its directory was moved.
func TestAWorkspaceIsFoundWhereItWasLast(t *testing.T) {
	s, ctx := newStand(t), t.Context()
	root := realPath(s.root)
	must(t, os.WriteFile(filepath.Join(root, MarkerPath), []byte(markerText(filestest.Workspace, root)), 0o600))
	_, err := s.Write(ctx, inWorkspace, "a.md", []byte("x"), strata.NoFile)
	must(t, err)
	elsewhere := func() *Tree { return NewTree(s.home, nil) }
	if f, err := elsewhere().Read(ctx, inWorkspace, "a.md"); err != nil || string(f.Content) != "x" {
		t.Errorf("from elsewhere: %v", err)
	}
	moved := root + "-moved"
	must(t, os.Rename(root, moved))
	t.Cleanup(func() { os.RemoveAll(moved) })
	known := map[string]files.Stat{"a.md": {Hash: "x"}}
	if _, err := elsewhere().Scan(ctx, inWorkspace, known); strata.CodeOf(err) != strata.CodeUnavailable || !strings.Contains(err.Error(), root) {
		t.Errorf("before the new place is known: %v", err)
	}
	if _, ok := elsewhere().Directory(inWorkspace); ok {
		t.Error("a directory that is not there is at hand")
	}
	if c, err := NewTree(s.home, map[string]string{filestest.Workspace: moved}).Scan(ctx, inWorkspace, known); err != nil || len(c.Removed) > 0 {
		t.Errorf("in the new place: %+v, %v", c, err)
	}
	if f, err := elsewhere().Read(ctx, inWorkspace, "a.md"); err != nil || string(f.Content) != "x" {
		t.Errorf("from elsewhere, after that: %v", err)
	}
	if place := NewTranscripts(s.home, nil).Place(inWorkspace, "s1"); !strings.HasPrefix(place, "workspace/") {
		t.Errorf("a transcript's place: %s", place)
	}
}

func TestADamagedNoteOfTheHomeHidesNoFiles(t *testing.T) {
	s, ctx := newStand(t), t.Context()
	dir := filepath.Join(s.home, pointerDir("w1"))
	must(t, os.MkdirAll(dir, 0o700))
	for _, text := range []string{"", "workspace_root = 1", "workspace_root = \"relative\"", "\xff", strings.Repeat("#", maxSmallFile+1)} {
		must(t, os.WriteFile(filepath.Join(dir, pointerName), []byte(text), 0o600))
		if _, err := s.Write(ctx, strata.InWorkspace("w1"), "a.md", []byte("x"), strata.NoFile); strata.CodeOf(err) != strata.CodeUnavailable {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestANameTheDiskCannotHoldIsSaid(t *testing.T) {
	s := newStand(t)
	doc := strings.Repeat("x", 253) + ".md" // 256 bytes, one more than a name may have
	if _, err := s.Write(t.Context(), strata.Global(), doc, []byte("x"), strata.NoFile); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("write: %v", err)
	}
}

// On a disk where case does not count, memory.md
// is not MEMORY.md all the same.
func TestCaseCountsOnEveryDisk(t *testing.T) {
	s, ctx, g := newStand(t), t.Context(), strata.Global()
	must(t, s.Put(g, "MEMORY.md", []byte("index"), time.Time{}))
	// A second name for the one file is what such a disk answers to.
	must(t, os.Link(s.path(g, "MEMORY.md"), s.path(g, "memory.MD")))
	must(t, os.Link(s.path(g, "MEMORY.md"), s.path(g, "mEMORY.md")))
	dir, _ := s.Directory(g)
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	if err := checkListed(root, ".", "MEMORY.md", opRead); err != nil {
		t.Errorf("the name it has: %v", err)
	}
	if err := checkListed(root, ".", "Memory.md", opRead); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("a name it has not: %v", err)
	}
	if _, err := s.Read(ctx, g, "MEMORY.md"); err != nil {
		t.Errorf("where both names are on the list: %v", err)
	}
	for name, want := range map[string]string{"MEMORY.md": "memory.MD", "日本": "日本", "é": "É", "1": "1"} {
		if got := swapCase(name); got != want {
			t.Errorf("%s in other letters is %s, want %s", name, got, want)
		}
	}
}
