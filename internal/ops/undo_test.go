package ops_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
)

func TestUndoRevertsTheNewestThatChangedSomething(t *testing.T) {
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
	boiler := do("save", `{"content": "The boiler is in the cellar"}`).(ops.Saved)
	if noop := do("save", `{"content": "The boiler is in the cellar"}`).(ops.Saved); noop.Decision != strata.OpNoop {
		t.Fatalf("the same again is %s", noop.Decision)
	}
	shown := do("undo", `{"what": "2", "dry_run": true}`).(ops.Undone)
	if len(shown.Decisions) != 2 || shown.Decisions[0].Reverts != boiler.DecisionID || shown.Decisions[1].Reverts != tea.DecisionID {
		t.Fatalf("would undo %+v", shown.Decisions)
	}
	if n := len(do("facts", `{}`).(ops.Facts).Facts); n != 2 {
		t.Errorf("a dry run left %d facts", n)
	}
	for _, want := range []string{boiler.DecisionID, tea.DecisionID} {
		got := do("undo", `{}`).(ops.Undone).Decisions
		if len(got) != 1 || got[0].Reverts != want || got[0].Undid != strata.OpAdd || got[0].ID == "" {
			t.Errorf("undid %+v, want %s", got, want)
		}
	}
	if _, err := run(env, "undo", `{}`); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("with nothing left: %v", err)
	}
	if _, err := run(env, "undo", `{"what": "0"}`); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("undo of none: %v", err)
	}
	last := do("decisions", `{"limit": 1}`).(ops.Decisions).Decisions
	if len(last) != 1 || last[0].Reverts != tea.DecisionID {
		t.Fatalf("the newest decision is %+v", last)
	}
	if back := do("undo", `{"what": "`+last[0].ID+`"}`).(ops.Undone).Decisions[0]; back.After == nil || back.After.Text != "Tea is served at four" {
		t.Errorf("undoing the undo brought %+v", back)
	}
}

// What was forgotten cannot come back, and does not stand in the way of what was decided
// before it.
func TestUndoPassesOverWhatWasForgotten(t *testing.T) {
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
	boat := do("save", `{"content": "The boat is called Nora"}`).(ops.Saved)
	do("forget", `{"id": "`+boat.ID+`"}`)
	if got := do("undo", `{}`).(ops.Undone).Decisions; len(got) != 1 || got[0].Reverts != tea.DecisionID {
		t.Errorf("undid %+v, want %s", got, tea.DecisionID)
	}
	if _, err := run(env, "undo", `{"what": "`+boat.DecisionID+`"}`); strata.CodeOf(err) != strata.CodeForgotten {
		t.Errorf("undo of what was forgotten, by its id: %v", err)
	}
}

// What was half forgotten is named and passed over, too.
func TestUndoNamesWhatItPassesOver(t *testing.T) {
	env := newEnv(t)
	env.Origin, env.Session = strata.OriginTool, "mine"
	eva := mustRun[ops.Saved](t, env, "save", `{"content": "My sister is Eva"}`)
	lisbon := mustRun[ops.Saved](t, env, "save", `{"content": "I live in Lisbon"}`)
	porto := mustRun[ops.Saved](t, env, "save", `{"content": "I live in Porto"}`)
	if porto.Decision != strata.OpSupersede {
		t.Fatalf("the move is %s", porto.Decision)
	}
	tea := mustRun[ops.Saved](t, env, "save", `{"content": "I prefer tea over coffee"}`)
	mustRun[ops.Forgotten](t, env, "forget", `{"id": "`+lisbon.ID+`"}`)
	for _, dry := range []string{"true", "false"} {
		got := mustRun[ops.Undone](t, env, "undo", `{"what": "2", "dry_run": `+dry+`}`)
		if len(got.Decisions) != 2 || got.Decisions[0].Reverts != tea.DecisionID || got.Decisions[1].Reverts != eva.DecisionID || got.Failure() != nil {
			t.Errorf("dry run %s: undid %+v", dry, got.Decisions)
		}
		if !slices.Equal(got.Forgotten, []string{porto.DecisionID, lisbon.DecisionID}) || !strings.Contains(ops.Text(got), porto.DecisionID) {
			t.Errorf("dry run %s: passed over %v:\n%s", dry, got.Forgotten, ops.Text(got))
		}
	}
	if out, err := run(env, "undo", `{}`); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("with nothing left: %+v, %v", out, err)
	}
	if _, err := run(env, "undo", `{"what": "`+porto.DecisionID+`"}`); strata.CodeOf(err) != strata.CodeForgotten {
		t.Errorf("by its id: %v", err)
	}
}

// An undo that cannot go on says what it undid before.
func TestUndoSaysWhatItUndidBeforeItStopped(t *testing.T) {
	env := newEnv(t)
	env.Origin, env.Session = strata.OriginTool, "mine"
	boiler := mustRun[ops.Saved](t, env, "save", `{"content": "The boiler is in the cellar"}`)
	tea := mustRun[ops.Saved](t, env, "save", `{"content": "Tea is served at four"}`)
	other := *env
	other.Session = "theirs"
	mustRun[ops.Saved](t, &other, "update", `{"id": "`+boiler.ID+`", "content": "The boiler is in the attic"}`)
	got := mustRun[ops.Undone](t, env, "undo", `{"what": "2"}`)
	if len(got.Decisions) != 1 || got.Decisions[0].Reverts != tea.DecisionID {
		t.Errorf("undid %+v, want %s", got.Decisions, tea.DecisionID)
	}
	if text := ops.Text(got); strata.CodeOf(got.Failure()) != strata.CodeConflict || got.Stopped == "" || !strings.Contains(text, "Tea is served") || !strings.Contains(text, got.Stopped) {
		t.Errorf("stopped %q, %v:\n%s", got.Stopped, got.Failure(), text)
	}
	if _, err := run(env, "undo", `{}`); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("with nothing undone: %v", err)
	}
}

// A learning is no decision: an undo does not reach past it, says how it goes, and names the
// change before it.
func TestUndoStopsAtALearning(t *testing.T) {
	env := newEnv(t)
	env.Origin, env.Session = strata.OriginTool, "mine"
	bike := mustRun[ops.Saved](t, env, "save", `{"content": "I own a bike"}`)
	learning := mustRun[ops.Learnt](t, env, "learn", `{"text": "Use tabs, not spaces", "context": "indented with spaces"}`)
	wantLearning := func(err error, before string) {
		t.Helper()
		var e *strata.Error
		if !errors.As(err, &e) || e.Code != strata.CodeConflict || !strings.Contains(e.Message, learning.ID) || !strings.Contains(e.Hint, "memory_forget") || !strings.Contains(e.Hint, before) {
			t.Errorf("stopped by %v", err)
		}
	}
	_, err := run(env, "undo", `{}`)
	wantLearning(err, bike.DecisionID)
	boat := mustRun[ops.Saved](t, env, "save", `{"content": "I own a boat"}`)
	got := mustRun[ops.Undone](t, env, "undo", `{"what": "2"}`)
	if wantLearning(got.Failure(), bike.DecisionID); len(got.Decisions) != 1 || got.Decisions[0].Reverts != boat.DecisionID {
		t.Errorf("undid %+v, want %s", got.Decisions, boat.DecisionID)
	}
	other := *env
	other.Session = "theirs"
	if _, err := run(&other, "undo", `{}`); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("the learning of another session: %v", err)
	}
	shown := mustRun[ops.Forgotten](t, env, "forget", `{"id": "`+learning.ID+`", "dry_run": true}`)
	if left := mustRun[ops.Learnings](t, env, "learnings", `{}`).Learnings; shown.Learnings != 1 || len(left) != 1 {
		t.Errorf("a dry run would forget %+v and left %v", shown, left)
	}
	if gone := mustRun[ops.Forgotten](t, env, "forget", `{"id": "`+learning.ID+`"}`); gone.ID != learning.ID || gone.Learnings != 1 || gone.Failure() != nil {
		t.Errorf("forgot %+v", gone)
	}
	if left := mustRun[ops.Learnings](t, env, "learnings", `{}`).Learnings; len(left) != 0 {
		t.Errorf("left %v", left)
	}
	if _, err := run(env, "forget", `{"id": "`+learning.ID+`"}`); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("forgotten again: %v", err)
	}
	if got := mustRun[ops.Undone](t, env, "undo", `{}`); got.Decisions[0].Reverts != bike.DecisionID {
		t.Errorf("undid %+v, want %s", got.Decisions, bike.DecisionID)
	}
}

// What turns say is of the session that they are of: the answer names the decision, by
// which it is undone.
func TestUndoOfWhatWasAppended(t *testing.T) {
	env := newEnv(t)
	env.Origin, env.Session = strata.OriginTool, "mine"
	in := `{"session": "monday", "turns": [{"role": "user", "content": "My dog is called Rex"}, {"role": "assistant", "content": "Noted"}]}`
	appended := mustRun[ops.Appended](t, env, "append", in)
	if len(appended.Facts) != 1 || !strings.Contains(ops.Text(appended), "decision: "+appended.Facts[0].DecisionID) {
		t.Fatalf("appended %+v:\n%s", appended, ops.Text(appended))
	}
	got := mustRun[ops.Undone](t, env, "undo", `{"what": "`+appended.Facts[0].DecisionID+`"}`)
	if len(got.Decisions) != 1 || len(mustRun[ops.Facts](t, env, "facts", `{}`).Facts) != 0 {
		t.Errorf("undid %+v", got.Decisions)
	}
}

// One undo after the other goes back step by step, also to where a fact came from that was
// replaced or updated since.
func TestUndoGoesBackStepByStep(t *testing.T) {
	for name, last := range map[string]string{
		"replaced": `{"content": "My dentist is Dr. Bauer"}`,
		"updated":  `{"content": "My dentist is Dr. Amundsen, who works in Bergen on Mondays"}`,
	} {
		t.Run(name, func(t *testing.T) {
			env := newEnv(t)
			do := func(op, in string) any {
				t.Helper()
				out, err := run(env, op, in)
				if err != nil {
					t.Fatalf("%s %s: %v", op, in, err)
				}
				return out
			}
			do("save", `{"content": "My dentist is Dr. Amundsen"}`)
			if d := do("save", last).(ops.Saved); d.Decision != strata.OpSupersede && d.Decision != strata.OpUpdate {
				t.Fatalf("the second is %s", d.Decision)
			}
			do("undo", `{}`)
			if got := do("facts", `{}`).(ops.Facts).Facts; len(got) != 1 || got[0].Text != "My dentist is Dr. Amundsen" {
				t.Fatalf("after one undo: %+v", got)
			}
			do("undo", `{}`)
			if got := do("facts", `{}`).(ops.Facts).Facts; len(got) != 0 {
				t.Errorf("after two: %+v", got)
			}
			if _, err := run(env, "undo", `{}`); strata.CodeOf(err) != strata.CodeNotFound {
				t.Errorf("with nothing left: %v", err)
			}
		})
	}
}

func TestDecisionsAreSortedByTimeOverAllScopes(t *testing.T) {
	env := newEnv(t)
	for _, text := range []string{"one: Tea is served at four", "two: the boiler is in the cellar", "three: rivers run to the sea"} {
		env.Scope = strata.Global()
		if text[1] == 'w' {
			env.Scope = strata.ForAgent("helper")
			env.View = strata.ViewOf("", "helper")
		}
		if _, err := run(env, "save", `{"content": "`+text+`"}`); err != nil {
			t.Fatal(err)
		}
	}
	env.Scope = strata.Scope{}
	out, err := run(env, "decisions", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	list := out.(ops.Decisions).Decisions
	if len(list) != 3 || list[0].Scope != "global" || list[1].Scope == "global" || list[2].Scope != "global" {
		t.Errorf("scopes in the order of the list: %+v", list)
	}
}
