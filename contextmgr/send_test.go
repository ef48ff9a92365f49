package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

func TestSendStreamsAndRecordsTheAnswer(t *testing.T) {
	var streamed strings.Builder
	h := open(t, func(o *Options) {
		o.OnDelta = func(d llm.Delta) error {
			streamed.WriteString(d.Text)
			return nil
		}
	})
	if r := h.send("Hello"); r.Message.Text != "Understood." || streamed.String() != r.Message.Text {
		t.Errorf("answered %q, streamed %q", r.Message.Text, streamed.String())
	}
	if n := len(h.ledger.turns); n != 2 || h.ledger.turns[1].Role != strata.RoleAssistant {
		t.Errorf("the ledger has %d turns", n)
	}
}

func TestToolLoop(t *testing.T) {
	h := open(t, nil)
	h.model.chat = func(_ context.Context, req llm.Request) (llm.Reply, error) {
		last := req.Messages[len(req.Messages)-1]
		if last.Role == strata.RoleTool {
			return reply("The weather is " + last.Text), nil
		}
		r := reply("")
		r.Message.Calls = []strata.ToolCall{{ID: "1", Name: "weather", Arguments: `{"in":"Oslo"}`}, {ID: "2", Name: "weather", Arguments: `{"in":"Bergen"}`}}
		r.Stop = llm.StopTools
		return r, nil
	}
	r := h.send("How is the weather?")
	for _, c := range r.Message.Calls {
		h.add(strata.Turn{Role: strata.RoleTool, CallID: c.ID, Tool: c.Name, Text: "rain"})
	}
	r, err := h.Continue(ctx)
	if err != nil || r.Message.Text != "The weather is rain" {
		t.Fatalf("%q, %v", r.Message.Text, err)
	}
	req := h.prompt()
	if roles := rolesOf(req); !slices.Equal(roles, []strata.Role{"user", "assistant", "tool", "tool", "assistant", "user"}) {
		t.Errorf("roles %v", roles)
	}
}

func rolesOf(req llm.Request) []strata.Role {
	var out []strata.Role
	for _, m := range req.Messages {
		out = append(out, m.Role)
	}
	return out
}

func TestFailedModelLeavesTheQuestion(t *testing.T) {
	h := open(t, nil)
	h.model.chat = func(context.Context, llm.Request) (llm.Reply, error) { return llm.Reply{}, errDown }
	if _, err := h.Send(ctx, "Hello?"); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Fatalf("error %v", err)
	}
	h.model.chat = nil
	if r, err := h.Continue(ctx); err != nil || r.Message.Text == "" {
		t.Errorf("asking again: %v", err)
	}
	if len(h.ledger.turns) != 2 {
		t.Errorf("the ledger has %d turns", len(h.ledger.turns))
	}
}

func TestModelThatAnswersNothing(t *testing.T) {
	h := open(t, nil)
	h.model.chat = func(context.Context, llm.Request) (llm.Reply, error) { return reply("  "), nil }
	if _, err := h.Send(ctx, "Hello?"); strata.CodeOf(err) != strata.CodeCorrupt {
		t.Errorf("error %v", err)
	}
	if h.win.last() != 1 {
		t.Errorf("the window has %d turns", h.win.last())
	}
}

func TestRefusedTwiceIsAnError(t *testing.T) {
	h := open(t, nil)
	asked := 0
	h.model.chat = func(context.Context, llm.Request) (llm.Reply, error) {
		asked++
		return llm.Reply{}, &strata.Error{Code: strata.CodeTooLarge, Message: "context length exceeded"}
	}
	h.chatter(12)
	if _, err := h.Send(ctx, "Hello?"); strata.CodeOf(err) != strata.CodeTooLarge {
		t.Errorf("error %v", err)
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

func TestRefusedForCallersWithTheirOwnClient(t *testing.T) {
	h := open(t, func(o *Options) { o.Model = nil })
	h.chatter(14)
	before := h.meter.request(h.prompt())
	req, err := h.Refused(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if after := h.meter.request(req); after >= before {
		t.Errorf("%d tokens after %d", after, before)
	}
}

func TestHangingExtractionCostsOneTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, func(o *Options) { o.ModelTimeout = 30 * time.Second })
		hang := func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}
		h.model.extract, h.model.summarize = hang, hang
		h.add(say(strata.RoleUser, "My cat's name is Whiskerino."))
		h.chatter(60)
		start := time.Now()
		if r := h.send("Go on."); r.Message.Text == "" {
			t.Error("no answer")
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("the turn took %v", took)
		}
		if len(h.memory.saved) != 1 {
			t.Errorf("saved %q", h.memory.texts())
		}
	})
}

func TestCallerWhoGivesUpStopsAFlush(t *testing.T) {
	h := open(t, nil)
	stop, cancel := context.WithCancel(ctx)
	h.model.extract = func(context.Context, string) (string, error) {
		cancel()
		return "", context.Canceled
	}
	h.chatter(25)
	if _, err := h.Prompt(stop); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	h.model.extract = honestExtract
	h.prompt()
}

func TestAppendRefuses(t *testing.T) {
	h := open(t, nil)
	for name, turn := range map[string]strata.Turn{
		"an unknown role":           say("developer", "Hello"),
		"no role":                   say("", "Hello"),
		"an empty user's turn":      say(strata.RoleUser, " \n"),
		"an empty assistant's turn": say(strata.RoleAssistant, ""),
	} {
		if err := h.Append(ctx, say(strata.RoleUser, "fine"), turn); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := h.Append(ctx, say(strata.RoleTool, strings.Repeat("x", strata.MaxTurnBytes+1))); strata.CodeOf(err) != strata.CodeTooLarge {
		t.Errorf("a turn that is too long: %v", err)
	}
	if len(h.ledger.turns) != 0 {
		t.Errorf("%d turns were recorded", len(h.ledger.turns))
	}
	if err := h.Append(ctx); err != nil {
		t.Errorf("no turns: %v", err)
	}
}

func TestAppendTakesAnyBytesOfATool(t *testing.T) {
	h := open(t, nil)
	h.add(say(strata.RoleUser, "Read it."), say(strata.RoleTool, "a\x00b\xffc"))
	if got := h.ledger.turns[1].Text; got != "a\uFFFDb\uFFFDc" {
		t.Errorf("kept as %q", got)
	}
}

func TestEmptyConversationHasNoRequest(t *testing.T) {
	h := open(t, nil)
	if _, err := h.Prompt(ctx); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("Prompt: %v", err)
	}
	if _, err := h.Compact(ctx); err != nil {
		t.Errorf("Compact: %v", err)
	}
	if err := h.Flush(ctx); err != nil {
		t.Errorf("Flush: %v", err)
	}
	if _, err := h.Expand(ctx, 1, 1); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("Expand: %v", err)
	}
	if _, err := h.Expand(ctx, 2, 1); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("Expand backwards: %v", err)
	}
}

func TestWithoutAModelSendSaysSo(t *testing.T) {
	h := open(t, func(o *Options) { o.Model = nil })
	if _, err := h.Send(ctx, "Hello"); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Errorf("error %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"no room":            func(o *Options) { o.Window = 1024 },
		"negative reserve":   func(o *Options) { o.Reserve = -1 },
		"falling thresholds": func(o *Options) { o.Thresholds = Thresholds{Flush: .9, Compact: .7, Warn: .8, Prune: .9} },
		"above the budget":   func(o *Options) { o.Thresholds = Thresholds{Flush: .6, Compact: .7, Warn: .8, Prune: 1.2} },
		"negative calls":     func(o *Options) { o.MaxCalls = -1 },
	} {
		var o Options
		change(&o)
		if _, err := New(ctx, o); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(ctx, Options{System: strings.Repeat("word ", 9000)}); strata.CodeOf(err) != strata.CodeTooLarge {
		t.Errorf("a system prompt larger than the window: %v", err)
	}
	if _, err := New(ctx, Options{}); err != nil {
		t.Errorf("the zero Options: %v", err)
	}
}

func TestWarningAtEightyPercent(t *testing.T) {
	h := open(t, nil)
	h.add(say(strata.RoleUser, "Look."),
		strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "a", Name: "look"}, {ID: "b", Name: "look"}, {ID: "c", Name: "look"}}})
	for _, id := range []string{"a", "b", "c"} {
		h.add(strata.Turn{Role: strata.RoleTool, CallID: id, Tool: "look", Text: strings.Repeat("a long text ", 154)})
	}
	req := h.prompt()
	last := req.Messages[len(req.Messages)-1]
	if !strings.Contains(last.Text, "<"+tagNote+">") || strings.Contains(shown(llm.Request{Messages: req.Messages[:len(req.Messages)-1]}), tagNote) {
		t.Errorf("at %.0f %% the last message is %q", h.Usage().Level*100, last.Text)
	}
	if n := len(all[Warned](h)); n != 1 {
		t.Errorf("%d warnings", n)
	}
	h.prompt()
	if n := len(all[Warned](h)); n != 1 {
		t.Errorf("%d warnings for one crossing", n)
	}
}

func TestFlushAtSixtyPercentChangesNothing(t *testing.T) {
	h := open(t, nil)
	h.add(say(strata.RoleUser, "My cat's name is Whiskerino."))
	for len(all[FlushFinished](h)) == 0 {
		h.chatter(1)
		h.prompt()
	}
	if l := h.Usage().Level; l < .6 || l > .7 {
		t.Errorf("flushed at %.2f", l)
	}
	if len(h.memory.saved) != 1 || h.memory.saved[0].Origin != strata.OriginExtractor || h.memory.saved[0].Sources[0] != "turn_0001" {
		t.Errorf("saved %+v", h.memory.saved)
	}
	if n := len(h.win.items); int64(n) != h.win.last() {
		t.Errorf("%d items for %d turns", n, h.win.last())
	}
	h.chatter(1)
	h.prompt()
	if n := len(all[FlushStarted](h)); n != 1 {
		t.Errorf("%d flushes in one cycle", n)
	}
}

func TestSnapshotChangesAtTheNextTurn(t *testing.T) {
	h := open(t, func(o *Options) { o.System, o.Snapshot = "Be brief.", "old snapshot" })
	h.send("One")
	h.SetSnapshot("new snapshot")
	if text := h.prompt().Messages[0].Text; text != "Be brief.\n\nold snapshot" {
		t.Errorf("within the turn the system message is %q", text)
	}
	h.send("Two")
	if text := h.prompt().Messages[0].Text; text != "Be brief.\n\nnew snapshot" || h.Usage().Generation != 2 {
		t.Errorf("at the next turn it is %q, generation %d", text, h.Usage().Generation)
	}
}

func TestSnapshotIsCutToHalfOfTheBudget(t *testing.T) {
	h := open(t, func(o *Options) { o.Snapshot = strings.Repeat("a line of the snapshot\n", 2000) })
	h.add(say(strata.RoleUser, "Hello"))
	req := h.prompt()
	if u := h.Usage(); u.Fixed > u.Budget/2 || !strings.Contains(req.Messages[0].Text, "does not fit") {
		t.Errorf("the fixed parts take %d of %d", u.Fixed, u.Budget)
	}
	if len(all[SnapshotCut](h)) != 1 {
		t.Error("no event tells of it")
	}
}

func TestPrefixIsByteIdenticalBetweenCompactions(t *testing.T) {
	h := open(t, func(o *Options) { o.System, o.Snapshot, o.Window = "Be brief.", "- the user likes tea", 8192 })
	h.memory.hits = func(r RecallRequest) ([]strata.Hit, error) {
		return []strata.Hit{{ID: fmt.Sprint(r.Turn), Text: fmt.Sprintf("memory %d", r.Turn)}}, nil
	}
	var before []llm.Message
	compared, compactions := 0, 0
	for i := range 300 {
		h.send(fmt.Sprintf("Message %d. %s", i, strings.Repeat("More words. ", 20)))
		req := h.model.requests[len(h.model.requests)-1]
		if n := len(all[Compacted](h)); n > compactions {
			compactions, before = n, nil
		}
		if before != nil {
			compared++
			if err := checkPrefix(before, req.Messages); err != nil {
				t.Fatalf("message %d: %v", i, err)
			}
		}
		before = req.Messages
	}
	if compactions < 3 || compared < 200 {
		t.Errorf("%d compactions, %d comparisons", compactions, compared)
	}
}

func TestForcedCompactionIgnoresThresholds(t *testing.T) {
	h := open(t, nil)
	h.chatter(8)
	done, err := h.Compact(ctx)
	if err != nil || done.From != 1 || done.To != 12 || !done.ByModel || done.After >= done.Before {
		t.Fatalf("%+v, %v", done, err)
	}
	text := shown(h.prompt())
	for _, want := range []string{"Summary of the turns 1 to 12", `memory_expand {"from": 1, "to": 12}`, "Message 6 ", "Answer 7"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	turns, err := h.Expand(ctx, 1, 12)
	if err != nil || len(turns) != 12 || !strings.Contains(turns[0].Text, "Message 0") {
		t.Errorf("reopened %d turns, %v", len(turns), err)
	}
}

func TestWhatTheAgentSavedIsNotSavedAgain(t *testing.T) {
	h := open(t, func(o *Options) { o.SaveTools = []string{"memory_save"} })
	h.add(say(strata.RoleUser, "My cat's name is Whiskerino."), say(strata.RoleUser, "My dog's name is Bruno."),
		strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{
			{ID: "1", Name: "memory_save", Arguments: `{"content":"The user's cat is named Whiskerino"}`},
			{ID: "2", Name: "memory_save", Arguments: `{"content":"The user's dog is named Bruno"}`}}},
		strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "memory_save", Text: "saved"},
		strata.Turn{Role: strata.RoleTool, CallID: "2", Tool: "memory_save", Text: "no room", Failed: true})
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if got := h.memory.texts(); len(got) != 1 || !strings.Contains(got[0], "Bruno") {
		t.Errorf("saved %q; want only what the agent failed to save", got)
	}
}

func TestOneBadFactBlocksNoOther(t *testing.T) {
	h := open(t, nil)
	h.memory.effect = func(string) error { return nil }
	refused := false
	h.memory.after = func(string) error {
		if !refused {
			refused = true
			h.memory.saved, h.memory.byID = nil, nil
			return &strata.Error{Code: strata.CodeRejectedSecret, Message: "one holds a secret"}
		}
		return nil
	}
	h.add(say(strata.RoleUser, "My cat's name is Whiskerino."), say(strata.RoleUser, "My dog's name is Bruno."))
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if len(h.memory.saved) != 2 || h.cursor != 2 {
		t.Errorf("saved %q, cursor %d", h.memory.texts(), h.cursor)
	}
}

// A correction is understood from a turn that an earlier flush covered.
func TestCorrectionsAcrossFlushes(t *testing.T) {
	h := open(t, func(o *Options) { o.Model = nil })
	h.add(say(strata.RoleUser, "My cat's name is Whiskerino."))
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	h.add(say(strata.RoleUser, "No, it's Whiskers."))
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if got := h.memory.texts(); len(got) != 2 || !strings.Contains(got[1], "Whiskers.") && !strings.HasSuffix(got[1], "Whiskers") {
		t.Errorf("saved %q", got)
	}
}
