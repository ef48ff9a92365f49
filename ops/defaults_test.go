package ops_test

import (
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/ops/operation"
)

// A note that is given no title is named by its first line, and belongs to the session of
// whoever calls, unless both are given.
func TestANoteIsNamedByItsFirstLine(t *testing.T) {
	env := newEnv(t)
	env.Session = "monday"
	for _, tc := range []struct{ in, title, session string }{
		{`{"content": "# Freezing pipes\nOpen the lower valve first."}`, "Freezing pipes", "monday"},
		{`{"content": "Call the harbor office before noon.", "title": "Harbor", "session": "tuesday"}`, "Harbor", "tuesday"},
	} {
		d := mustRun[ops.Noted](t, env, "remember", tc.in)
		why := mustRun[ops.Decision](t, env, "decision", `{"id": "`+d.DecisionID+`"}`)
		if d.Name != tc.title || why.Session != tc.session {
			t.Errorf("%s: %q in session %q", tc.in, d.Name, why.Session)
		}
	}
}

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

// What is known of the user is found by their name, too.
func TestTheUserIsKnownByName(t *testing.T) {
	env := household(t)
	texts := func(subject string) []string {
		list := mustRun[ops.Known](t, env, "list", `{"subject": "`+subject+`"}`).Facts
		return operation.Each(list, func(f ops.KnownFact) string { return f.Text })
	}
	me := texts("me")
	if len(me) < 5 {
		t.Fatalf("of me: %q", me)
	}
	if got := texts("nora lindqvist"); !slices.Equal(got, me) {
		t.Errorf("by name: %q, want %q", got, me)
	}
	if got := texts("Boris"); len(got) != 0 {
		t.Errorf("of somebody else: %q", got)
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

// A list of documents is of one kind, and no longer than asked for.
func TestDocumentsAreListedByKindAndLimit(t *testing.T) {
	env := newEnv(t)
	for _, title := range []string{"Harbor", "Ferry", "Boiler"} {
		mustRun[ops.Noted](t, env, "remember", `{"title": "`+title+`", "content": "About the `+title+` of the town."}`)
	}
	all := len(mustRun[ops.Documents](t, env, "note_list", `{"kind": "any"}`).Documents)
	for in, want := range map[string]int{
		`{}`: 3, `{"kind": "note"}`: 3, `{"limit": 2}`: 2, `{"kind": "skill"}`: 0, `{"kind": "any", "limit": 1}`: 1, `{"kind": "any", "limit": 100}`: all,
		`{"include_system": true, "limit": 2}`: 2,
	} {
		if got := len(mustRun[ops.Documents](t, env, "note_list", in).Documents); got != want {
			t.Errorf("%s: %d documents, want %d", in, got, want)
		}
	}
}
