package contextmgr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// What tools returned before the user spoke last gives way before anything is
// summarized, and can be reopened.
func TestOldResultsAreMaskedBeforeASummary(t *testing.T) {
	h := open(t, func(o *Options) { o.Window, o.ExpandTool = 8192, "memory_expand" })
	for i := 0; len(all[Stubbed](h)) == 0 && i < 40; i++ {
		h.add(say(strata.RoleUser, fmt.Sprintf("Read log %d.", i)),
			strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "read_log"}}},
			strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "read_log", Text: fmt.Sprintf("log %d begins\n%s", i, strings.Repeat("a line of it\n", 150))},
			say(strata.RoleAssistant, fmt.Sprintf("I have read log %d.", i)))
		h.prompt()
	}
	h.add(say(strata.RoleUser, "What did they say?"))
	h.prompt()
	if n := len(all[Compacted](h)); n > 0 {
		t.Errorf("%d compactions", n)
	}
	if len(all[Stubbed](h)) == 0 {
		t.Fatal("nothing was masked")
	}
	for _, it := range h.win.items {
		if it.kind != kindTurn || it.turn.Role != strata.RoleTool && it.limit > 0 {
			t.Errorf("turn %d is shown as %.80q", it.from, it.text)
		}
		if it.limit > 0 && (!strings.Contains(it.text, "begins") || !strings.Contains(it.text, fmt.Sprintf(`memory_expand {"from": %d`, it.from))) {
			t.Errorf("the mask of turn %d says %.200q", it.from, it.text)
		}
	}
}
