package contextmgr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// logOf is a long text whose lines are alike, but for one in its middle.
func logOf(lines int, special string) string {
	var b strings.Builder
	for i := range lines {
		if i == lines/2 {
			b.WriteString(special + "\n")
		}
		fmt.Fprintf(&b, "%05d the worker has taken a job from the queue and handed it on\n", i)
	}
	return b.String()
}

// A result that does not fit shows as much as does: its ends, and of the rest what was
// asked for. After a restart it is shown the same.
func TestWhatIsCutShowsWhatWasAskedFor(t *testing.T) {
	h := open(t, func(o *Options) { o.Window, o.ExpandTool = 4096, "memory_expand" })
	h.add(say(strata.RoleUser, "Why did the import of invoices fail last night?"),
		strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "read_log"}}},
		strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "read_log", Text: logOf(2000, "Import of invoices failed: the file has no header")})
	shown := h.win.items[2]
	for _, want := range []string{"00000 the worker", "the file has no header", "01999 the worker", "memory_expand"} {
		if !strings.Contains(shown.text, want) {
			t.Errorf("no %q in %d bytes", want, len(shown.text))
		}
	}
	if most := h.room() - minSummary; shown.cost > most || shown.cost < most*9/10 {
		t.Errorf("it costs %d of %d", shown.cost, most)
	}
	before := shown.text
	h.restart()
	if again := h.win.items[2].text; again != before {
		t.Errorf("after a restart it is shown otherwise")
	}
}

// A result after a long question has half of the room, however long the question is.
func TestAResultHasHalfOfTheRoom(t *testing.T) {
	h := open(t, func(o *Options) { o.Window = 4096 })
	h.add(say(strata.RoleUser, "Why did the import fail? "+strings.Repeat("Here is what I tried. ", 550)),
		strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "read_log"}}},
		strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "read_log", Text: logOf(2000, "the file has no header")})
	most := h.room() - minSummary
	if asked := h.win.items[0].cost; asked < most*2/3 {
		t.Fatalf("the question costs %d of %d", asked, most)
	}
	if got := h.win.items[2].cost; got > most/2 || got < most*2/5 {
		t.Errorf("the result costs %d of %d", got, most)
	}
}

func TestRelevantPassages(t *testing.T) {
	s := logOf(300, "The invoice of the plumber is 120 euros.")
	got := relevant(s, "How much did the plumber ask for?")
	if len(got) == 0 || !strings.Contains(s[got[0].Start:got[0].End], "plumber") {
		t.Errorf("found %v", got)
	}
	if got := relevant(s, "the and of"); len(got) > 0 {
		t.Errorf("stop words found %d passages", len(got))
	}
}
