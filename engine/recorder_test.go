package engine

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/sqlite"
)

// A question that waits to be recorded while its answer is forgotten does not
// bring the text back afterwards.
func TestForgetReachesQuestionsThatWaitToBeRecorded(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "strata.db")
	st, err := sqlite.Open(ctx, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open(ctx, st, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.recorder.work.close() // so that what is asked waits
	const text = "My cat's name is Whiskerino"
	d, err := e.Save(ctx, strata.Global(), text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Search(ctx, strata.Global().View(), text); err != nil {
		t.Fatal(err)
	}
	if len(e.recorder.waiting) != 1 {
		t.Fatalf("%d results wait", len(e.recorder.waiting))
	}
	if _, err := e.Forget(ctx, strata.Global().View(), d.FactID, ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(bytes.ToLower(data), []byte("whiskerino")) {
		t.Error("the forgotten text stands in the database")
	}
}

// A question that was answered before something was forgotten, and is recorded
// after it, as in another process, is not kept: nor is one that repeats a turn.
func TestQuestionsFromBeforeAForgetAreDropped(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "strata.db")
	openOn := func() *Engine {
		st, err := sqlite.Open(ctx, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Open(ctx, st, nil)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	asking, forgetting := openOn(), openOn()
	asking.recorder.work.close() // so that what is asked waits
	view := strata.Global().View()
	turns, err := asking.AppendTurns(ctx, strata.Global(), "s1", strata.SessionMain, []strata.Turn{{Role: strata.RoleUser, Text: "By the way, whiskerino is my cat"}})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := asking.WriteBatch(ctx, []strata.Candidate{{Scope: strata.Global(), Content: "The user has a cat", Sources: []string{turns[0].ID}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := asking.Query(ctx, strata.Query{View: view, Text: turns[0].Text, Session: "s1", Turn: turns[0].Seq, Automatic: true}); err != nil {
		t.Fatal(err)
	}
	if len(asking.recorder.waiting) != 1 {
		t.Fatalf("%d results wait", len(asking.recorder.waiting))
	}
	if _, err := forgetting.Forget(ctx, view, ds[0].FactID, ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	after, err := asking.Search(ctx, view, "which pets are there")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := asking.Trace(ctx, view, after.Trace); err != nil {
		t.Errorf("what is asked afterwards is not recorded: %v", err)
	}
	for _, e := range []*Engine{asking, forgetting} {
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(bytes.ToLower(data), []byte("whiskerino")) {
		t.Error("the forgotten turn stands in the database")
	}
}
