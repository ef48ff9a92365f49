package ops_test

import (
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops"
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
