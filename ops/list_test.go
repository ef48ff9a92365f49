package ops_test

import (
	"context"
	"slices"
	"testing"

	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/ops/operation"
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
