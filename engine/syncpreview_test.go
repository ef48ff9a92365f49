package engine_test

import (
	"context"
	"testing"

	"github.com/strata-memory/strata/internal/documents/handedit"
)

// What a preview says is what the look after it does, and the preview itself
// does nothing.
func TestPreviewSyncSaysWhatSyncDoes(t *testing.T) {
	e, tree := withTree(t)
	ctx, view := context.Background(), project.View()
	preview := func() handedit.Report {
		t.Helper()
		r, err := e.PreviewSync(ctx, view)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	byHand(t, tree, project, "README.md", "# Here\n")
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Mondays."))
	byHand(t, tree, project, "notes/project_b.md", noteText("Boxes", "x"))
	syncNow(t, e)
	settled(t, e, tree, project)
	if r := preview(); len(r.Changes) != 0 || r.Scopes != 1 {
		t.Errorf("with nothing changed: %+v", r)
	}
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Fridays."))
	byHand(t, tree, project, "notes/project_c.md", noteText("Cats", "x"))
	byHand(t, tree, project, "notes/project_bad.md", "---\nname: [\n---\n")
	if err := tree.Delete(project, "notes/project_b.md"); err != nil {
		t.Fatal(err)
	}
	before := len(history(t, e, project, ""))
	said := preview()
	if again := preview(); len(again.Changes) != len(said.Changes) || len(history(t, e, project, "")) != before {
		t.Errorf("the preview changed something: %+v, then %+v", said, again)
	}
	did := syncNow(t, e)
	if len(said.Changes) != 4 || said.Added != did.Added || said.Updated != did.Updated || said.Deleted != did.Deleted {
		t.Fatalf("said %+v, did %+v", said, did)
	}
	for i, c := range did.Changes {
		c.Decision = ""
		if said.Changes[i] != c {
			t.Errorf("said %+v, did %+v", said.Changes[i], c)
		}
	}
}

// A preview in a process that watches keeps nothing from being taken in.
func TestPreviewSyncHidesNothingFromAWatch(t *testing.T) {
	e, tree := withTree(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	byHand(t, tree, project, "README.md", "# Here\n")
	byHand(t, tree, project, deploys, noteText("Deploys", "one"))
	syncNow(t, e)
	byHand(t, tree, project, deploys, noteText("Deploys", "two"))
	if err := e.Watch(ctx, project.View()); err != nil {
		t.Fatal(err)
	}
	if r, err := e.PreviewSync(ctx, project.View()); err != nil || len(r.Changes) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if d := stored(t, e, project, deploys); d == nil || d.Content != noteText("Deploys", "two") {
		t.Errorf("%+v", d)
	}
}
