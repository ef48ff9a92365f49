package ops_test

import (
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/sqlite"
)

// Facts that are moved by what they are, not by their ids, leave those alone that are there.
func TestMovingFactsLeavesThoseThere(t *testing.T) {
	env := newEnv(t)
	mustRun[ops.Saved](t, env, "save", `{"content": "The ferry leaves at six", "category": "harbor", "type": "user"}`)
	if _, err := run(env, "facts", `{"move": "global"}`); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("nothing says which: %v", err)
	}
	moved := mustRun[ops.Facts](t, env, "facts", `{"move": "global", "category": "harbor"}`)
	if len(moved.Facts) != 0 || len(moved.Decisions) != 0 {
		t.Errorf("moved to where they are: %+v", moved)
	}
}

// Of a batch each item is decided by itself, however many are good.
func TestABatchKeepsItsOnlyGoodItem(t *testing.T) {
	env := newEnv(t)
	got := mustRun[ops.Batch](t, env, "save_batch", `{"items": [{"content": " "}, {"content": "The boiler is in the cellar"}]}`)
	if len(got.Decisions) != 2 || got.Decisions[0].Decision != strata.OpReject || got.Decisions[1].Decision != strata.OpAdd {
		t.Fatalf("decided %+v", got.Decisions)
	}
	if facts := mustRun[ops.Facts](t, env, "facts", `{}`).Facts; len(facts) != 1 {
		t.Errorf("%d facts are kept", len(facts))
	}
}

// What ends a batch is named by its place in it, and nothing is saved.
func TestABatchNamesTheItemThatEndsIt(t *testing.T) {
	env := newEnv(t)
	_, err := run(env, "save_batch", `{"items": [{"content": " "}, {"content": "The boiler is in the cellar"}, {"content": "The boiler is old", "target": "fact_01ARZ3NDEKTSV4RRFFQ69G5FAV"}]}`)
	if strata.CodeOf(err) != strata.CodeNotFound || !strings.HasPrefix(strata.MessageOf(err), "item 3: ") {
		t.Errorf("the batch ended with %v", err)
	}
	if facts := mustRun[ops.Facts](t, env, "facts", `{}`).Facts; len(facts) != 0 {
		t.Errorf("%d facts are kept", len(facts))
	}
}

// What was of use lately, and when yesterday was, is told by the clock of the memory.
func TestTheClockIsThatOfTheMemory(t *testing.T) {
	now := time.Date(2020, 3, 2, 9, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	env := envOver(t, newStore(t, &sqlite.Options{Now: clock}), &engine.Options{Now: clock})
	saved := mustRun[ops.Saved](t, env, "save", `{"content": "The ferry leaves at six", "type": "user", "valid_from": "yesterday"}`)
	mustRun[any](t, env, "recall", `{"query": "when does the ferry leave?"}`)
	if err := env.Engine.Drain(t.Context()); err != nil { // counts the access
		t.Fatal(err)
	}
	fact := mustRun[ops.FactVersions](t, env, "fact", `{"id": "`+saved.ID+`"}`)
	if fact.Salience < 0.1 {
		t.Errorf("salience %v of a fact that was recalled just now", fact.Salience)
	}
	if from := fact.Versions[0].ValidFrom; from == nil || from.Format(time.DateOnly) != "2020-03-01" {
		t.Errorf("valid from %v, want the day before", from)
	}
	if _, err := run(env, "recall", `{"query": "a", "as_of": "someday"}`); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("someday: %v", err)
	}
}
