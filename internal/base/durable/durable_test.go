package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.Mkdir("notes", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(Directory(dir), DirectoryIn(root, "."), DirectoryIn(root, "notes")); err != nil {
		t.Errorf("directories that are there: %v", err)
	}
	if err := Directory(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is not there: %v", err)
	}
	if err := DirectoryIn(root, "gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is not there, below a root: %v", err)
	}
	if err := os.Chmod(filepath.Join(dir, "notes"), 0o300); err != nil {
		t.Fatal(err)
	}
	if err := DirectoryIn(root, "notes"); err != nil {
		t.Errorf("one that may not be read: %v", err)
	}
}
