package ops_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
)

// saved is a window's state as a conversation saves it (docs/formats/conversation-state.md).
func saved(state string) []byte {
	return fmt.Appendf(nil, `{"version":1,"sha256":"%x","state":%s}`, sha256.Sum256([]byte(state)), state)
}

func TestTimelineShowsWhatLeftTheWindow(t *testing.T) {
	env := newEnv(t)
	c := talk(t, env, "monday", strata.SessionMain)
	turns := []strata.Turn{
		{Role: strata.RoleAssistant, Text: "Good morning"},
		{Role: strata.RoleUser, Text: strings.Repeat("of wind and water ", 20)},
		{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "clock", Arguments: `{"zone": "Europe/Rome"}`}}},
	}
	if _, err := c.Append(t.Context(), turns); err != nil {
		t.Fatal(err)
	}
	line := func() ops.Timeline {
		t.Helper()
		out, err := run(env, "timeline", `{"session": "monday"}`)
		if err != nil {
			t.Fatal(err)
		}
		return out.(ops.Timeline)
	}
	bare := line()
	if bare.Turns != 4 || len(bare.Marks) != 4 || len(bare.Spans) != 0 || bare.Spans == nil || len(bare.Notes) > 0 {
		t.Errorf("without a window %+v", bare)
	}
	var sum int64
	for _, m := range bare.Marks {
		if m.Tokens == 0 {
			t.Errorf("turn %d costs nothing", m.Seq)
		}
		sum += m.Tokens
	}
	if sum != bare.Tokens || bare.Marks[2].Tokens < 60 {
		t.Errorf("tokens %d, of turns %d: %+v", bare.Tokens, sum, bare.Marks)
	}

	state := saved(`{"last": 4, "cursor": 3, "blocks": [{"from": 1, "to": 2, "summary": true, "text": "They said good morning."}, {"from": 3, "to": 3, "text": "One turn is left out."}]}`)
	if err := env.Engine.PutSessionState(t.Context(), strata.Global(), "monday", state); err != nil {
		t.Fatal(err)
	}
	got := line()
	if got.Flushed != 3 || len(got.Spans) != 2 {
		t.Fatalf("with a window %+v", got)
	}
	want := []ops.TimelineSpan{
		{From: 1, To: 2, Kind: "summary", Tokens: got.Marks[0].Tokens + got.Marks[1].Tokens, Text: "They said good morning."},
		{From: 3, To: 3, Kind: "pruned", Tokens: got.Marks[2].Tokens, Text: "One turn is left out."},
	}
	for i, s := range got.Spans {
		if s != want[i] {
			t.Errorf("span %+v, want %+v", s, want[i])
		}
	}

	if err := env.Engine.PutSessionState(t.Context(), strata.Global(), "monday", []byte(`{"version":1,"sha256":"00","state":{}}`)); err != nil {
		t.Fatal(err)
	}
	if got := line(); len(got.Notes) != 1 || len(got.Marks) != 4 {
		t.Errorf("with a damaged window %+v", got)
	}
	if _, err := run(env, "timeline", `{"session": "tuesday"}`); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("of no session: %v", err)
	}
}

// A fact shows the turns that it was learnt from, and those alone that are in sight.
func TestFactShowsItsTurns(t *testing.T) {
	env := newEnv(t)
	out, err := run(env, "append", `{"session": "monday", "turns": [{"role": "user", "content": "My cat's name is Whiskerino."}]}`)
	if err != nil {
		t.Fatal(err)
	}
	facts := out.(ops.Appended).Facts
	if len(facts) != 1 {
		t.Fatalf("facts %+v", facts)
	}
	shown, err := run(env, "fact", `{"id": "`+facts[0].ID+`"}`)
	if err != nil {
		t.Fatal(err)
	}
	f := shown.(ops.FactVersions)
	if len(f.Turns) != 1 || f.Turns[0].Text != "My cat's name is Whiskerino." || f.Turns[0].Session != "monday" || f.Turns[0].Seq != 1 {
		t.Errorf("turns %+v", f.Turns)
	}
	if f.Salience < 0 || f.Salience > 1 {
		t.Errorf("salience %v", f.Salience)
	}
}

func TestBackupsNeedAHome(t *testing.T) {
	for _, name := range []string{"backup_list", "backup_now"} {
		if _, err := run(newEnv(t), name, `{}`); strata.CodeOf(err) != strata.CodeUnsupported {
			t.Errorf("%s: %v", name, err)
		}
	}
}
