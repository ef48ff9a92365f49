package hooks

import (
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
)

func call(id, command string) ops.ToolCall {
	return ops.ToolCall{ID: id, Name: "Bash", Arguments: `{"command":"` + command + `"}`}
}

func called(text string, calls ...ops.ToolCall) ops.Turn {
	return ops.Turn{Role: strata.RoleAssistant, Text: text, Calls: calls}
}

func result(id, text string, failed bool) ops.Turn {
	return ops.Turn{Role: strata.RoleTool, CallID: id, Text: text, Failed: failed}
}

// What became of a call of npm test is told, and nothing of other calls.
func TestOutcome(t *testing.T) {
	test, lint := call("1", "npm test"), call("2", "npm lint")
	for name, tc := range map[string]struct {
		turns []ops.Turn
		want  string // empty where nothing is told
	}{
		"it failed":                {[]ops.Turn{called("", test), result("1", "no pnpm", true)}, "Bash command npm test failed: no pnpm"},
		"it failed without a word": {[]ops.Turn{called("", test), result("1", " ", true)}, "Bash command npm test failed"},
		"it failed, announced":     {[]ops.Turn{called("Let me run npm test.", test), result("1", "no pnpm", true)}, "Bash command npm test failed: no pnpm"},
		"it went well":             {[]ops.Turn{called("", test), result("1", "42 passed", false)}, ""},
		"it went well, explained":  {[]ops.Turn{called("npm test needs node 22.", test), result("1", "42 passed", false)}, "npm test needs node 22."},
		"another failed beside it": {[]ops.Turn{called("", test, lint), result("1", "42 passed", false), result("2", "a tab", true)}, ""},
		"another of its id failed": {[]ops.Turn{called("", test), called("", call("1", "npm lint")), result("1", "a tab", true)}, ""},
		"no ids":                   {[]ops.Turn{called("", call("", "npm test")), result("", "a tab", true)}, ""},
		"no call":                  {[]ops.Turn{called("npm test needs node 22.")}, "npm test needs node 22."},
		"a result that failed":     {[]ops.Turn{result("1", "npm test is gone", true)}, "npm test is gone"},
		"a result":                 {[]ops.Turn{result("1", "npm test is there", false)}, ""},
	} {
		h := ops.Hit{Text: tc.turns[0].Text}
		got := ""
		if outcome(&h, tc.turns, []string{"npm", "test"}) {
			got = h.Text
		}
		if got != tc.want {
			t.Errorf("%s: %q is told, want %q", name, got, tc.want)
		}
	}
}

func TestSpeaksOf(t *testing.T) {
	may := time.Date(2026, time.May, 7, 9, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		turn     ops.Hit
		sentence string
		want     bool
	}{
		{ops.Hit{Text: "Noted."}, "Which port does staging use?", false},
		{ops.Hit{Text: "Staging is on port 5544."}, "Which port does staging use?", true},
		{ops.Hit{Text: "Run the tests please."}, "Please add a test for refunds in checkout", false},
		{ops.Hit{Text: "The agency called back, we can go ahead!", Speaker: "Caroline", At: may}, "What did Caroline say about the adoption agency in May?", true},
		{ops.Hit{Text: "parseRequest lives in http/wire.go"}, "Where is the request parser?", true},
		{ops.Hit{Text: "Refunds of invoices go through the ledger service, then wait for the bank, which takes days."},
			"Please find out why the nightly job that checks refunds, invoices and the ledger of every merchant stops since the release of Monday", true},
		{ops.Hit{}, "Which port does staging use?", false},
	} {
		if got := speaksOf(tc.turn, tc.sentence); got != tc.want {
			t.Errorf("%q of %q: %v", tc.turn.Text, tc.sentence, got)
		}
	}
}
