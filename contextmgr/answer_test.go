package contextmgr

import (
	"testing"

	"github.com/strata-memory/strata"
)

// A result answers the call of its id; else the first open call of its tool; and one that
// names neither, the first that is open.
func TestResultsFindTheirCalls(t *testing.T) {
	calls := []strata.ToolCall{{ID: "1", Name: "look"}, {ID: "2", Name: "read"}, {ID: "3", Name: "read"}}
	for _, tc := range []struct {
		name   string
		result strata.Turn
		want   string
	}{
		{"by id", strata.Turn{CallID: "3", Tool: "read"}, "c3"},
		{"by the id that was given to the model", strata.Turn{CallID: "c2"}, "c2"},
		{"by its tool", strata.Turn{Tool: "read"}, "c2"},
		{"by its tool, under another id", strata.Turn{CallID: "gone", Tool: "read"}, "c2"},
		{"by nothing", strata.Turn{}, "c1"},
		{"of another tool", strata.Turn{Tool: "write"}, ""},
		{"of another id", strata.Turn{CallID: "gone"}, ""},
	} {
		it := &item{turn: strata.Turn{Calls: calls}, open: []bool{true, true, true}, ids: []string{"c1", "c2", "c3"}}
		if got := it.answer(strata.Turn{Role: strata.RoleTool, CallID: tc.result.CallID, Tool: tc.result.Tool}); got != tc.want {
			t.Errorf("%s: answers %q, want %q", tc.name, got, tc.want)
		}
		if again := it.answer(tc.result); tc.want != "" && again == tc.want {
			t.Errorf("%s: a call is answered twice", tc.name)
		}
	}
}
