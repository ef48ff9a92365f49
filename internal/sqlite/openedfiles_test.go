package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
)

// openFiles is a database with a log, and their identity.
func openFiles(t *testing.T) (path string, f *openedFiles) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "home", "x.db")
	makeFiles(t, path)
	f, err := filesAt(path)
	if err == nil {
		f, err = f.WithLog()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, f
}

func makeFiles(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "-wal"} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCheckNoticesWhatHappensToTheFiles(t *testing.T) {
	for name, do := range map[string]func(path string) error{
		"the database is removed": os.Remove,
		"the log is removed":      func(path string) error { return os.Remove(path + "-wal") },
		"the home is removed":     func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"the home is moved":       func(path string) error { return os.Rename(filepath.Dir(path), filepath.Dir(path)+"2") },
		"another is in its place": func(path string) error {
			if err := os.Rename(filepath.Dir(path), filepath.Dir(path)+"2"); err != nil {
				return err
			}
			makeFiles(t, path)
			return nil
		},
		"another log is in its place": func(path string) error {
			if err := os.Rename(path+"-wal", path+"-wal2"); err != nil {
				return err
			}
			return os.WriteFile(path+"-wal", []byte("x"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path, f := openFiles(t)
			if err := f.Check(); err != nil {
				t.Fatal(err)
			}
			if err := do(path); err != nil {
				t.Fatal(err)
			}
			if err := f.Check(); strata.CodeOf(err) != strata.CodeUnavailable {
				t.Errorf("check = %v", err)
			}
		})
	}
}

// A home that comes back is the one that is open.
func TestCheckTakesAHomeThatCameBack(t *testing.T) {
	path, f := openFiles(t)
	home := filepath.Dir(path)
	for _, move := range [][2]string{{home, home + "2"}, {home + "2", home}} {
		if err := os.Rename(move[0], move[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Check(); err != nil {
		t.Error(err)
	}
}

func TestCheckOfNothingIsWell(t *testing.T) {
	if err := (*openedFiles)(nil).Check(); err != nil {
		t.Error(err)
	}
}

func BenchmarkCheck(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.db")
	for _, name := range []string{path, path + "-wal"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	f, err := filesAt(path)
	if err == nil {
		f, err = f.WithLog()
	}
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := f.Check(); err != nil {
			b.Fatal(err)
		}
	}
}
