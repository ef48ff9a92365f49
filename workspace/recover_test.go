package workspace

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// keeps is what a home keeps.
func keeps(ids map[string]string) func(string) (string, error) {
	return func(key string) (string, error) { return ids[key], nil }
}

func TestALostIdentityIsRecovered(t *testing.T) {
	for name, text := range map[string]string{"missing": "", "damaged": "workspace_id = \"01J", "binary": "\x00\xff"} {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t)
			tr.dir("p/sub")
			first := tr.init("p", InitOptions{ID: idA, Text: starting})
			must(t, os.Remove(tr.path("p", MarkerPath)))
			if text != "" {
				tr.file("p/"+MarkerPath, text)
			}
			got, err := Recover(tr.path("p/sub"), tr.home, keeps(map[string]string{first.Keys[0]: idA}))
			must(t, err)
			if got.Root != tr.path("p") || got.ID != idA || got.Problem == "" || (got.Aside == "") != (text == "") {
				t.Errorf("%+v", got)
			}
			tr.want("p/sub", Found{Root: tr.path("p"), ID: idA, Source: SourceMarker})
			if text != "" {
				if kept, err := os.ReadFile(got.Aside); err != nil || string(kept) != text {
					t.Errorf("kept aside: %q, %v", kept, err)
				}
			}
			if again, err := Recover(tr.path("p"), tr.home, keeps(nil)); err != nil || again != (Recovered{}) {
				t.Errorf("again: %+v, %v", again, err)
			}
			if text == "" {
				return
			}
			tr.file("p/"+MarkerPath, "damaged again")
			again, err := Recover(tr.path("p"), tr.home, keeps(map[string]string{"dir:" + tr.path("p"): idA}))
			if err != nil || again.Aside == got.Aside {
				t.Errorf("damaged again: %+v, %v", again, err)
			}
		})
	}
}

func TestAnIdentityIsRecoveredByTheRepository(t *testing.T) {
	tr := newTree(t)
	tr.repository("p/.git")
	tr.dir("p/.strata")
	got, err := Recover(tr.path("p"), tr.home, keeps(map[string]string{"git:" + tr.path("p/.git"): idA}))
	if err != nil || got.ID != idA {
		t.Errorf("%+v, %v", got, err)
	}
	// A project inside of the repository is another.
	tr.dir("p/inner/.strata")
	if got, err := Recover(tr.path("p/inner"), tr.home, keeps(map[string]string{"git:" + tr.path("p/.git"): idA})); err != nil || got != (Recovered{}) {
		t.Errorf("inside: %+v, %v", got, err)
	}
}

func TestWhatNobodyKnowsIsNotRecovered(t *testing.T) {
	tr := newTree(t)
	tr.dir("none")
	if got, err := Recover(tr.path("none"), tr.home, keeps(nil)); err != nil || got != (Recovered{}) {
		t.Errorf("no workspace: %+v, %v", got, err)
	}
	tr.dir("p/.strata")
	if got, err := Recover(tr.path("p"), tr.home, keeps(map[string]string{"dir:" + tr.path("p"): "no id"})); err != nil || got != (Recovered{}) {
		t.Errorf("missing: %+v, %v", got, err)
	}
	path := tr.file("p/"+MarkerPath, "damaged")
	if _, err := Recover(tr.path("p"), tr.home, keeps(nil)); strata.CodeOf(err) != strata.CodeCorrupt || !strings.Contains(err.Error(), path) {
		t.Errorf("damaged: %v", err)
	}
	broken := errors.New("broken")
	if _, err := Recover(tr.path("p"), tr.home, func(string) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("a home that fails: %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "damaged" {
		t.Errorf("the file is %q, %v", got, err)
	}
	if got, err := Recover(tr.path("user"), tr.home, keeps(nil)); err != nil || got != (Recovered{}) {
		t.Errorf("a home: %+v, %v", got, err)
	}
}

// TestAStrataMadeByHandGetsWhatTheHomeKept: what is missing in it would count as
// deleted.
func TestAStrataMadeByHandGetsWhatTheHomeKept(t *testing.T) {
	tr := newTree(t)
	tr.dir("p")
	ctx, scope := t.Context(), strata.InWorkspace(idA)
	running := NewTree(tr.home, map[string]string{idA: tr.path("p")})
	f, err := running.Write(ctx, scope, "notes/a.md", []byte("kept"), strata.NoFile)
	must(t, err)
	tr.dir("p/.strata")
	known := keeps(map[string]string{"dir:" + tr.path("p"): idA})
	if got, err := Recover(tr.path("p"), tr.home, known); err != nil || got.ID != idA {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := bytesBelow(t, tr.path("p/.strata")); got["notes/a.md"] != "kept" {
		t.Errorf("in .strata: %v", got)
	}
	if left := bytesBelow(t, tr.path("user/.strata/workspaces", idA), lockName); len(left) != 1 || left[pointerName] == "" {
		t.Errorf("in the home: %v", left)
	}
	if c, err := running.Scan(ctx, scope, map[string]files.Stat{"notes/a.md": f.Stat}); err != nil || len(c.Removed) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}
