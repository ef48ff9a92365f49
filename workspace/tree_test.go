package workspace

import (
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

// stand is a tree on disk with a hand that changes its files.
type stand struct {
	*Tree
	home, root string // the home and the project
}

func newStand(t testing.TB) stand {
	t.Helper()
	s := stand{home: t.TempDir(), root: t.TempDir()}
	if err := os.Mkdir(filepath.Join(s.root, markerDir), 0o755); err != nil {
		t.Fatal(err)
	}
	s.Tree = NewTree(s.home, map[string]string{filestest.Workspace: s.root})
	return s
}

func (s stand) path(scope strata.Scope, doc string) string {
	if doc == files.ProjectFile {
		return filepath.Join(s.root, path.Base(doc))
	}
	dir, _ := s.Directory(scope)
	return filepath.Join(dir, filepath.FromSlash(doc))
}

func (s stand) Put(scope strata.Scope, doc string, content []byte, at time.Time) error {
	file := s.path(scope, doc)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, content, 0o644); err != nil || at.IsZero() {
		return err
	}
	return os.Chtimes(file, at, at)
}

func (s stand) Delete(scope strata.Scope, doc string) error { return os.Remove(s.path(scope, doc)) }

func TestTree(t *testing.T) {
	filestest.Run(t, func(t *testing.T) filestest.Bench {
		s := newStand(t)
		return filestest.Bench{Tree: s, Hand: s}
	})
}

var inWorkspace = strata.InWorkspace(filestest.Workspace)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
