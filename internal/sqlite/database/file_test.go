package database

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A power cut after the first save must not take the directory with it: the name of
// each that is new stands in its parent, which is synced.
func TestMakeDirectory_TheParentsOfWhatIsNewAreSynced(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		dir  string
		want []string
	}{
		{"a/b/home", []string{"a/b", "a", ""}},
		{"a/b/home", nil}, // it is there
		{"a/other", []string{"a"}},
	} {
		var synced []string
		err := makeDirectory(filepath.Join(root, c.dir), func(dir string) error {
			if _, err := os.Stat(filepath.Join(root, c.dir)); err != nil {
				t.Errorf("%s is synced before the directory is made", dir)
			}
			rel, err := filepath.Rel(root, dir)
			if rel == "." {
				rel = ""
			}
			synced = append(synced, filepath.ToSlash(rel))
			return err
		})
		if err != nil || !slices.Equal(synced, c.want) {
			t.Errorf("%s: synced %q, %v, want %q", c.dir, synced, err, c.want)
		}
		if info, err := os.Stat(filepath.Join(root, c.dir)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", c.dir, info.Mode(), err)
		}
	}
}
