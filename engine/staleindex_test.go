package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/store/files/filestest"
)

// A process that ends between a hand edit and the index leaves a MEMORY.md that
// is not true. The next that opens memory notices and renders it.
func TestIndexThatAKillLeftStaleIsRenderedAtTheNextLook(t *testing.T) {
	for name, c := range map[string]struct {
		before, after map[string]string // notes by path; empty text removes
		index         string            // put into the index by hand, as well
		want, not     string            // in the index in the end
	}{
		"the first note":        {after: map[string]string{deploys: noteText("Deploys", "x")}, want: "[Deploys]"},
		"one more note":         {before: map[string]string{deploys: noteText("Deploys", "x")}, after: map[string]string{"notes/project_b.md": noteText("Boxes", "x")}, want: "[Boxes]"},
		"another title":         {before: map[string]string{deploys: noteText("Deploys", "x")}, after: map[string]string{deploys: noteText("Releases", "x")}, want: "[Releases]", not: "[Deploys]"},
		"a note that went":      {before: map[string]string{deploys: noteText("Deploys", "x"), "notes/project_b.md": noteText("Boxes", "x")}, after: map[string]string{deploys: ""}, want: "[Boxes]", not: "[Deploys]"},
		"a line that went":      {before: map[string]string{deploys: noteText("Deploys", "x")}, index: "[Deploys]", want: "[Deploys]"},
		"nothing but the words": {before: map[string]string{deploys: noteText("Deploys", "x")}, after: map[string]string{deploys: noteText("Deploys", "y")}, want: "[Deploys]"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := filestest.NewMemory()
			db := filepath.Join(t.TempDir(), "strata.db")
			with := func(o *engine.Options) { o.Tree = tree }
			e := openAt(t, db, with)
			put := func(notes map[string]string) {
				for path, text := range notes {
					if text == "" {
						if err := tree.Delete(project, path); err != nil {
							t.Fatal(err)
						}
						continue
					}
					byHand(t, tree, project, path, text)
				}
			}
			byHand(t, tree, project, "README.md", "# Here\n")
			put(c.before)
			syncNow(t, e)
			settled(t, e, tree, project)
			// From here on the index cannot be written, as after a kill.
			tree.Fault(func(op string, _ strata.Scope, path string) error {
				if op == "write" && path == strata.IndexPath {
					return &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "killed"}
				}
				return nil
			})
			put(c.after)
			if c.index != "" {
				var kept []string
				for line := range strings.Lines(tree.Files(project)[strata.IndexPath]) {
					if !strings.Contains(line, c.index) {
						kept = append(kept, line)
					}
				}
				byHand(t, tree, project, strata.IndexPath, strings.Join(kept, ""))
			}
			syncNow(t, e)
			syncNow(t, e) // one more look does not make it true
			closeNow(t, e)
			tree.Fault(nil)

			e = openAt(t, db, with)
			syncNow(t, e)
			settled(t, e, tree, project)
			index := tree.Files(project)[strata.IndexPath]
			if !strings.Contains(index, c.want) || c.not != "" && strings.Contains(index, c.not) {
				t.Errorf("MEMORY.md:\n%s", index)
			}
			// It is known as it stands: the next look finds nothing to do.
			if r, err := e.Sync(context.Background(), project.View()); err != nil || len(r.Changes) > 0 {
				t.Errorf("one more look: %+v, %v", r, err)
			}
			healthy(t, e)
		})
	}
}
