package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// The tests of this file are named after faults of other context managers, as
// their users reported them.

var ctx = context.Background()

// A compaction that does not see the system prompt lets the request overflow.
func TestPR1058_SystemPromptAndToolsCount(t *testing.T) {
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
func TestPR1058_PrunesAtNinetyPercent(t *testing.T) {
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
func TestPR1087_RestoreHasASizeGuard(t *testing.T) {
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
func TestPR1160_CountsAreCalibrated(t *testing.T) {
	h := open(t, nil)
	h.chatter(11)
	req := h.prompt()
	if n := len(all[Compacted](h)); n > 0 {
		t.Fatal("compacted already")
	}
	h.Observe(ctx, llm.Usage{Prompt: 2 * h.meter.request(req)})
	if f := h.Usage().Factor; f < 1.9 {
		t.Fatalf("the factor is %.2f after a report of twice the count", f)
	}
	h.add(say(strata.RoleUser, "And now?"))
	h.prompt()
	if len(all[Compacted](h)) == 0 {
		t.Errorf("at a real %.0f %% nothing was compacted", h.Usage().Level*100)
	}
}

// A slice of the last four messages left results without their call.
func TestPR962_GroupsStayWhole(t *testing.T) {
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
func TestPR1104_WholeResultsReachTheSummarizer(t *testing.T) {
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
	for _, prompt := range []string{promptSummarize, promptExtract} {
		read := strings.Join(h.model.materials(prompt), "\n")
		for i := range 4000 {
			if !strings.Contains(read, fmt.Sprintf("row %d\n", i)) {
				t.Fatalf("row %d never reached the model under %.20q", i, prompt)
			}
		}
	}
}

// A session was stuck at context_length_exceeded when it was resumed.
func TestOhMyPi44_RefusedAfterResume(t *testing.T) {
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
func TestOhMyPi275_FailedCompactionChangesNothing(t *testing.T) {
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
func TestOhMyPi2119_NoLoop(t *testing.T) {
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
func TestOhMyPi3111_RecallStaysAtTheTail(t *testing.T) {
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
func TestGsd4665_PiecesAreMeasuredAsSent(t *testing.T) {
	turns := []strata.Turn{
		{Seq: 1, ID: "1", Role: strata.RoleAssistant, Calls: []strata.ToolCall{{Name: "write", Arguments: strings.Repeat("arg ", 900)}}},
		{Seq: 2, ID: "2", Role: strata.RoleTool, Tool: "write", Text: strings.Repeat("done ", 30)},
		{Seq: 3, ID: "3", Role: strata.RoleUser, Text: strings.Repeat("日本語のテキスト", 300)},
	}
	for _, b := range batches(turns, 200, bytesCounter{}.Count) {
		for _, p := range b.pieces {
			if n := (bytesCounter{}).Count(p); n > 200 || strings.TrimSpace(strings.TrimPrefix(p, heading(b.turns[0]))) == "" {
				t.Errorf("a piece of %d tokens: %.60q", n, p)
			}
		}
	}
}

// 426 of 1,551 records never reached the summarizer, and success was reported.
func TestHermes118362_EveryTurnReachesTheSummarizer(t *testing.T) {
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
func TestHermes104807_NoCompactionThatSavesLittle(t *testing.T) {
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
func TestOpencode21045_RolesSurviveASummary(t *testing.T) {
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
func TestOpenclaw9746_OrphansAreRepaired(t *testing.T) {
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

// Memories that were recalled were extracted as new: 97.8 % junk.
func Test2b1_RecalledMemoryIsNotLearnedAgain(t *testing.T) {
	h := open(t, func(o *Options) { o.MemoryTools = []string{"memory_recall"} })
	h.memory.hits = func(RecallRequest) ([]strata.Hit, error) {
		return []strata.Hit{{ID: "fact_1", Text: "My cat's name is Whiskerino."}}, nil
	}
	h.send("What is my cat called?")
	h.add(strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "memory_recall"}}},
		strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "memory_recall", Text: "My dog's name is Bruno."},
		say(strata.RoleUser, "Thanks. "+h.win.items[0].note.text))
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	for _, m := range h.model.materials(promptExtract) {
		if strings.Contains(m, "Whiskerino") || strings.Contains(m, "Bruno") {
			t.Errorf("the extractor was given recalled memory:\n%s", m)
		}
	}
	if len(h.memory.saved) > 0 {
		t.Errorf("saved %q", h.memory.texts())
	}
}

// A summary filled the window to 95 %.
func Test2b9_SummaryIsBounded(t *testing.T) {
	h := open(t, nil)
	h.model.summarize = func(_ context.Context, material string) (string, error) {
		return cutAfter(material[len("Summary so far:\n(none)\n\nMessages that follow:\n")+40:], 3000), nil
	}
	h.chatter(22)
	h.prompt()
	got := all[Compacted](h)
	if len(got) != 1 || got[0].Freed < mustFree {
		t.Fatalf("%+v", got)
	}
	if most := h.budget() / 8; h.win.items[0].cost > most {
		t.Errorf("the summary costs %d; %d is the most", h.win.items[0].cost, most)
	}
}

// 32 compactions, the threshold never reached, no fact written.
func Test2b10_CompactionReachesItsGoalAndWritesFacts(t *testing.T) {
	h := open(t, nil)
	h.add(say(strata.RoleUser, "My cat's name is Whiskerino."))
	for range 6 {
		h.chatter(8)
		h.prompt()
	}
	for _, e := range all[Compacted](h) {
		if float64(e.After) > DefaultThresholds().Flush*float64(h.budget()) {
			t.Errorf("%d of %d tokens are left after a compaction", e.After, h.budget())
		}
	}
	if !slices.ContainsFunc(h.memory.texts(), func(s string) bool { return strings.Contains(s, "Whiskerino") }) {
		t.Error("no fact was written")
	}
}

// An estimate 1.7 times too high led to needless passes.
func Test2b10_TooHighACountFalls(t *testing.T) {
	h := open(t, nil)
	h.chatter(4)
	for range 12 {
		req := h.prompt()
		h.Observe(ctx, llm.Usage{Prompt: h.meter.request(req) * 10 / 17})
	}
	if f := h.Usage().Factor; f > 0.7 || f < 0.55 {
		t.Errorf("the factor is %.2f; the truth 0.59", f)
	}
}

// The summarizer had the same window as what it was to summarize.
func Test2b10_SummarizerIsGivenWhatFits(t *testing.T) {
	h := open(t, func(o *Options) { o.SmallWindow = 1024 })
	h.chatter(40)
	h.prompt()
	for _, r := range h.model.requests {
		if r.Messages[0].Text != promptSummarize && r.Messages[0].Text != promptExtract {
			continue
		}
		if n := h.meter.request(r); n+r.MaxTokens > 1024 {
			t.Errorf("a request of %d tokens and an answer of %d in a window of 1024", n, r.MaxTokens)
		}
	}
}

// A single large message was never observed by any threshold.
func Test2b11_OneLargeMessageIsSeenAndExtracted(t *testing.T) {
	for _, role := range []strata.Role{strata.RoleUser, strata.RoleAssistant, strata.RoleTool} {
		t.Run(string(role), func(t *testing.T) {
			h := open(t, nil)
			h.add(say(strata.RoleUser, "Read this."))
			h.add(say(role, strings.Repeat("Nothing of note here. ", 2000)+"\nMy cat's name is Whiskerino.\n"+strings.Repeat("Nothing either. ", 2000)))
			h.prompt()
			if got := all[Stubbed](h); len(got) == 0 || got[0].Seq != 2 {
				t.Fatalf("shortened: %+v", got)
			}
			turns, err := h.Expand(ctx, 2, 2)
			if err != nil || len(turns) != 1 || !strings.Contains(turns[0].Text, "Whiskerino") {
				t.Errorf("reopening it gives %d turns, %v", len(turns), err)
			}
			if err := h.Flush(ctx); err != nil {
				t.Fatal(err)
			}
			if role == strata.RoleUser && len(h.memory.saved) == 0 {
				t.Error("its fact was not saved")
			}
		})
	}
}

// An observer that failed blocked the turn for four minutes and aborted it.
func Test2b11_FailingObserverDoesNotBlockTheTurn(t *testing.T) {
	h := open(t, nil)
	calls := 0
	h.model.extract = func(context.Context, string) (string, error) {
		calls++
		return "", errDown
	}
	h.model.summarize = h.model.extract
	h.chatter(60)
	if r := h.send("Go on."); r.Message.Text == "" {
		t.Error("no answer")
	}
	if calls > 2 {
		t.Errorf("a server that is down was asked %d times", calls)
	}
}

// Only the first 20,000 characters were flushed, and 200 of a tool's result.
func TestB7_FlushReadsEveryTurn(t *testing.T) {
	h := open(t, func(o *Options) { o.MaxCalls = 10_000 })
	for i := range 400 {
		h.add(say(strata.RoleUser, fmt.Sprintf("%s My cat's name is Tom%d.", strings.Repeat("Filler words here. ", 5), i)), say(strata.RoleAssistant, "Nice."))
	}
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	read := strings.Join(h.model.materials(promptExtract), "\n")
	for i := range 400 {
		if !strings.Contains(read, fmt.Sprintf("Tom%d.", i)) {
			t.Fatalf("turn %d never reached the extractor", 2*i+1)
		}
	}
}

// Bad JSON gave no facts and the compaction went on.
func TestB7_BadAnswersLeadToRules(t *testing.T) {
	for name, answer := range map[string]string{
		"junk": "zxcv", "half": `{"facts": [{"te`, "refusal": "I cannot help with that.", "echo": promptExtract,
		"nothing": "", "other object": `{"result": []}`, "invented": `{"facts":[{"text":"John Doe owns a yacht","type":"user","turns":[1]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, nil)
			h.model.extract = func(context.Context, string) (string, error) { return answer, nil }
			h.add(say(strata.RoleUser, "My cat's name is Whiskerino."))
			if err := h.Flush(ctx); err != nil {
				t.Fatal(err)
			}
			if got := h.memory.texts(); len(got) != 1 || !strings.Contains(got[0], "Whiskerino") {
				t.Errorf("saved %q", got)
			}
			if why := h.fallbacks("extraction"); len(why) != 1 || why[0] == "" {
				t.Errorf("reasons: %q", why)
			}
		})
	}
}

// The same text was flushed at 60 % and again at 70 %.
func TestB7_NothingIsFlushedTwice(t *testing.T) {
	h := open(t, nil)
	for i := range 20 {
		h.add(say(strata.RoleUser, fmt.Sprintf("unique%d %s", i, strings.Repeat("and words ", 30))), say(strata.RoleAssistant, "Yes."))
		h.prompt()
	}
	if len(all[FlushStarted](h)) < 2 || len(all[Compacted](h)) == 0 {
		t.Fatal("the test needs a flush and a compaction")
	}
	read := strings.Join(h.model.materials(promptExtract), "\n")
	for i := range 20 {
		if n := strings.Count(read, fmt.Sprintf("unique%d ", i)); n > 1 {
			t.Errorf("turn %d was read %d times", 2*i+1, n)
		}
	}
}

// A flush whose flag was never reset never ran again.
func TestB7_FailedFlushIsRepeated(t *testing.T) {
	h := open(t, nil)
	h.memory.effect = func(string) error { return errors.New("the memory is busy") }
	h.add(say(strata.RoleUser, "My cat's name is Whiskerino."))
	h.chatter(18)
	h.prompt()
	if len(h.memory.saved) != 0 || len(h.fallbacks("memory")) == 0 {
		t.Fatal("the memory took it")
	}
	h.memory.effect = nil
	h.chatter(8)
	h.prompt()
	if len(h.memory.saved) != 1 {
		t.Errorf("saved %q", h.memory.texts())
	}
}

// Usage counted messages only.
func TestB8_EverythingCounts(t *testing.T) {
	base := open(t, nil)
	base.add(say(strata.RoleUser, "Hello"))
	base.prompt()
	for name, change := range map[string]func(*Options){
		"system":   func(o *Options) { o.System = strings.Repeat("s ", 100) },
		"snapshot": func(o *Options) { o.Snapshot = strings.Repeat("s ", 100) },
		"tools": func(o *Options) {
			o.Tools = []llm.Tool{{Name: "t", Parameters: []byte(`{"a":"` + strings.Repeat("s", 200) + `"}`)}}
		},
	} {
		h := open(t, change)
		h.add(say(strata.RoleUser, "Hello"))
		h.prompt()
		if more := h.Usage().Total - base.Usage().Total; more < 50 {
			t.Errorf("%s adds %d tokens", name, more)
		}
	}
	h := open(t, func(o *Options) { o.Window = 8192 })
	h.memory.hits = func(RecallRequest) ([]strata.Hit, error) {
		return []strata.Hit{{ID: "f", Text: strings.Repeat("m ", 80)}}, nil
	}
	h.add(strata.Turn{Role: strata.RoleUser, Text: "Hello", Images: []strata.Image{{Data: []byte("?")}}})
	before := h.Usage().Total
	if more := before - base.Usage().Total; more < maxImage-10 {
		t.Errorf("an image adds %d tokens", more)
	}
	h.prompt()
	if more := h.Usage().Total - before; more < 40 {
		t.Errorf("recalled memory adds %d tokens", more)
	}
}
