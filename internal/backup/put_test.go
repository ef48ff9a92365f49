package backup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
)

// At no moment is there no home: whoever opened one then would get an empty one.
func TestPutLeavesAHomeInPlaceAtEveryMoment(t *testing.T) {
	dir := t.TempDir()
	made, home, aside := filepath.Join(dir, "made"), filepath.Join(dir, "home"), filepath.Join(dir, "aside")
	for _, name := range []string{made, home} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := exchange(made, home); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("names cannot be exchanged here")
	}
	var ended atomic.Bool
	missing := make(chan int)
	go func() {
		n := 0
		for !ended.Load() {
			if _, err := os.Stat(home); err != nil {
				n++
			}
		}
		missing <- n
	}()
	for range 500 {
		if err := put(made, home, aside); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(aside, made); err != nil {
			t.Fatal(err)
		}
	}
	ended.Store(true)
	if n := <-missing; n > 0 {
		t.Errorf("%d looks found no home", n)
	}
}

// Where names cannot be exchanged the two are the right way round as well, and a home
// that cannot be put in place leaves the old one there.
func TestReplaceIsUndoneWhereItFails(t *testing.T) {
	dir := t.TempDir()
	made, home, aside := filepath.Join(dir, "made"), filepath.Join(dir, "home"), filepath.Join(dir, "aside")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := replace(made, home, aside); err == nil {
		t.Error("a home that is not there was put in place")
	}
	if _, err := os.Stat(home); err != nil {
		t.Errorf("the old home is gone: %v", err)
	}
	if err := os.Mkdir(made, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := replace(made, home, aside); err != nil {
		t.Error(err)
	}
	for _, name := range []string{home, aside} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

// What stands in the path of a home is no pattern.
func TestProjectsElsewhereAreNamedForAHomeOfAnyName(t *testing.T) {
	home := filepath.Join(t.TempDir(), "a[b*")
	dir := filepath.Join(home, "workspaces", "w1")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "root.toml"), []byte("workspace_root = \"/src/shop\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := outside(home); !slices.Equal(got, []string{"/src/shop"}) {
		t.Errorf("outside = %q", got)
	}
}
