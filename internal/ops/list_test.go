package ops_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// What could not be read is not shown as an empty memory.
func TestListReportsWhatItCannotRead(t *testing.T) {
	env := newEnv(t)
	if _, err := run(env, "save", `{"content": "The ferry leaves at six", "category": "harbor"}`); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	op, _ := ops.Find("list")
	for _, input := range []string{`{}`, `{"subject": "ferry"}`, `{"category": "harbor"}`} {
		if out, err := run(env, "list", input); err != nil || out.(ops.Known).Total != 1 {
			t.Errorf("%s: %+v, %v", input, out, err)
		}
		in, err := op.Decode([]byte(input))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := op.Run(stopped, env, in); err == nil {
			t.Errorf("%s, stopped: %+v and no error", input, out)
		}
	}
}

// A category is found in whatever case it is written, and where there is none of that name
// those that there are are named: memory is not taken for empty.
func TestListOfACategory(t *testing.T) {
	env := newEnv(t)
	env.Scope = strata.Global()
	if text := ops.Text(mustRun[ops.Known](t, env, "list", `{"category": "bikes"}`)); text != "nothing is known yet" {
		t.Errorf("an empty memory: %q", text)
	}
	mustRun[ops.Saved](t, env, "save", `{"content": "The tandem has a red bell", "type": "reference", "category": "bikes"}`)
	mustRun[ops.Saved](t, env, "save", `{"content": "I live in Porto", "category": "places"}`)
	for input, total := range map[string]int{
		`{"category": " Bikes "}`: 1, `{"category": "PLACES", "subject": "me"}`: 1,
		`{"category": "pets"}`: 0, `{"category": "bikes", "subject": "me"}`: 0,
	} {
		got := mustRun[ops.Known](t, env, "list", input)
		if got.Total != total || len(got.Facts) != total || len(got.Rows()) != total {
			t.Errorf("%s: %+v", input, got)
		}
		if text := ops.Text(got); total == 0 && (!strings.Contains(text, "bikes 1") || !strings.Contains(text, "places 1") || strings.Contains(text, "nothing")) {
			t.Errorf("%s: %q does not name the categories", input, text)
		}
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
