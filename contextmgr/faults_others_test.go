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

// The comments of this file tell of faults of other memory systems.

// Memories that were recalled were extracted as new: 97.8 % junk.
func TestRecalledMemoryIsNotLearnedAgain(t *testing.T) {
	h := open(t, func(o *Options) { o.MemoryTools = []string{"memory_recall"} })
	h.memory.hits = func(RecallRequest) ([]strata.Hit, error) {
		return []strata.Hit{{ID: "fact_1", Text: "My cat's name is Whiskerino."}}, nil
	}
	h.send("What is my cat called?")
	h.add(strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "memory_recall"}}},
		strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "memory_recall", Text: "My dog's name is Bruno."},
		say(strata.RoleUser, "Thanks. "+h.win.items[0].note.text),
		say(strata.RoleUser, "<supermemory-context>My sister's name is Nora.</supermemory-context> Go on.")) // of another memory
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	for _, m := range h.model.materials(prompt.Instructions()) {
		if strings.Contains(m, "Whiskerino") || strings.Contains(m, "Bruno") || strings.Contains(m, "Nora") {
			t.Errorf("the extractor was given recalled memory:\n%s", m)
		}
	}
	if len(h.memory.saved) > 0 {
		t.Errorf("saved %q", h.memory.texts())
	}
}

// A summary filled the window to 95 %.
func TestSummaryIsBounded(t *testing.T) {
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
func TestCompactionReachesItsGoalAndWritesFacts(t *testing.T) {
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
func TestTooHighACountFallsToTheReportedOne(t *testing.T) {
	h := open(t, nil)
	h.chatter(4)
	truth := 0
	for range 12 {
		req := h.prompt()
		truth = h.meter.request(req) * 10 / 17
		h.Observe(ctx, llm.Usage{Prompt: truth})
	}
	if total := h.Usage().Total; total < truth || total > truth*11/10 {
		t.Errorf("the request counts %d tokens; the truth is %d", total, truth)
	}
}

// The summarizer had the same window as what it was to summarize.
func TestSummarizerIsGivenWhatFits(t *testing.T) {
	h := open(t, func(o *Options) { o.SmallWindow = 1024 })
	h.chatter(40)
	h.prompt()
	for _, r := range h.model.requests {
		if r.Messages[0].Text != promptSummarize && r.Messages[0].Text != prompt.Instructions() {
			continue
		}
		if n := h.meter.request(r); n+r.MaxTokens > 1024 {
			t.Errorf("a request of %d tokens and an answer of %d in a window of 1024", n, r.MaxTokens)
		}
	}
}

// A single large message was never observed by any threshold.
func TestOneLargeMessageIsSeenAndExtracted(t *testing.T) {
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
func TestFailingObserverDoesNotBlockTheTurn(t *testing.T) {
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
func TestFlushReadsEveryTurn(t *testing.T) {
	h := open(t, func(o *Options) { o.MaxCalls = 10_000 })
	for i := range 400 {
		h.add(say(strata.RoleUser, fmt.Sprintf("%s My cat's name is Tom%d.", strings.Repeat("Filler words here. ", 5), i)), say(strata.RoleAssistant, "Nice."))
	}
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	read := strings.Join(h.model.materials(prompt.Instructions()), "\n")
	for i := range 400 {
		if !strings.Contains(read, fmt.Sprintf("Tom%d.", i)) {
			t.Fatalf("turn %d never reached the extractor", 2*i+1)
		}
	}
}

// Bad JSON gave no facts and the compaction went on.
func TestBadAnswersLeadToExtractionByRules(t *testing.T) {
	for name, answer := range map[string]string{
		"junk": "zxcv", "half": `{"operations": [{"te`, "refusal": "I cannot help with that.", "echo": prompt.Instructions(),
		"nothing": "", "other object": `{"result": []}`, "invented": `{"operations":[{"op":"add","fact":0,"text":"John Doe owns a yacht","type":"user","turn":1,"quote":"owns a yacht"}]}`,
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
func TestNothingIsFlushedTwice(t *testing.T) {
	h := open(t, nil)
	for i := range 20 {
		h.add(say(strata.RoleUser, fmt.Sprintf("unique%d %s", i, strings.Repeat("and words ", 30))), say(strata.RoleAssistant, "Yes."))
		h.prompt()
	}
	if len(all[FlushStarted](h)) < 2 || len(all[Compacted](h)) == 0 {
		t.Fatal("the test needs a flush and a compaction")
	}
	read := strings.Join(h.model.materials(prompt.Instructions()), "\n")
	for i := range 20 {
		if n := strings.Count(read, fmt.Sprintf("unique%d ", i)); n > 1 {
			t.Errorf("turn %d was read %d times", 2*i+1, n)
		}
	}
}

// A flush whose flag was never reset never ran again.
func TestFailedFlushIsRepeated(t *testing.T) {
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
func TestEverythingSentCountsAsUsage(t *testing.T) {
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
