package chat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/tools/scriptedmodel/mind"
	"github.com/strata-memory/strata/llm"
)

func send(t *testing.T, a *chat.Agent, text string) chat.Answer {
	t.Helper()
	answer, err := a.Send(t.Context(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return answer
}

// asked sends the question and wants the answer to come from the prompt alone.
func asked(t *testing.T, a *chat.Agent) {
	t.Helper()
	if got := send(t, a, "What is my cat's name?"); got.Text != "Your cat's name is Whiskerino." || got.Calls != 0 {
		t.Errorf("answer %+v", got)
	}
}

// hasEvent reports whether an event of a type happened.
func hasEvent[E any](w *world) bool {
	for _, e := range w.events {
		if _, ok := e.(E); ok {
			return true
		}
	}
	return false
}

func TestTheCatIsRememberedAfterAReset(t *testing.T) {
	protocols(t, func(t *testing.T, p scripted.Protocol) {
		w := newWorld(t, p, mind.Mind{}.Answer)
		a := w.agent(nil)
		first := a.Session()
		send(t, a, "My cat's name is Whiskerino")
		if err := a.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a.Session() == first || len(turns(t, a)) != 0 {
			t.Fatalf("the session is still %s", a.Session())
		}
		s, err := w.mem.Session(t.Context(), strata.Global(), first)
		if err != nil || s.ClosedAt == nil {
			t.Errorf("the first session: %+v, %v; want it closed", s, err)
		}
		asked(t, a)
	})
}

func TestTheCatIsRememberedByAnotherProcess(t *testing.T) {
	w := newWorld(t, scripted.Ollama, mind.Mind{}.Answer)
	a := w.agent(nil)
	send(t, a, "My cat's name is Whiskerino")
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	asked(t, w.agent(nil))
	// The first session is open, and goes on where it stood.
	again := w.agent(func(o *chat.Options) { o.Talk.Session = a.Session() })
	if got := shape(turns(t, again)); got != "user assistant" {
		t.Errorf("turns: %s", got)
	}
}

func TestSettleSavesWhatAKilledChatDidNot(t *testing.T) {
	w := newWorld(t, scripted.OpenAI, mind.Mind{}.Answer)
	killed := w.agent(nil)
	send(t, killed, "My cat's name is Whiskerino")
	o := chat.Options{Memory: w.mem, Model: w.model, Talk: sessions.Options{Session: killed.Session()}}
	for range 2 { // the second time there is nothing to do
		if err := chat.FlushSession(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	facts, err := w.mem.Facts(t.Context(), strata.Global().View(), strata.FactFilter{})
	if err != nil || len(facts) != 1 || !strings.Contains(facts[0].Text, "Whiskerino") {
		t.Fatalf("facts %+v, %v", facts, err)
	}
	asked(t, w.agent(nil))
}

// A chat of forty turns in a small window flushes and compacts by itself, and
// still knows the cat: in the same session, and after a reset.
func TestTheCatIsRememberedAfterACompaction(t *testing.T) {
	protocols(t, func(t *testing.T, p scripted.Protocol) {
		w := newWorld(t, p, mind.Mind{}.Answer)
		a := w.agent(func(o *chat.Options) { o.Window = 3000 })
		send(t, a, "My cat's name is Whiskerino")
		for i := range 19 {
			send(t, a, fmt.Sprintf("Tell me something about the number %d, and why it matters to anybody who counts things.", i+100))
		}
		if !hasEvent[contextmgr.FlushFinished](w) || !hasEvent[contextmgr.Compacted](w) {
			t.Fatalf("no flush or no compaction in %d events", len(w.events))
		}
		u := a.Usage()
		if u.Covered == 0 || u.Total > u.Budget {
			t.Errorf("usage %+v", u)
		}
		asked(t, a)
		if err := a.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		asked(t, a)
	})
}

func TestTheModelReopensWhatASummaryReplaced(t *testing.T) {
	w := newWorld(t, scripted.Ollama, mind.Mind{}.Answer)
	a := w.agent(func(o *chat.Options) { o.Window = 4096 })
	send(t, a, "The password hint is the colour of the second door on the left")
	for i := range 14 {
		send(t, a, fmt.Sprintf("Tell me something about the number %d, and why it matters to anybody who counts things.", i+100))
	}
	if _, err := a.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a.Usage().Covered == 0 {
		t.Fatal("nothing was compacted")
	}
	if got := send(t, a, "What did I say in turn 1?"); got.Calls != 1 || !strings.Contains(got.Text, "second door on the left") {
		t.Errorf("answer %+v", got)
	}
}

func TestReloadShowsWhatWasSavedSince(t *testing.T) {
	w := newWorld(t, scripted.Ollama, mind.Mind{}.Answer)
	a := w.agent(func(o *chat.Options) { o.NoRecall = true })
	send(t, a, "Good morning")
	if _, err := w.mem.Save(t.Context(), strata.Global(), "The user's dog is named Bruno."); err != nil {
		t.Fatal(err)
	}
	system := func() string {
		requests := w.server.Requests()
		return requests[len(requests)-1].Chat.Messages[0].Text
	}
	send(t, a, "How are you?")
	if strings.Contains(system(), "Bruno") {
		t.Error("the snapshot is not frozen")
	}
	if err := a.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	send(t, a, "And now?")
	if !strings.Contains(system(), "Bruno") || a.Usage().Generation != 2 {
		t.Errorf("generation %d:\n%s", a.Usage().Generation, system())
	}
}

func TestTheReportAddsUpAndTheSnapshotKeepsToItsShare(t *testing.T) {
	for _, window := range []int{3000, 4096, 8192, 32_768} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			w := newWorld(t, scripted.Ollama, mind.Mind{}.Answer)
			for i := range 60 {
				text := fmt.Sprintf("The user keeps object number %d in the %d. drawer of the long cupboard by the window of the hall.", i, i*7)
				if _, err := w.mem.Save(t.Context(), strata.Global(), text); err != nil {
					t.Fatal(err)
				}
			}
			a := w.agent(func(o *chat.Options) { o.Window = window })
			send(t, a, "Where is object number 7?")
			r := a.Report()
			if sum := r.System + r.Tools + r.Snapshot + r.Summary + r.Recalled + r.Turns + r.Free; sum != r.Budget {
				t.Errorf("the parts are %d of %d: %+v", sum, r.Budget, r)
			}
			if r.Snapshot == 0 || r.Recalled == 0 || r.Turns == 0 || r.System == 0 || r.Tools == 0 {
				t.Errorf("a part is empty: %+v", r)
			}
			if r.Snapshot > window/4+window/50 { // the snapshot is counted in other tokens
				t.Errorf("the snapshot takes %d of %d tokens", r.Snapshot, window)
			}
			if left := hasEvent[chat.ToolsLeftOut](w); left && window > 4096 || !left && window < 4096 {
				t.Errorf("tools left out: %v", left)
			}
		})
	}
}

func TestOneScopeTakesEverythingWhereOneIsNamed(t *testing.T) {
	w := newWorld(t, scripted.Ollama, mind.Mind{}.Answer)
	scope := strata.ForAgent("tester")
	a := w.agent(func(o *chat.Options) { o.Scope, o.Talk.Scope, o.Talk.View = scope, scope, scope.View() })
	send(t, a, "My cat's name is Whiskerino")
	send(t, a, "remember that the shed is green")
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	own, err := w.mem.Facts(t.Context(), scope.View(), strata.FactFilter{})
	if err != nil || len(own) != 2 {
		t.Errorf("the scope has %d facts, %v; want 2", len(own), err)
	}
	global, err := w.mem.Facts(t.Context(), strata.Global().View(), strata.FactFilter{})
	if err != nil || len(global) != 0 {
		t.Errorf("the global scope has %d facts, %v; want none", len(global), err)
	}
}

// Users of other memories complain that what memory returned is learned again as
// something new.
func TestWhatAToolRecalledIsNotLearnedAgain(t *testing.T) {
	w := newWorld(t, scripted.Ollama, inTurn(
		scripted.Call(call("memory_recall", `{"query": "cat"}`)), scripted.Say("Yes, I know."),
	))
	if _, err := w.mem.Save(t.Context(), strata.Global(), "My cat's name is Whiskerino, and my sister's name is Ada."); err != nil {
		t.Fatal(err)
	}
	a := w.agent(func(o *chat.Options) { o.Small = broken{} })
	send(t, a, "Do you know my cat?")
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, e := range w.events {
		if f, ok := e.(contextmgr.FlushFinished); ok && len(f.Decisions) > 0 {
			t.Errorf("learned %+v", f.Decisions)
		}
	}
	if list := turns(t, a); !strings.Contains(list[2].Text, "Ada") {
		t.Errorf("nothing was recalled: %q", list[2].Text)
	}
}

// broken is a model that answers nothing, so that rules extract.
type broken struct{}

func (broken) Model() string { return "broken" }

func (broken) Chat(context.Context, llm.Request, func(llm.Delta) error) (llm.Reply, error) {
	return llm.Reply{}, nil
}

func TestSwitchGoesOnWithAnotherSession(t *testing.T) {
	w := newWorld(t, scripted.Ollama, mind.Mind{}.Answer)
	a := w.agent(nil)
	first := a.Session()
	send(t, a, "My cat's name is Whiskerino")
	if err := a.Switch(t.Context(), "tuesday"); err != nil {
		t.Fatal(err)
	}
	send(t, a, "Good morning")
	if err := a.Switch(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if got := shape(turns(t, a)); got != "user assistant" || a.Session() != first {
		t.Errorf("session %s: %s", a.Session(), got)
	}
	if err := a.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Switch(t.Context(), first); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("switching to a closed session: %v, want conflict", err)
	}
}
