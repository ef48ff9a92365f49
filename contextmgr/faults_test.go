package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/llm"
)

// The comments of the tests of this file tell of faults of other context managers,
// as their users reported them; the names say what holds here.

var ctx = context.Background()

// A compaction that does not see the system prompt lets the request overflow.
func TestSystemPromptAndToolsCount(t *testing.T) {
	bare := open(t, nil)
	full := open(t, func(o *Options) {
		o.System = strings.Repeat("You are careful. ", 80)
		o.Tools = []llm.Tool{{Name: "look", Description: strings.Repeat("looks things up ", 40), Parameters: []byte(`{"type":"object"}`)}}
	})
	for _, h := range []*harness{bare, full} {
		h.chatter(13)
		h.prompt()
	}
	if n := len(all[Compacted](bare)); n != 0 {
		t.Fatalf("the bare conversation compacted %d times; the test needs a longer system prompt", n)
	}
	if len(all[Compacted](full)) == 0 {
		t.Errorf("at %.0f %% with system prompt and tools nothing was compacted", full.Usage().Level*100)
	}
}

// The documented pruning at 90 % did not exist.
func TestPrunesAtNinetyPercent(t *testing.T) {
	h := open(t, nil)
	h.chatter(25)
	h.ledger.reads = func() error { return errors.New("the disk does not answer") } // so that no summary can be made
	h.add(say(strata.RoleUser, strings.Repeat("x", 400)))
	req := h.prompt()
	if got := all[Pruned](h); len(got) != 1 || got[0].From != 2 {
		t.Fatalf("pruned %+v; want once, after the first group", got)
	}
	if text := shown(req); !strings.Contains(text, "Message 0") || !strings.Contains(text, "xxxx") {
		t.Errorf("the first and the last group are not shown:\n%s", text)
	}
	h.ledger.reads = nil
	h.chatter(12)
	h.prompt()
	if m := strings.Join(h.model.materials(promptSummarize), "\n"); !strings.Contains(m, "Message 5 ") {
		t.Error("what was pruned never reached the summarizer")
	}
}

// A session of 1.57 million tokens was reloaded whole after a restart.
func TestRestoreHasASizeGuard(t *testing.T) {
	h := open(t, nil)
	for i := range 300 {
		h.ledger.turns = append(h.ledger.turns, strata.Turn{
			ID: fmt.Sprint(i + 1), Seq: int64(i + 1), Role: []strata.Role{strata.RoleUser, strata.RoleAssistant}[i%2], Text: strings.Repeat("wedge ", 300),
		})
	}
	h.restart()
	if h.level() > restoreMost {
		t.Errorf("%.1f budgets are in the window after a restart", h.level())
	}
	if req := h.prompt(); !strings.Contains(shown(req), `{"from": 1, `) {
		t.Error("the request does not say how to see the beginning")
	}
}

// Characters by 3.5 read 504,884 tokens for 1,001,150, so nothing was dropped.
func TestCountsAreCalibratedByReportedUsage(t *testing.T) {
	h := open(t, nil)
	h.chatter(11)
	req := h.prompt()
	if n := len(all[Compacted](h)); n > 0 {
		t.Fatal("compacted already")
	}
	for range 2 { // a surprise is believed when it is confirmed
		h.Observe(ctx, llm.Usage{Prompt: 2 * h.meter.request(req)})
	}
	if f := h.Usage().Factor; f < 1.9 {
		t.Fatalf("the factor is %.2f after two reports of twice the count", f)
	}
	h.add(say(strata.RoleUser, "And now?"))
	h.prompt()
	if len(all[Compacted](h)) == 0 {
		t.Errorf("at a real %.0f %% nothing was compacted", h.Usage().Level*100)
	}
}

// A slice of the last four messages left results without their call.
func TestCallsStayWithTheirResults(t *testing.T) {
	h := open(t, nil)
	h.chatter(8)
	h.add(say(strata.RoleUser, "Look at three things."), strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{
		{ID: "a", Name: "look"}, {ID: "b", Name: "look"}, {ID: "c", Name: "look"},
		{ID: "d", Name: "look"}, {ID: "e", Name: "look"}, {ID: "f", Name: "look"}}})
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		h.add(strata.Turn{Role: strata.RoleTool, CallID: id, Tool: "look", Text: "result " + id + strings.Repeat(" thing", 20)})
	}
	if _, err := h.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	text := shown(h.prompt())
	for _, id := range []string{"(a look", "result a", "result f"} {
		if !strings.Contains(text, id) {
			t.Errorf("%q is gone from the last group:\n%s", id, text)
		}
	}
}

// Only the first 20,000 characters, and 200 of a tool's result, were read.
func TestWholeResultsReachTheSummarizer(t *testing.T) {
	h := open(t, func(o *Options) { o.MaxCalls = 1000 })
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "row %d\n", i)
	}
	h.add(say(strata.RoleUser, "Read the table."), strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "read"}}},
		strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "read", Text: b.String()}, say(strata.RoleAssistant, "I have read it."))
	h.chatter(6)
	if _, err := h.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	for _, prompt := range []string{promptSummarize, prompt.Instructions()} {
		read := strings.Join(h.model.materials(prompt), "\n")
		for i := range 4000 {
			if !strings.Contains(read, fmt.Sprintf("row %d\n", i)) {
				t.Fatalf("row %d never reached the model under %.20q", i, prompt)
			}
		}
	}
}

// A session was stuck at context_length_exceeded when it was resumed.
func TestRequestRefusedAfterAResumeIsSentAgain(t *testing.T) {
	h := open(t, nil)
	h.chatter(9)
	h.restart()
	real := 400 // what the server takes, whatever it was said to take
	h.model.chat = func(_ context.Context, req llm.Request) (llm.Reply, error) {
		if h.meter.request(req) > real {
			return llm.Reply{}, &strata.Error{Code: strata.CodeTooLarge, Message: "context length exceeded"}
		}
		return reply("Good."), nil
	}
	if r := h.send("Still there?"); r.Message.Text != "Good." {
		t.Errorf("the answer is %q", r.Message.Text)
	}
	if n := len(all[Retried](h)); n != 1 {
		t.Errorf("retried %d times", n)
	}
	h.restart()
	if h.Usage().Factor < 1.2 {
		t.Error("what was learned is gone after a restart")
	}
}

// A failed compaction was reported, and a stale summary applied all the same.
func TestFailedCompactionChangesNothing(t *testing.T) {
	h := open(t, nil)
	h.chatter(5)
	before := render(h.win.items)
	h.ledger.reads = func() error { return errors.New("the disk does not answer") }
	if done, err := h.Compact(ctx); err != nil || done != (Compacted{}) {
		t.Fatalf("%+v, %v", done, err)
	}
	if !slices.EqualFunc(before, render(h.win.items), sameMessage) || h.summary != "" {
		t.Error("the conversation changed")
	}
	if len(h.fallbacks("summary")) != 1 {
		t.Errorf("the failure is not told: %v", h.events)
	}
}

// A compaction that frees nothing was tried again and again.
func TestCompactionThatFreesNothingIsNotRepeated(t *testing.T) {
	h := open(t, nil)
	h.add(say(strata.RoleUser, strings.Repeat("one long question ", 190)))
	for range 5 {
		h.prompt()
	}
	if n := len(all[CompactionStarted](h)); n != 0 {
		t.Errorf("%d compactions of a single message", n)
	}
	h.chatter(8)
	for range 5 {
		h.prompt()
	}
	if n := len(all[CompactionStarted](h)); n != 1 {
		t.Errorf("%d compactions for one turn", n)
	}
	if _, err := h.Compact(ctx); err != nil || len(all[CompactionStarted](h)) != 1 {
		t.Errorf("a forced one without a new turn began; %v", err)
	}
}

// Recalled memory in the system prompt broke the model's cache on every turn.
func TestRecallStaysAtTheTail(t *testing.T) {
	h := open(t, func(o *Options) { o.System = "Be brief." })
	n := 0
	h.memory.hits = func(RecallRequest) ([]strata.Hit, error) {
		n++
		return []strata.Hit{{ID: fmt.Sprintf("fact_%d", n), Text: fmt.Sprintf("memory number %d", n)}}, nil
	}
	h.send("One")
	before := h.model.requests[0].Messages
	h.send("Two")
	after := h.model.requests[1].Messages
	if err := checkPrefix(before, after); err != nil {
		t.Error(err)
	}
	if last := after[len(after)-1].Text; !strings.HasPrefix(last, "Two") || !strings.Contains(last, "memory number 2") {
		t.Errorf("the last message is %q", last)
	}
	if strings.Contains(after[0].Text, "memory number") {
		t.Error("the system message holds recalled memory")
	}
}

// The size of a chunk was estimated on other text than was sent.
func TestPiecesAreMeasuredAsSent(t *testing.T) {
	turns := []strata.Turn{
		{Seq: 1, ID: "1", Role: strata.RoleAssistant, Calls: []strata.ToolCall{{Name: "write", Arguments: strings.Repeat("arg ", 900)}}},
		{Seq: 2, ID: "2", Role: strata.RoleTool, Tool: "write", Text: strings.Repeat("done ", 30)},
		{Seq: 3, ID: "3", Role: strata.RoleUser, Text: strings.Repeat("日本語のテキスト", 300)},
	}
	for _, b := range batches(turns, 200, bytesCounter{}.Count) {
		for _, p := range b.chunks {
			if n := (bytesCounter{}).Count(p); n > 200 || strings.TrimSpace(strings.TrimPrefix(p, heading(b.turns[0]))) == "" {
				t.Errorf("a piece of %d tokens: %.60q", n, p)
			}
		}
	}
}

// 426 of 1,551 records never reached the summarizer, and success was reported.
func TestEveryTurnReachesTheSummarizer(t *testing.T) {
	h := open(t, func(o *Options) { o.MaxCalls = 10_000 })
	for i := range 1551 {
		h.add(say([]strata.Role{strata.RoleUser, strata.RoleAssistant}[i%2], fmt.Sprintf("record <%d> of the log", i)))
	}
	h.prompt()
	told := strings.Join(h.model.materials(promptSummarize), "\n")
	kept := shown(h.prompt())
	for i := range 1551 {
		record := fmt.Sprintf("record <%d>", i)
		if !strings.Contains(told, record) && !strings.Contains(kept, record) {
			t.Fatalf("%s neither reached the summarizer nor is shown", record)
		}
	}
}

// Summaries that save little cost a call and a cache for nothing.
func TestNoCompactionThatSavesLittle(t *testing.T) {
	h := open(t, nil)
	h.add(say(strata.RoleUser, "Short."), say(strata.RoleAssistant, "Yes."), say(strata.RoleUser, "Look."),
		strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "a", Name: "look"}, {ID: "b", Name: "look"}, {ID: "c", Name: "look"}}})
	for _, id := range []string{"a", "b", "c"} {
		h.add(strata.Turn{Role: strata.RoleTool, CallID: id, Tool: "look", Text: strings.Repeat("a long text ", 146)})
	}
	if h.prompt(); h.level() < DefaultThresholds().Compact {
		t.Fatalf("level %.2f", h.level())
	}
	if n := len(all[CompactionStarted](h)); n != 0 {
		t.Errorf("%d compactions", n)
	}
	for _, e := range all[Compacted](h) {
		if e.Freed < mustFree {
			t.Errorf("freed %.2f", e.Freed)
		}
	}
}

// Who said what was lost in a compaction.
func TestRolesSurviveASummary(t *testing.T) {
	h := open(t, nil)
	h.opt.Model, h.opt.Small = nil, nil
	h.restart()
	h.add(say(strata.RoleUser, "We decided to use PostgreSQL 16 for billing."), say(strata.RoleAssistant, "I suggest MySQL 8 on host db17 with 32 cores and 64 GB for billing."))
	h.chatter(12)
	if _, err := h.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	text := shown(h.prompt())
	for _, want := range []string{"[1] user: We decided to use PostgreSQL 16", "[2] assistant: I suggest MySQL 8"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

// Results whose call is gone made the server refuse every request.
func TestOrphanedCallsAndResultsAreRepaired(t *testing.T) {
	h := open(t, nil)
	h.add(strata.Turn{Role: strata.RoleTool, CallID: "gone", Tool: "look", Text: "an orphan"})
	h.add(strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "look"}, {ID: "1", Name: "look"}, {Name: "find"}}})
	h.add(strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "look", Text: "first"})
	h.add(say(strata.RoleUser, "Never mind."))
	h.add(strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "look", Text: "too late"})
	text := shown(h.prompt())
	for _, want := range []string{"an orphan", "first", missingText, "too late"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}
