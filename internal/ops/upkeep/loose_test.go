package upkeep

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWhatOthersMayUseIsFoundAndMended(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such permissions")
	}
	dir := filepath.Join(t.TempDir(), "home")
	outside := filepath.Join(t.TempDir(), "outside")
	modes := map[string]os.FileMode{"": 0o755, "notes": 0o700, "notes/a.md": 0o644, "notes/b.md": 0o600, "notes/c.md": 0o444, "shared": 0o770}
	for _, name := range []string{"", "notes", "shared"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"notes/a.md", "notes/b.md", "notes/c.md", "../" + filepath.Base(outside)} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(outside, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, mode := range modes {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	list, err := findLoose(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]os.FileMode{"": 0o700, "notes/a.md": 0o600, "notes/c.md": 0o400, "shared": 0o700}
	for _, f := range list {
		name, err := filepath.Rel(dir, f.Path)
		if name == "." {
			name = ""
		}
		if own, ok := want[filepath.ToSlash(name)]; err != nil || !ok || f.own() != own || f.Mode != modes[filepath.ToSlash(name)] {
			t.Errorf("found %s with %v, to be %v", name, f.Mode, f.own())
		}
	}
	if len(list) != len(want) {
		t.Errorf("found %v", list)
	}
	if left, err := mendLoose(list); len(left) > 0 || err != nil {
		t.Errorf("left %v, %v", left, err)
	}
	if list, err := findLoose(dir); len(list) > 0 || err != nil {
		t.Errorf("after it: %v, %v", list, err)
	}
	if info, err := os.Stat(outside); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("what a link leads to has %v, %v", info.Mode(), err)
	}
	if list, err := findLoose(filepath.Join(dir, "none")); len(list) > 0 || err != nil {
		t.Errorf("of none: %v, %v", list, err)
	}
}
