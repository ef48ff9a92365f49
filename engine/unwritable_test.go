package engine_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/store/files/filestest"
)

// A note is refused where its file can never be: where notes/ is a link or a file.
func TestANoteIsRefusedWhereNoFileCanBe(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"a link": func(path string) error { return os.Symlink(t.TempDir(), path) },
		"a file": func(path string) error { return os.WriteFile(path, []byte("x\n"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			e := open(t, withFiles(home))
			notes := filepath.Join(home, "global", "notes")
			if err := os.MkdirAll(filepath.Dir(notes), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := spoil(notes); err != nil {
				t.Fatal(err)
			}
			n := edit.Note{Scope: strata.Global(), Type: strata.TypeProject, Title: "Deploys", Body: "Staging comes first."}
			_, err := e.Remember(context.Background(), n)
			wantCode(t, err, strata.CodeConflict)
			if err == nil || !strings.Contains(err.Error(), "notes is not a directory") {
				t.Errorf("the error does not say what is wrong: %v", err)
			}
			if err := os.Remove(notes); err != nil {
				t.Fatal(err)
			}
			syncNow(t, e, strata.Global())
			list, err := e.Decisions(context.Background(), strata.Global().View(), strata.DecisionFilter{})
			if err != nil || len(list) != 0 {
				t.Errorf("decisions: %+v, %v", list, err)
			}
			remember(t, e, strata.Global(), n.Title, n.Body)
			followed(t, e)
			if _, err := os.Stat(filepath.Join(notes, "project_deploys.md")); err != nil {
				t.Error(err)
			}
		})
	}
}

// A link that comes between a decision and its file is waited for: the note is
// neither set aside nor taken for deleted by hand.
func TestANoteWaitsForWhatStandsInItsWay(t *testing.T) {
	home := t.TempDir()
	e := open(t, withFiles(home))
	remember(t, e, strata.Global(), "Deploys", "Staging comes first.")
	followed(t, e)
	global := filepath.Join(home, "global")
	notes, away := filepath.Join(global, "notes"), filepath.Join(global, "away")
	if err := os.Rename(notes, away); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("away", notes); err != nil {
		t.Fatal(err)
	}
	view := strata.Global().View()
	_, err := e.Forget(context.Background(), view, "notes/project_deploys.md", engine.ForgetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	syncNow(t, e, strata.Global())
	if list := pending(t, e, strata.Global()); len(list) != 1 || list[0].Op != strata.OpForget {
		t.Errorf("outstanding: %+v", list)
	}
	if err := os.Remove(notes); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, notes); err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	if _, err := os.Stat(filepath.Join(notes, "project_deploys.md")); !os.IsNotExist(err) {
		t.Errorf("the forgotten note is still there: %v", err)
	}
	if list := pending(t, e, strata.Global()); len(list) != 0 {
		t.Errorf("outstanding: %+v", list)
	}
}

// A note whose file cannot be written now is kept and waits, which is said; it is
// never taken for deleted by hand.
func TestANoteWaitsForADirectoryThatCanBeWritten(t *testing.T) {
	for _, code := range []strata.Code{strata.CodeReadOnly, strata.CodeFull, strata.CodeUnavailable} {
		t.Run(string(code), func(t *testing.T) {
			ctx, db := context.Background(), filepath.Join(t.TempDir(), "strata.db")
			tree := filestest.NewMemory()
			tree.Fault(func(op string, _ strata.Scope, path string) error {
				if op == "write" && strings.HasPrefix(path, "notes/") {
					return &strata.Error{Code: code, Message: "no room"}
				}
				return nil
			})
			var said strings.Builder
			e := openAt(t, db, inTree(tree), func(o *engine.Options) { o.Logger = slog.New(slog.NewTextHandler(&said, nil)) })
			remember(t, e, project, "Deploys", "Staging comes first.")
			if r := syncNow(t, e); r.Deleted != 0 {
				t.Errorf("taken for deleted: %+v", r)
			}
			if list := pending(t, e, project); len(list) != 1 {
				t.Errorf("outstanding: %+v", list)
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(said.String(), "files do not follow yet") || !strings.Contains(said.String(), "no room") {
				t.Errorf("nobody is told: %s", said.String())
			}
			tree.Fault(nil)
			e = openAt(t, db, inTree(tree))
			followed(t, e)
			if got := tree.Files(project)["notes/project_deploys.md"]; !strings.Contains(got, "Staging comes first.") {
				t.Errorf("the file: %q", got)
			}
			list, err := e.Decisions(ctx, project.View(), strata.DecisionFilter{})
			if err != nil || len(list) != 1 || list[0].Op != strata.OpAdd || list[0].AppliedAt == nil {
				t.Errorf("decisions: %+v, %v", list, err)
			}
		})
	}
}
