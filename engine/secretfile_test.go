package engine_test

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
)

// A secret stands in its file and nowhere else: nothing takes it away unasked.
func TestASecretInAFileIsNotLostUnasked(t *testing.T) {
	ctx := context.Background()
	e, tree := withTree(t)
	const log = "memory/2020-01-01.md"
	secret := noteText("Keys", "The staging key is AKIAZ3MSJV4WWNKWJ5QX.")
	byHand(t, tree, project, "README.md", "# Here\n")
	byHand(t, tree, project, deploys, noteText("Keys", "None yet."))
	syncNow(t, e)
	byHand(t, tree, project, deploys, secret)
	byHand(t, tree, project, log, "- [10:00] AKIAZ3MSJV4WWNKWJ5QX\n")
	syncNow(t, e)
	list := history(t, e, project, deploys)
	remove := strata.Candidate{Scope: project, Path: deploys, Action: strata.ActionDelete}
	_, err := e.Write(ctx, remove)
	wantCode(t, err, strata.CodeRejectedSecret)
	_, err = e.Write(ctx, projectNote(noteText("Keys", "Gone.")))
	wantCode(t, err, strata.CodeRejectedSecret)
	_, err = e.Revert(ctx, project.View(), list[len(list)-1].ID, engine.RevertOptions{})
	wantCode(t, err, strata.CodeRejectedSecret)
	r, err := e.PurgeDaily(ctx, project.View(), edit.DailyOptions{Day: "2020-01-01"})
	if err != nil || len(r.Skipped) != 1 || len(r.Logs) != 0 {
		t.Errorf("a log with a secret: %+v, %v", r, err)
	}
	if files := settled(t, e, tree, project); files[deploys] != secret {
		t.Errorf("the file is %q", files[deploys])
	}
	if _, ok := tree.Files(project)[log]; !ok {
		t.Error("the log is gone")
	}
	remove.LoseSecret = true
	d, err := e.Write(ctx, remove)
	if err != nil || d.Op != strata.OpDelete {
		t.Fatalf("%+v, %v", d, err)
	}
	if files := settled(t, e, tree, project); files[deploys] != "" {
		t.Errorf("the file is %q", files[deploys])
	}
	_, err = e.Revert(ctx, project.View(), d.ID, engine.RevertOptions{})
	wantCode(t, err, strata.CodeRejectedSecret)
	healthy(t, e)
}
