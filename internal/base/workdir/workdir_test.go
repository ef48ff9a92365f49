package workdir

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOnlyWhatNobodyUsesIsLeft(t *testing.T) {
	parent := t.TempDir()
	used, err := New(parent, "work-")
	if err != nil {
		t.Fatal(err)
	}
	killed, err := New(parent, "work-")
	if err != nil {
		t.Fatal(err)
	}
	killed.lock.Close() // as the end of the process does
	for _, dir := range []string{"work-of-others", "other"} {
		if err := os.Mkdir(filepath.Join(parent, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Left(parent, "work-")
	if err != nil || !slices.Equal(list, []string{killed.Path}) {
		t.Errorf("left: %v, %v", list, err)
	}
	if err := Sweep(parent, "work-"); err != nil {
		t.Error(err)
	}
	if err := used.Remove(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 2 || entries[0].Name() != "other" || entries[1].Name() != "work-of-others" {
		t.Errorf("after the sweep: %v, %v", entries, err)
	}
	if list, err := Left(filepath.Join(parent, "none"), "work-"); len(list) > 0 || err != nil {
		t.Errorf("of a directory that is not there: %v, %v", list, err)
	}
}
