package ops_test

import (
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
)

// A dry run of what destroys says what would be decided and leaves everything.
func TestADryRunDeletesNothing(t *testing.T) {
	env := newEnv(t)
	do := func(op, in string) any {
		t.Helper()
		out, err := run(env, op, in)
		if err != nil {
			t.Fatalf("%s %s: %v", op, in, err)
		}
		return out
	}
	tea := do("save", `{"content": "Tea is served at four"}`).(ops.Saved)
	would := do("delete", `{"id": "`+tea.ID+`", "dry_run": true}`).(ops.Saved)
	if would.Decision != strata.OpDelete || !would.DryRun || would.DecisionID != "" {
		t.Errorf("a dry run of delete says %+v", would)
	}
	if facts := do("facts", `{}`).(ops.Facts).Facts; len(facts) != 1 {
		t.Errorf("a dry run left %d facts", len(facts))
	}
	if n := len(do("decisions", `{}`).(ops.Decisions).Decisions); n != 1 {
		t.Errorf("%d decisions after one save and a dry run", n)
	}
	if did := do("delete", `{"id": "`+tea.ID+`"}`).(ops.Saved); did.Decision != strata.OpDelete || did.DryRun || did.DecisionID == "" {
		t.Errorf("delete says %+v", did)
	}
	if facts := do("facts", `{}`).(ops.Facts).Facts; len(facts) != 0 {
		t.Errorf("delete left %+v", facts)
	}
}

// What is not there is not found, as by every other operation; what is deleted already stays so.
func TestNothingIsDeletedThatIsNotThere(t *testing.T) {
	env := newEnv(t)
	for _, in := range []string{`{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`, `{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "dry_run": true}`} {
		if _, err := run(env, "delete", in); strata.CodeOf(err) != strata.CodeNotFound {
			t.Errorf("%s: %v", in, err)
		}
	}
	saved, err := run(env, "save", `{"content": "Tea is served at four"}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []strata.Op{strata.OpDelete, strata.OpNoop} {
		out, err := run(env, "delete", `{"id": "`+saved.(ops.Saved).ID+`"}`)
		if err != nil || out.(ops.Saved).Decision != want {
			t.Errorf("%+v, %v; want %s", out, err, want)
		}
	}
}
