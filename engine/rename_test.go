package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/store/files/filestest"
)

const moved = "notes/ops/project_releases.md"

// rename gives a file another name, as a person would.
func rename(t testing.TB, tree *filestest.Memory, from, to, content string) {
	t.Helper()
	byHand(t, tree, project, to, content)
	if err := tree.Delete(project, from); err != nil {
		t.Fatal(err)
	}
}

// withNote is an engine with a note made by hand, edited once, and another file.
func withNote(t *testing.T) (*engine.Engine, *filestest.Memory, string) {
	t.Helper()
	e, tree := withTree(t)
	byHand(t, tree, project, "README.md", "# Here\n")
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Mondays."))
	syncNow(t, e)
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Fridays."))
	syncNow(t, e)
	settled(t, e, tree, project)
	return e, tree, noteText("Deploys", "We deploy on Fridays.")
}

func TestARenamedFileIsTheSameDocument(t *testing.T) {
	ctx := context.Background()
	e, tree, text := withNote(t)
	before := stored(t, e, project, deploys)
	for range 2 { // its use is counted
		res, err := e.Query(ctx, strata.Query{View: project.View(), Text: "when do we deploy"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Trace(ctx, project.View(), res.Trace); err != nil {
			t.Fatal(err)
		}
	}
	rename(t, tree, deploys, moved, text)
	preview, err := e.PreviewSync(ctx, project.View())
	if err != nil || len(preview.Changes) != 1 || preview.Changes[0].RenamedFrom != deploys {
		t.Fatalf("the preview: %+v, %v", preview, err)
	}
	r := syncNow(t, e)
	if len(r.Changes) != 1 || r.Updated != 1 || r.Changes[0].Path != moved || r.Changes[0].RenamedFrom != deploys {
		t.Fatalf("%+v", r)
	}
	now := stored(t, e, project, moved)
	if now == nil || now.ID != before.ID || now.Generation != before.Generation+1 {
		t.Fatalf("%+v, before %+v", now, before)
	}
	if stored(t, e, project, deploys) != nil {
		t.Error("it is at the former path too")
	}
	list := history(t, e, project, moved)
	if opsOf(list) != "add update update" || !strings.Contains(list[2].Reason, "renamed by hand, from "+deploys) {
		t.Errorf("%s, %q", opsOf(list), list[len(list)-1].Reason)
	}
	res, err := e.Query(ctx, strata.Query{View: project.View(), Text: "when do we deploy", Quiet: true})
	if err != nil || len(res.Hits) == 0 || res.Hits[0].Section == nil || res.Hits[0].Section.Path != moved || res.Hits[0].Why.Salience <= 0 {
		t.Errorf("found as %+v, %v", res.Hits, err)
	}
	settled(t, e, tree, project)
	if index := tree.Files(project)[strata.IndexPath]; !strings.Contains(index, moved) || strings.Contains(index, deploys) {
		t.Errorf("the index: %s", index)
	}
	if r := syncNow(t, e); len(r.Changes) != 0 {
		t.Errorf("a second look: %+v", r)
	}
	healthy(t, e)
}

func TestARenameIsUndone(t *testing.T) {
	ctx := context.Background()
	e, tree, text := withNote(t)
	rename(t, tree, deploys, moved, text)
	id := stored(t, e, project, deploys).ID
	last := syncNow(t, e).Changes[0].Decision
	undo := func(decision string) strata.Decision {
		t.Helper()
		d, err := e.Revert(ctx, project.View(), decision, engine.RevertOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	back := undo(last)
	if r := syncNow(t, e); len(r.Changes) != 0 { // before the files have followed, or after
		t.Errorf("the undo is taken for a hand edit: %+v", r)
	}
	files := settled(t, e, tree, project)
	if files[deploys] != text || files[moved] != "" {
		t.Errorf("files: %v", files)
	}
	if d := stored(t, e, project, deploys); d == nil || d.ID != id || stored(t, e, project, moved) != nil {
		t.Errorf("%+v", d)
	}
	undo(back.ID) // and that again
	files = settled(t, e, tree, project)
	if files[moved] != text || files[deploys] != "" {
		t.Errorf("files: %v", files)
	}
	// An edit from before the renaming is undone where the note is now.
	undo(history(t, e, project, moved)[1].ID)
	if files = settled(t, e, tree, project); files[moved] != noteText("Deploys", "We deploy on Mondays.") || files[deploys] != "" {
		t.Errorf("files: %v", files)
	}
	if r := syncNow(t, e); len(r.Changes) != 0 {
		t.Errorf("a last look: %+v", r)
	}
	healthy(t, e)
}

func TestForgettingReachesTheFormerNamesOfADocument(t *testing.T) {
	ctx := context.Background()
	e, tree, text := withNote(t)
	rename(t, tree, deploys, moved, text)
	syncNow(t, e)
	if _, err := e.Forget(ctx, project.View(), moved, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if files := settled(t, e, tree, project); files[moved] != "" {
		t.Errorf("files: %v", files)
	}
	for _, d := range history(t, e, project, "") {
		for _, v := range []*strata.Document{d.Document.Before, d.Document.After} {
			if v != nil && strings.Contains(v.Content, "We deploy") {
				t.Errorf("%s of %s still says %q", d.Op, d.Document.Path, v.Content)
			}
		}
	}
	byHand(t, tree, project, "notes/project_again.md", noteText("Deploys", "We deploy on Mondays."))
	syncNow(t, e)
	if d := stored(t, e, project, "notes/project_again.md"); d != nil && strings.Contains(d.Content, "Mondays") {
		t.Error("an earlier version comes back")
	}
}
