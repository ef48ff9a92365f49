package engine_test

import (
	"context"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/edit"
)

// A request id stands for one operation, scope and content.
func TestRequestIDOfAnotherRequestIsAConflict(t *testing.T) {
	ctx := context.Background()
	e, _ := withTree(t)
	tea := strata.Candidate{Scope: strata.Global(), Content: "Tea is served at four", RequestID: "r"}
	first := write(t, e, tea)
	if again := write(t, e, tea); again.ID != first.ID || !again.Replayed || first.Replayed {
		t.Errorf("first %s (%t), again %s (%t)", first.ID, first.Replayed, again.ID, again.Replayed)
	}
	note := projectNote(noteText("Deploys", "one"))
	note.RequestID = "note"
	write(t, e, note)
	if d := write(t, e, note); !d.Replayed {
		t.Error("the note was not replayed")
	}
	idle := strata.Candidate{Scope: strata.Global(), Content: tea.Content, RequestID: "idle"}
	if d := write(t, e, idle); d.Op != strata.OpNoop {
		t.Fatalf("saving it twice is %s", d.Op)
	}
	if d := write(t, e, idle); !d.Replayed {
		t.Error("the noop was not replayed")
	}
	with := func(c strata.Candidate, change func(c *strata.Candidate)) strata.Candidate {
		change(&c)
		return c
	}
	for name, c := range map[string]strata.Candidate{
		"content":           with(tea, func(c *strata.Candidate) { c.Content = "Coffee is served at ten" }),
		"content of a noop": with(idle, func(c *strata.Candidate) { c.Content = "The boiler is in the cellar" }),
		"scope":             with(tea, func(c *strata.Candidate) { c.Scope, c.Workspace = project, project.Workspace }),
		"operation":         {Scope: strata.Global(), Action: strata.ActionDelete, Target: first.FactID, RequestID: "r"},
		"target":            with(tea, func(c *strata.Candidate) { c.Target = "fact_other" }),
		"file for a fact":   with(note, func(c *strata.Candidate) { c.Scope, c.RequestID = strata.Global(), "r" }),
		"text of a note":    with(note, func(c *strata.Candidate) { c.Content = noteText("Deploys", "two") }),
		"deleting the note": with(note, func(c *strata.Candidate) { c.Action, c.Content = strata.ActionDelete, "" }),
		"fact for a note":   {Scope: project, Content: "Parcel 1 went to shelf 7", RequestID: "note"},
	} {
		if _, err := e.Write(ctx, c); strata.CodeOf(err) != strata.CodeConflict {
			t.Errorf("another %s: %v", name, err)
		}
	}
	_, err := e.WriteBatch(ctx, []strata.Candidate{
		{Scope: strata.Global(), Content: "Rivers are wet", RequestID: "b"},
		{Scope: strata.Global(), Content: "Mountains are high", RequestID: "b"},
	})
	wantCode(t, err, strata.CodeConflict)
	if got := current(t, e, strata.Global()); len(got) != 1 {
		t.Errorf("a batch with a conflict left %q", got)
	}
	twice, err := e.WriteBatch(ctx, []strata.Candidate{
		{Scope: strata.Global(), Content: "Rivers are wet", RequestID: "b"},
		{Scope: strata.Global(), Content: "Rivers are wet", RequestID: "b"},
	})
	if err != nil || twice[0].ID != twice[1].ID || !twice[1].Replayed {
		t.Errorf("the same twice in a batch: %+v, %v", twice, err)
	}
	healthy(t, e)
}

func TestRequestIDOfANoteIsOfWhatWasAsked(t *testing.T) {
	ctx := context.Background()
	e, tree := withTree(t)
	n := edit.Note{RequestID: "r", Scope: project, Type: strata.TypeProject, Title: "Deploys", Body: "We deploy on Mondays."}
	first, err := e.Remember(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	settled(t, e, tree, project)
	remember(t, e, project, "Deploys", "We deploy on Fridays.")
	if again, err := e.Remember(ctx, n); err != nil || again.ID != first.ID || !again.Replayed {
		t.Errorf("again: %s, replayed %t, %v", again.ID, again.Replayed, err)
	}
	n.Body = "We deploy on Sundays."
	_, err = e.Remember(ctx, n)
	wantCode(t, err, strata.CodeConflict)
	aside := edit.AdHocNote{RequestID: "aside", Scope: project, Content: "Look at the flaky test"}
	kept, err := e.WriteAdHoc(ctx, aside)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := e.WriteAdHoc(ctx, aside); err != nil || again.ID != kept.ID || !again.Replayed {
		t.Errorf("set aside again: %s, replayed %t, %v", again.ID, again.Replayed, err)
	}
	aside.Content = "Look at the slow test"
	_, err = e.WriteAdHoc(ctx, aside)
	wantCode(t, err, strata.CodeConflict)
}

func TestConcurrentRequestsWithOneID(t *testing.T) {
	e := open(t)
	texts := []string{"Tea is served at four", "The boiler is in the cellar"}
	const calls = 16
	var wg sync.WaitGroup
	ids, codes := make([]string, calls), make([]strata.Code, calls)
	for i := range calls {
		wg.Go(func() {
			d, err := e.Write(context.Background(), strata.Candidate{Scope: strata.Global(), Content: texts[i%2], RequestID: "r"})
			ids[i], codes[i] = d.ID, strata.CodeOf(err)
		})
	}
	wg.Wait()
	kept := current(t, e, strata.Global())
	if len(kept) != 1 {
		t.Fatalf("kept %q", kept)
	}
	winner := 0
	if kept[0] == texts[1] {
		winner = 1
	}
	for i := range calls {
		if i%2 != winner && codes[i] != strata.CodeConflict {
			t.Errorf("call %d of the other content: %q", i, codes[i])
		}
		if i%2 == winner && (codes[i] != "" || ids[i] != ids[winner]) {
			t.Errorf("call %d: decision %s, not %s, code %q", i, ids[i], ids[winner], codes[i])
		}
	}
}
