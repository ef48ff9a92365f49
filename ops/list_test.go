package ops_test

import (
	"context"
	"testing"

	"github.com/strata-memory/strata/ops"
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
