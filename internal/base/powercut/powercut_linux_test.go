//go:build amd64 || arm64

package powercut_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata/internal/base/powercut"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put writes a file by way of another name. Each of both syncs may be left out.
func put(t *testing.T, path, text string, syncFile, syncDir bool) {
	t.Helper()
	f, err := os.Create(path + ".new")
	must(t, err)
	_, err = f.WriteString(text)
	must(t, err)
	if syncFile {
		must(t, f.Sync())
	}
	must(t, f.Close())
	must(t, os.Rename(path+".new", path))
	if syncDir {
		syncOf(t, filepath.Dir(path))
	}
}

func syncOf(t *testing.T, path string) {
	t.Helper()
	d, err := os.Open(path)
	must(t, err)
	must(t, d.Sync())
	must(t, d.Close())
}

// left is what cuts leave of a file named a after it was said to be "two", with how often.
func left(t *testing.T, r *powercut.Recording) map[string]int {
	t.Helper()
	out := make(map[string]int)
	r.Cuts(t, 200, 1, func(t *testing.T, c powercut.Cut) {
		if !slices.Contains(c.Acknowledged, "two") {
			return
		}
		b, err := os.ReadFile(filepath.Join(c.Dir, "a"))
		if err != nil {
			b = []byte("none")
		}
		out[string(b)]++
	})
	return out
}

func wantLeft(t *testing.T, r *powercut.Recording, faults int, want ...string) {
	t.Helper()
	got := left(t, r)
	if !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("left were %v, want each of %q", got, want)
	}
	if f := r.Faults(); len(f) != faults {
		t.Errorf("faults %q, want %d", f, faults)
	}
}

// steps write a file twice and then something else.
func steps(t *testing.T, syncFile, syncDir bool) func(string, func(string)) {
	return func(dir string, acknowledge func(string)) {
		put(t, filepath.Join(dir, "a"), "one", true, true)
		acknowledge("one")
		put(t, filepath.Join(dir, "a"), "two", syncFile, syncDir)
		acknowledge("two")
		put(t, filepath.Join(dir, "b"), "else", true, true)
	}
}

func TestWhatIsSyncedSurvives(t *testing.T) {
	wantLeft(t, powercut.Record(t, t.TempDir(), steps(t, true, true)), 0, "two")
}

func TestWithoutASyncOfTheFileItMayBeEmpty(t *testing.T) {
	wantLeft(t, powercut.Record(t, t.TempDir(), steps(t, false, true)), 1, "", "two")
}

func TestWithoutASyncOfTheDirectoryTheOldOneMayBeThere(t *testing.T) {
	r := powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		put(t, filepath.Join(dir, "a"), "one", true, true)
		acknowledge("one")
		put(t, filepath.Join(dir, "a"), "two", true, false)
		acknowledge("two")
		put(t, filepath.Join(dir, "b"), "else", true, false)
	})
	wantLeft(t, r, 1, "one", "two")
}

func TestWithoutASyncOfACutFileItMayBeAsLongAsBefore(t *testing.T) {
	r := powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		put(t, filepath.Join(dir, "a"), "two more", true, true)
		acknowledge("one")
		must(t, os.Truncate(filepath.Join(dir, "a"), 3))
		acknowledge("two")
		put(t, filepath.Join(dir, "b"), "else", true, true)
	})
	wantLeft(t, r, 1, "two", "two more")
}

// Files that were there before are part of what is left, and all ways to write are read.
func TestAllWaysToWriteAreRead(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("before"), 0o600))
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	r := powercut.Record(t, dir, func(dir string, acknowledge func(string)) {
		at := func(name string) string { return filepath.Join(dir, name) }
		acknowledge("begun")
		f, err := os.OpenFile(at("a"), os.O_RDWR, 0)
		must(t, err)
		_, err = f.WriteAt([]byte("BE"), 0)
		must(t, err)
		must(t, f.Truncate(4))
		must(t, f.Sync())
		must(t, f.Close())
		from, err := os.Open(at("a"))
		must(t, err)
		to, err := os.OpenFile(at("sub/b"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		must(t, err)
		_, err = to.WriteString("x")
		must(t, err)
		must(t, to.Close())
		to, err = os.OpenFile(at("sub/copy"), os.O_CREATE|os.O_WRONLY, 0o600)
		must(t, err)
		_, err = to.ReadFrom(from)
		must(t, err)
		must(t, to.Sync())
		must(t, to.Close())
		must(t, from.Close())
		must(t, os.Link(at("sub/copy"), at("sub/linked")))
		must(t, os.Remove(at("sub/copy")))
		must(t, os.Rename(at("sub/b"), at("b")))
		must(t, os.Rename(at("sub"), at("renamed")))
		syncOf(t, at("renamed"))
		syncOf(t, dir)
		b, err := os.OpenFile(at("b"), os.O_RDWR, 0)
		must(t, err)
		must(t, b.Sync())
		must(t, b.Close())
		acknowledge("done")
		must(t, os.WriteFile(at("else"), nil, 0o600))
	})
	r.Cuts(t, 100, 1, func(t *testing.T, c powercut.Cut) {
		if !slices.Contains(c.Acknowledged, "done") {
			return
		}
		for name, want := range map[string]string{"a": "BEfo", "renamed/linked": "BEfo", "b": "x"} {
			if got, err := os.ReadFile(filepath.Join(c.Dir, name)); string(got) != want {
				t.Errorf("%s is %q, want %q, %v", name, got, want, err)
			}
		}
		for _, name := range []string{"sub", "renamed/copy", "renamed/b"} {
			if _, err := os.Lstat(filepath.Join(c.Dir, name)); err == nil {
				t.Errorf("%s is there", name)
			}
		}
	})
}
