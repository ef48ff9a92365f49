package engine

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
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
	e.recorder.work.Close() // so that what is asked waits
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

// What was asked for before a forget, and waits to be recorded, counts though something
// else is forgotten: it is written before, not dropped with what may hold the text.
func TestForgetKeepsWhatWasAskedAboutOtherThings(t *testing.T) {
	ctx := t.Context()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open(ctx, st, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.recorder.work.Close() // so that what is asked waits
	view := strata.Global().View()
	cat, err := e.Save(ctx, strata.Global(), "My cat's name is Whiskerino")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Save(ctx, strata.Global(), "The ferry leaves at six"); err != nil {
		t.Fatal(err)
	}
	asked, err := e.Search(ctx, view, "ferry")
	if err != nil {
		t.Fatal(err)
	}
	if len(e.recorder.waiting) != 1 {
		t.Fatalf("%d results wait", len(e.recorder.waiting))
	}
	if _, err := e.Forget(ctx, view, cat.FactID, ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Trace(ctx, view, asked.Trace); err != nil {
		t.Errorf("the question about the ferry was not recorded: %v", err)
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
	asking.recorder.work.Close() // so that what is asked waits
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

// Recalls are counted in events now and then, not one by one, and what was not counted
// when the engine closes is counted then.
func TestRecallsAreCountedInEvents(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "strata.db")
	var minutes atomic.Int64
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	openOn := func() *Engine {
		st, err := sqlite.Open(ctx, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Open(ctx, st, &Options{Now: func() time.Time { return start.Add(time.Duration(minutes.Load()) * time.Minute) }})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := openOn()
	if _, err := e.Save(ctx, strata.Global(), "My cat's name is Whiskerino"); err != nil {
		t.Fatal(err)
	}
	view := strata.Global().View()
	ask := func(text string) {
		t.Helper()
		if _, err := e.Recall(ctx, view, text); err != nil {
			t.Fatal(err)
		}
		if err := e.recorder.flush(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		ask("What is my cat called?")
	}
	ask("Does Bob like sauerkraut?")
	minutes.Add(10)
	ask("What is my cat called?")
	ask("Does Bob like sauerkraut?")
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = openOn()
	defer e.Close()
	events, _, err := e.Events(ctx, view, store.EventFilter{Kinds: []string{"recall"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ev := range events {
		got = append(got, ev.Kind+": "+ev.Detail)
	}
	want := []string{
		"recall.executed: recalls 1, searches 0, hits 1",
		"recall.executed: recalls 4, searches 0, hits 3", "recall.skipped: recalls 1",
		"recall.executed: recalls 1, searches 0, hits 0", "recall.skipped: recalls 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("events are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
