package engine_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// held returns where below dir a text stands: files by their content or name, and
// git's objects as git reads them.
func held(t *testing.T, dir, text string) (out []string) {
	t.Helper()
	needle := []byte(strings.ToLower(text))
	has := func(b []byte) bool { return bytes.Contains(bytes.ToLower(b), needle) }
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if has([]byte(d.Name())) {
			out = append(out, path)
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				objects, err := exec.Command("git", "-C", path, "cat-file", "--batch-all-objects", "--batch").Output()
				if err != nil {
					return err
				}
				if has(objects) {
					out = append(out, path+" (objects)")
				}
			}
			return nil
		}
		data, err := os.ReadFile(path)
		if has(data) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A question that found what is forgotten goes, also where it repeats but a
// word of it, with every row that it left.
func TestForgetTakesTheQuestionsThatFoundIt(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	e := openAt(t, filepath.Join(home, "strata.db"), onDisk(home))
	view := strata.Global().View()
	d := save(t, e, "The quetzalcoatlus sleeps in the barn")
	save(t, e, "Tools lie in the barn")
	for _, q := range []string{"where does the quetzalcoatlus sleep", "what is in the barn, a quetzalcoatlus?"} {
		if _, err := e.Search(ctx, view, q); err != nil {
			t.Fatal(err)
		}
	}
	res, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{})
	if err != nil || len(res.Remaining) > 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	if found := held(t, home, "quetzalcoatlus"); len(found) > 0 {
		t.Errorf("the word stands in %v", found)
	}
}

// Path and title of a note say what it is about: they go with it, from decisions
// and from the history of files.
func TestForgetOfANoteTakesItsPathAndTitle(t *testing.T) {
	for _, purge := range []string{"at once", "later"} {
		t.Run(purge, func(t *testing.T) {
			ctx, home := context.Background(), t.TempDir()
			e := openAt(t, filepath.Join(home, "strata.db"), onDisk(home))
			view := strata.Global().View()
			remember(t, e, strata.Global(), "Where Quetzalcoatlus sleeps", "It sleeps in the barn.")
			d := remember(t, e, strata.Global(), "Where Quetzalcoatlus sleeps", "It sleeps in the loft, and eats at noon.")
			remember(t, e, strata.Global(), "What stays", "The heron stays.")
			if _, err := e.Search(ctx, view, "quetzalcoatlus"); err != nil {
				t.Fatal(err)
			}
			appendTurns(t, e, "s1", []strata.Turn{{Role: strata.RoleTool, CallID: "c", Text: "kept as " + d.Document.Path}})
			if _, err := e.Checkpoint(ctx, strata.Global(), "after "+d.Document.Path, ""); err != nil {
				t.Fatal(err)
			}
			if err := e.CloseSession(ctx, strata.Global(), "s1"); err != nil {
				t.Fatal(err)
			}
			res, err := e.Forget(ctx, view, d.Document.Path, engine.ForgetOptions{PurgeHistory: purge == "at once"})
			if err != nil {
				t.Fatal(err)
			}
			if purge == "later" {
				if len(res.Remaining) == 0 {
					t.Error("no commit is named")
				}
				for _, place := range held(t, home, "quetzalcoatlus") {
					if !strings.Contains(place, ".git") {
						t.Errorf("the word stands in %v", place)
					}
				}
				res, err = e.Forget(ctx, view, d.Document.Path, engine.ForgetOptions{PurgeHistory: true})
			}
			if err != nil || len(res.Remaining) > 0 || res.History.Rewritten == 0 {
				t.Fatalf("forget = %+v, %v", res, err)
			}
			if found := held(t, home, "quetzalcoatlus"); len(found) > 0 {
				t.Errorf("the word stands in %v", found)
			}
			if found := held(t, home, "heron"); len(found) < 3 {
				t.Errorf("what stays is in %v only", found)
			}
			healthy(t, e)
		})
	}
}

// The history of files can be purged of a fact that was forgotten before without it.
func TestHistoryIsPurgedAfterAPlainForget(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	e := openAt(t, filepath.Join(home, "strata.db"), onDisk(home))
	view := strata.Global().View()
	d := save(t, e, "The quetzalcoatlus sleeps in the barn")
	save(t, e, "Tools lie in the barn")
	if _, err := e.Checkpoint(ctx, strata.Global(), "one", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if len(held(t, home, "quetzalcoatlus")) == 0 {
		t.Fatal("nothing is left to purge")
	}
	res, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{PurgeHistory: true})
	if err != nil || res.History.Rewritten == 0 || len(res.Remaining) > 0 {
		t.Fatalf("purge = %+v, %v", res, err)
	}
	if found := held(t, home, "quetzalcoatlus"); len(found) > 0 {
		t.Errorf("the word stands in %v", found)
	}
	_, err = e.Forget(ctx, view, d.FactID, engine.ForgetOptions{})
	wantCode(t, err, strata.CodeNotFound)
}

// A file that people wrote, and that names a forgotten note, stays as it is and is named.
func TestForgetOfANoteNamesFilesThatNameIt(t *testing.T) {
	e, tree := withTree(t)
	d := remember(t, e, strata.Global(), "Where it sleeps", "It sleeps in the barn, all day long.")
	settled(t, e, tree, strata.Global())
	text := "# House\n\nLook into " + d.Document.Path + " first.\n"
	byHand(t, tree, strata.Global(), "house.md", text)
	syncNow(t, e, strata.Global())
	res, err := e.Forget(context.Background(), strata.Global().View(), d.Document.Path, engine.ForgetOptions{})
	if err != nil || len(res.Remaining) != 1 || res.Remaining[0] != "house.md" || res.Failed != nil {
		t.Errorf("%q, %v, %v", res.Remaining, err, res.Failed)
	}
	if got := stored(t, e, strata.Global(), "house.md"); got == nil || got.Content != text {
		t.Errorf("what people wrote is changed: %+v", got)
	}
}

// Where files cannot be written the result says so, and why.
func TestForgetSaysWhichFilesCouldNotBeChanged(t *testing.T) {
	e, tree := withTree(t)
	d := save(t, e, "The quetzalcoatlus sleeps in the barn")
	settled(t, e, tree, strata.Global())
	tree.Fault(func(op string, _ strata.Scope, _ string) error {
		if op != "write" {
			return nil
		}
		return &strata.Error{Code: strata.CodeReadOnly, Op: op, Message: "nobody may write there"}
	})
	res, err := e.Forget(context.Background(), strata.Global().View(), d.FactID, engine.ForgetOptions{})
	if err != nil || strata.CodeOf(res.Failed) != strata.CodeReadOnly || !strings.Contains(strings.Join(res.Remaining, " "), "nobody may write there") {
		t.Errorf("%q, %v, %v", res.Remaining, err, res.Failed)
	}
}
