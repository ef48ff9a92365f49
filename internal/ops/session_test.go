package ops_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sessions"
)

// talk opens a session of a kind, with its snapshot and one turn.
func talk(t *testing.T, env *operation.Env, id string, kind strata.SessionKind) *engine.Conversation {
	t.Helper()
	c, err := env.Engine.Talk(t.Context(), sessions.Options{Session: id, Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Append(t.Context(), []strata.Turn{{Role: strata.RoleUser, Text: "Hello from " + id}}); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSnapshotShowsWhatTheSessionWasTold(t *testing.T) {
	env := newEnv(t)
	if _, err := run(env, "save", `{"content": "The ferry leaves at six"}`); err != nil {
		t.Fatal(err)
	}
	c := talk(t, env, "monday", strata.SessionMain)
	out, err := run(env, "snapshot", `{"session": "monday"}`)
	if err != nil {
		t.Fatal(err)
	}
	got := out.(ops.Snapshot)
	if got.Text != c.Snapshot().Text || !bytes.Contains([]byte(got.Text), []byte("ferry")) {
		t.Errorf("text\n%s\nwant\n%s", got.Text, c.Snapshot().Text)
	}
	if got.Session != "monday" || got.Scope != "global" || got.Generation != 1 || got.CreatedAt.IsZero() {
		t.Errorf("snapshot %+v", got)
	}
}

// The view decides which sessions an operation can be asked for.
func TestOperationsOnSessionsHonorTheView(t *testing.T) {
	env := newEnv(t)
	talk(t, env, "private", strata.SessionMain)
	talk(t, env, "party", strata.SessionGroup)
	group := *env
	group.View.Session = strata.SessionGroup
	elsewhere := *env
	elsewhere.View = strata.ForAgent("other").View()
	for _, name := range []string{"turns", "ledger", "snapshot", "expand", "close"} {
		for _, tt := range []struct {
			what, session string
			env           operation.Env
			want          strata.Code
		}{
			{"a group, of a private session", "private", group, strata.CodeNotFound},
			{"another scope", "private", elsewhere, strata.CodeNotFound},
			{"nobody, of no session", "tuesday", *env, strata.CodeNotFound},
			{"a group, of its own", "party", group, ""},
			{"the user", "private", *env, ""},
		} {
			var written bytes.Buffer
			tt.env.Out = &written
			out, err := run(&tt.env, name, `{"session": "`+tt.session+`"}`)
			if strata.CodeOf(err) != tt.want {
				t.Errorf("%s for %s: %v, want %q", name, tt.what, err, tt.want)
			}
			data, _ := json.Marshal(out)
			if tt.want != "" && (written.Len() > 0 || bytes.Contains(data, []byte("Hello"))) {
				t.Errorf("%s for %s shows %s%s", name, tt.what, data, &written)
			}
		}
	}
	out, err := run(&group, "sessions", `{"limit": 1}`)
	if err != nil || len(out.(ops.Sessions).Sessions) != 1 || out.(ops.Sessions).Sessions[0].ID != "party" {
		t.Errorf("sessions for a group: %+v, %v", out, err)
	}
}

func TestAClosedSessionIsNotReopened(t *testing.T) {
	env := newEnv(t)
	c := talk(t, env, "monday", strata.SessionMain)
	out, err := run(env, "close", `{"session": "monday"}`)
	if err != nil {
		t.Fatal(err)
	}
	first := out.(ops.Closed)
	if first.ClosedAt == nil || first.Already || first.Turns != 1 {
		t.Errorf("closed %+v", first)
	}
	if out, err = run(env, "close", `{"session": "monday"}`); err != nil {
		t.Fatal(err)
	}
	if again := out.(ops.Closed); !again.Already || !again.ClosedAt.Equal(*first.ClosedAt) {
		t.Errorf("closed again %+v", again)
	}
	_, err = c.Append(t.Context(), []strata.Turn{{Role: strata.RoleUser, Text: "One more"}})
	if strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("append: %v", err)
	}
}

// A learning added by hand is the one that an agent learns.
func TestLearnCountsUpWhatAnAgentLearnt(t *testing.T) {
	env := newEnv(t)
	c := talk(t, env, "monday", strata.SessionMain)
	call := strata.ToolCall{ID: "c1", Name: "grep", Arguments: `{}`}
	if err := c.RecordToolCall(t.Context(), call, "no such option: -P", "search"); err != nil {
		t.Fatal(err)
	}
	out, err := run(env, "learn", `{"text": "no such option: -P", "tool": "grep"}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.(ops.Learnt); got.Count != 2 || got.Kind != strata.LearningError || got.Scope != "global" {
		t.Errorf("learnt %+v", got)
	}
	out, err = run(env, "learnings", `{}`)
	if err != nil || len(out.(ops.Learnings).Learnings) != 1 || out.(ops.Learnings).Learnings[0].Count != 2 {
		t.Errorf("learnings %+v, %v", out, err)
	}
}

func TestLearnGoesToTheScopeOfTheWork(t *testing.T) {
	env := newEnv(t)
	for _, tt := range []struct {
		scope     strata.Scope
		workspace string
		want      string
	}{
		{strata.Scope{}, "", "global"},
		{strata.Scope{}, "w1", "workspace/w1"},
		{strata.ForAgent("bot"), "w1", "agent/bot"},
	} {
		env.Scope, env.Workspace = tt.scope, tt.workspace
		out, err := run(env, "learn", `{"text": "Use tabs"}`)
		if err != nil || out.(ops.Learnt).Scope != tt.want || out.(ops.Learnt).Count != 1 {
			t.Errorf("learnt %+v, %v, want scope %s", out, err, tt.want)
		}
	}
}

func TestAppendKeepsTurnsOnce(t *testing.T) {
	env := newEnv(t)
	const two = `{"session": "monday", "turns": [{"role": "user", "content": "My cat is called Tom"}, ` +
		`{"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": {"at": 1}}}]}]}`
	out, err := run(env, "append", two)
	if err != nil {
		t.Fatal(err)
	}
	got := out.(ops.Appended)
	if got.Added != 2 || len(got.Facts) != 1 || got.Scope != "global" || !strings.Contains(ops.Text(got), "kept 2 new turns\nadd The user's cat is named Tom.") {
		t.Errorf("appended %+v: %s", got, ops.Text(got))
	}
	if out, err = run(env, "append", two); err != nil || out.(ops.Appended).Added != 0 || out.(ops.Appended).Known != 2 {
		t.Errorf("again: %+v, %v", out, err)
	}
	turns, err := run(env, "turns", `{"session": "monday"}`)
	if err != nil || len(turns.(ops.Turns).Turns) != 2 || turns.(ops.Turns).Turns[1].Calls[0].Arguments != `{"at":1}` {
		t.Errorf("turns %+v, %v", turns, err)
	}
	env.Session = "own"
	for range 2 {
		out, err = run(env, "append", `{"turns": [{"id": "m1", "role": "user", "content": "Yes", "at": "2026-05-01T10:00:00Z"}]}`)
		if err != nil || out.(ops.Appended).Session != "own" {
			t.Errorf("%+v, %v", out, err)
		}
	}
	if out.(ops.Appended).Added != 0 {
		t.Errorf("the same id again: %+v", out)
	}
	for _, bad := range []string{`{"turns": []}`, `{"turns": [{"role": "pet", "content": "a"}]}`, `{"turns": [{"role": "user", "content": "a", "at": "noon"}]}`,
		`{"turns": [{"role": "user", "content": "a\u0000b"}]}`, `{"turns": [{"role": "user", "tool_call_id": "x", "content": "a"}]}`} {
		if _, err := run(env, "append", bad); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
