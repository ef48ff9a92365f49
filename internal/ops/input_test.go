package ops_test

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
)

// What is wrong with an input is said, and where.
func TestWhatIsWrongWithAnInputIsSaid(t *testing.T) {
	env := newEnv(t)
	for _, c := range []struct{ op, input, says string }{
		{"append", `{"session": "s", "turns": [{"role": "user", "content": "Hello"}, {"role": "nobody", "content": "Hello"}]}`, "turn 2"},
		{"sessions_prune", `{"older_than": "0d", "dry_run": true}`, "not an age"},
		{"sessions_prune", `{"older_than": "-3d", "dry_run": true}`, "not an age"},
		{"recall", `{"query": "tea", "cursor": "-1"}`, "no such cursor"},
		{"recall", `{"query": "tea", "cursor": "later"}`, "no such cursor"},
		{"recall", `{"query": "tea", "cursor": "3-beef"}`, "belongs to another call"},
		{"list", `{"subject": "me", "cursor": "3-beef"}`, "belongs to another call"},
		{"list", `{"max_tokens": -1}`, "negative"},
		{"turns", `{"session": "s", "limit": -1}`, "negative"},
		{"turns", `{"session": "s", "after": -1}`, "negative"},
	} {
		_, err := run(env, c.op, c.input)
		if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v does not say %q", c.op, c.input, err, c.says)
		}
	}
	if _, err := run(env, "recall", `{"query": "tea", "cursor": "0"}`); err != nil {
		t.Errorf("from the beginning: %v", err)
	}
	for op, zero := range map[string]string{"events": `{"limit": 0}`, "context": `{"max_tokens": 0}`, "stats": `{"days": 0}`} {
		if _, err := run(env, op, zero); err != nil { // as if it were not given
			t.Errorf("%s %s: %v", op, zero, err)
		}
	}
}

// A note that is not there yet is made where its type and title say, and a section that is
// found is told with its file and headings.
func TestANoteIsMadeByTypeAndTitle(t *testing.T) {
	env := newEnv(t)
	if _, err := run(env, "note_write", `{"name": "user/Tea and cake", "content": "---\nname: Tea and cake\ndescription: what to serve\ntype: user\n---\n\n## Guests\n\nJasmine tea is served to guests.\n"}`); err != nil {
		t.Fatal(err)
	}
	out, err := run(env, "recall", `{"query": "which tea is served to guests?"}`)
	if err != nil {
		t.Fatal(err)
	}
	text := ops.Text(out)
	if !strings.Contains(text, "notes/user_tea-and-cake.md") || !strings.Contains(text, "Guests") {
		t.Errorf("it is told as\n%s", text)
	}
}
