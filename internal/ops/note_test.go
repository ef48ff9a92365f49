package ops_test

import (
	"testing"

	"github.com/strata-memory/strata/internal/ops"
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
