package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/ollama"
	"github.com/strata-memory/strata/llm/openai"
	"github.com/strata-memory/strata/local"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(os.Exit))
}

// world is a memory and a scripted model.
type world struct {
	t      *testing.T
	mem    *engine.Engine
	server *scripted.Server
	model  llm.Chat
	events []any
	deltas string
}

// protocols runs a test over both protocols.
func protocols(t *testing.T, test func(t *testing.T, p scripted.Protocol)) {
	for _, p := range []scripted.Protocol{scripted.Ollama, scripted.OpenAI} {
		t.Run(string(p), func(t *testing.T) { t.Parallel(); test(t, p) })
	}
}

func newWorld(t *testing.T, p scripted.Protocol, script scripted.Script) *world {
	t.Helper()
	w := &world{t: t}
	w.open(t.TempDir())
	var err error
	if w.server, err = scripted.Start("", script); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.server.Close() })
	w.model = model(t, p, w.server.URL(p))
	return w
}

func (w *world) open(home string) {
	w.t.Helper()
	opened, err := local.Open(w.t.Context(), home)
	if err != nil {
		w.t.Fatal(err)
	}
	mem := opened.Engine()
	w.mem = mem
	w.t.Cleanup(func() {
		if err := mem.Close(); err != nil {
			w.t.Error(err)
		}
	})
}

func model(t *testing.T, p scripted.Protocol, url string) llm.Chat {
	t.Helper()
	guard := llm.GuardOptions{Attempts: 1, Failures: 100}
	if p == scripted.Ollama {
		c, err := ollama.New(ollama.Options{BaseURL: url, Guard: guard})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c.Chat("scripted")
	}
	c, err := openai.New(openai.Options{BaseURL: url, Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.Chat("scripted")
}

func (w *world) agent(change func(*chat.Options)) *chat.Agent {
	w.t.Helper()
	o := chat.Options{
		Memory: w.mem, Model: w.model,
		OnEvent: func(e any) { w.events = append(w.events, e) },
		OnDelta: func(d llm.Delta) error { w.deltas += d.Text; return nil },
	}
	if change != nil {
		change(&o)
	}
	a, err := chat.New(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// turns are those of the agent's session.
func turns(t *testing.T, a *chat.Agent) []strata.Turn {
	t.Helper()
	list, err := a.Conversation().Turns(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// shape writes turns as "user assistant+2 tool tool! assistant".
func shape(list []strata.Turn) string {
	var out []string
	for _, t := range list {
		s := string(t.Role)
		if len(t.Calls) > 0 {
			s += fmt.Sprintf("+%d", len(t.Calls))
		}
		if t.Failed {
			s += "!"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// inTurn answers each request with the next reply; the last stays.
func inTurn(replies ...scripted.Reply) scripted.Script {
	n := 0
	return func(r scripted.Request) scripted.Reply {
		if r.Kind != scripted.KindChat || len(r.Chat.Schema) > 0 {
			return scripted.Say(`{"operations": []}`)
		}
		reply := replies[min(n, len(replies)-1)]
		n++
		return reply
	}
}

func call(name, arguments string) strata.ToolCall {
	return strata.ToolCall{ID: "call-" + name, Name: name, Arguments: arguments}
}

// clock is a tool of the caller's own.
func clock(run func(ctx context.Context, arguments json.RawMessage) (string, error)) chat.Tool {
	return chat.Tool{
		Tool: llm.Tool{Name: "clock", Description: "Tells the time.", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
		Run:  run,
	}
}

func TestSeveralCallsInOneMessageAreRunAndAnswered(t *testing.T) {
	protocols(t, func(t *testing.T, p scripted.Protocol) {
		w := newWorld(t, p, inTurn(
			scripted.Call(call("memory_save", `{"content": "The user's cat is named Whiskerino."}`), call("clock", "")),
			scripted.Call(call("memory_recall", `{"query": "the name of the cat"}`)),
			scripted.Say("It is noon, and your cat is Whiskerino."),
		))
		a := w.agent(func(o *chat.Options) {
			o.Tools = []chat.Tool{clock(func(_ context.Context, arguments json.RawMessage) (string, error) {
				return "noon " + string(arguments), nil
			})}
		})
		answer, err := a.Send(t.Context(), "What time is it? My cat is called Whiskerino.")
		if err != nil {
			t.Fatal(err)
		}
		if answer.Calls != 3 || answer.Text != "It is noon, and your cat is Whiskerino." || w.deltas != answer.Text {
			t.Errorf("answer %+v, streamed %q", answer, w.deltas)
		}
		list := turns(t, a)
		if got, want := shape(list), "user assistant+2 tool tool assistant+1 tool assistant"; got != want {
			t.Fatalf("turns: %s, want %s", got, want)
		}
		if list[3].Text != "noon {}" || list[3].Tool != "clock" {
			t.Errorf("own tool answered %+v", list[3])
		}
		if !strings.Contains(list[5].Text, "Whiskerino") {
			t.Errorf("recall answered %q", list[5].Text)
		}
		// Every result reached the model behind its call.
		last := w.server.Requests()[len(w.server.Requests())-1].Chat
		results := 0
		for _, m := range last.Messages {
			if m.Role == strata.RoleTool {
				results++
			}
		}
		if results != 3 {
			t.Errorf("the last request has %d results, want 3", results)
		}
		facts, err := w.mem.Facts(t.Context(), strata.Global().View(), strata.FactFilter{})
		if err != nil || len(facts) != 1 || facts[0].Origin != strata.OriginTool {
			t.Errorf("facts %+v, %v", facts, err)
		}
	})
}

func TestACallThatCannotRunTellsTheModelWhy(t *testing.T) {
	tests := []struct {
		name string
		call strata.ToolCall
		want string
	}{
		{"no such tool", call("memory_remove", `{}`), "not_found: there is no tool of that name (the tools are: memory_save"},
		{"no JSON", call("memory_save", `{"content": `), "invalid: "},
		{"an unknown field", call("memory_save", `{"text": "x"}`), "the fields are: content"},
		{"a wrong type", call("memory_recall", `{"query": 7}`), "field query must be a string"},
		{"a list", call("clock", `[1]`), "the arguments are no JSON object"},
		{"a secret", call("memory_save", `{"content": "my key is AKIAZ3MSJV4WWNKWJ5QX"}`), "rejected_secret"},
		{"an error", call("clock", `{"fail": true}`), "the clock stands still"},
		{"a crash", call("clock", `{"crash": true}`), "internal: the tool crashed: spring"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, scripted.OpenAI, inTurn(scripted.Call(tt.call), scripted.Say("I see.")))
			a := w.agent(func(o *chat.Options) {
				o.Tools = []chat.Tool{clock(func(_ context.Context, arguments json.RawMessage) (string, error) {
					if strings.Contains(string(arguments), "crash") {
						panic("spring")
					}
					return "", errors.New("the clock stands still")
				})}
			})
			answer, err := a.Send(t.Context(), "Go on.")
			if err != nil || answer.Text != "I see." {
				t.Fatalf("Send = %+v, %v", answer, err)
			}
			list := turns(t, a)
			if got := shape(list); got != "user assistant+1 tool! assistant" {
				t.Fatalf("turns: %s", got)
			}
			if !strings.Contains(list[2].Text, tt.want) {
				t.Errorf("the model is told %q, want %q", list[2].Text, tt.want)
			}
			runs, err := w.mem.Learnings(t.Context(), strata.Global().View(), strata.LearningError, 10)
			if err != nil || len(runs) != 1 || runs[0].Tool != tt.call.Name {
				t.Errorf("learnings %+v, %v", runs, err)
			}
		})
	}
}

func TestAFailedCallThatIsRepeatedIsHeldBackOnce(t *testing.T) {
	same := scripted.Call(call("clock", `{"zone": "moon"}`))
	w := newWorld(t, scripted.OpenAI, inTurn(same, scripted.Say("It failed."), same, same, scripted.Say("It failed again.")))
	runs := 0
	a := w.agent(func(o *chat.Options) {
		o.Tools = []chat.Tool{clock(func(context.Context, json.RawMessage) (string, error) {
			runs++
			return "", errors.New("no such zone")
		})}
	})
	for _, text := range []string{"What time is it on the moon?", "Try again."} {
		if _, err := a.Send(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	held := 0
	for _, e := range w.events {
		if h, ok := e.(chat.ToolHeld); ok {
			held++
			if !strings.Contains(h.Warning, "no such zone") {
				t.Errorf("the warning %q does not say why it failed", h.Warning)
			}
		}
	}
	if runs != 2 || held != 1 {
		t.Errorf("run %d times, held back %d times; want 2 and 1", runs, held)
	}
	if list := turns(t, a); !strings.HasPrefix(list[6].Text, "not run yet: ") {
		t.Errorf("the model is told %q", list[6].Text)
	}
}

func TestTheModelCannotCallToolsForever(t *testing.T) {
	loop := scripted.Call(call("memory_recall", `{"query": "anything"}`))
	w := newWorld(t, scripted.Ollama, inTurn(loop, loop, loop, loop, loop, scripted.Say("Here I am.")))
	a := w.agent(func(o *chat.Options) { o.Rounds = 3 })
	_, err := a.Send(t.Context(), "Search.")
	if strata.CodeOf(err) != strata.CodeTooLarge {
		t.Fatalf("Send = %v, want too_large", err)
	}
	list := turns(t, a)
	if got, want := shape(list), "user assistant+1 tool assistant+1 tool assistant+1 tool assistant+1 tool! assistant+1 tool!"; got != want {
		t.Errorf("turns: %s, want %s", got, want)
	}
	if answer, err := a.Send(t.Context(), "Well?"); err != nil || answer.Text != "Here I am." {
		t.Errorf("the next message: %+v, %v", answer, err)
	}
}

func TestAnAnswerThatBreaksOffStaysInTheConversation(t *testing.T) {
	protocols(t, func(t *testing.T, p scripted.Protocol) {
		broken := scripted.Reply{Parts: []scripted.Part{{Text: "It begins well"}, {Cut: true}}}
		w := newWorld(t, p, inTurn(broken, scripted.Say("Now whole.")))
		a := w.agent(nil)
		answer, err := a.Send(t.Context(), "Tell me.")
		if err == nil || answer.Text != "It begins well" {
			t.Fatalf("Send = %+v, %v; want what had arrived and an error", answer, err)
		}
		if answer, err = a.Send(t.Context(), "Again."); err != nil || answer.Text != "Now whole." {
			t.Fatalf("the next message: %+v, %v", answer, err)
		}
		list := turns(t, a)
		if shape(list) != "user assistant user assistant" || !strings.HasPrefix(list[1].Text, "It begins well") {
			t.Errorf("turns: %s, %q", shape(list), list[1].Text)
		}
	})
}

func TestCancellationStopsTheAnswerAndKeepsTheRest(t *testing.T) {
	protocols(t, func(t *testing.T, p scripted.Protocol) {
		hangs := scripted.Reply{Parts: []scripted.Part{{Text: "Let me think"}, {Hang: true}}}
		w := newWorld(t, p, inTurn(hangs, scripted.Say("Done.")))
		ctx, cancel := context.WithCancel(t.Context())
		a := w.agent(func(o *chat.Options) {
			o.OnDelta = func(llm.Delta) error { cancel(); return nil }
		})
		answer, err := a.Send(ctx, "Think.")
		if strata.CodeOf(err) != strata.CodeCanceled || answer.Text != "Let me think" {
			t.Fatalf("Send = %+v, %v; want canceled", answer, err)
		}
		if answer, err = a.Send(t.Context(), "Again."); err != nil || answer.Text != "Done." {
			t.Fatalf("the next message: %+v, %v", answer, err)
		}
		if got := shape(turns(t, a)); got != "user assistant user assistant" {
			t.Errorf("turns: %s", got)
		}
	})
}

func TestAToolThatIsInterruptedHasAResultAndTeachesNothing(t *testing.T) {
	w := newWorld(t, scripted.OpenAI, inTurn(scripted.Call(call("clock", ""), call("memory_recall", `{"query": "x"}`)), scripted.Say("Fine.")))
	ctx, cancel := context.WithCancel(t.Context())
	a := w.agent(func(o *chat.Options) {
		o.Tools = []chat.Tool{clock(func(ctx context.Context, _ json.RawMessage) (string, error) {
			cancel()
			return "", ctx.Err()
		})}
	})
	if _, err := a.Send(ctx, "What time is it?"); strata.CodeOf(err) != strata.CodeCanceled {
		t.Fatalf("Send = %v, want canceled", err)
	}
	if got := shape(turns(t, a)); got != "user assistant+2 tool! tool!" {
		t.Errorf("turns: %s", got)
	}
	learnings, err := w.mem.Learnings(t.Context(), strata.Global().View(), "", 10)
	if err != nil || len(learnings) != 0 {
		t.Errorf("learnings %+v, %v", learnings, err)
	}
}

func TestACorrectionBecomesALearning(t *testing.T) {
	w := newWorld(t, scripted.Ollama, inTurn(scripted.Say("The capital of Australia is Sydney."), scripted.Say("Thank you.")))
	a := w.agent(nil)
	for _, text := range []string{"What is the capital of Australia?", "No, that's wrong, the capital is Canberra."} {
		if _, err := a.Send(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(w.events, any(chat.Corrected{})) {
		t.Errorf("no event tells of the correction: %v", w.events)
	}
	learnings, err := w.mem.Learnings(t.Context(), strata.Global().View(), strata.LearningCorrection, 10)
	if err != nil || len(learnings) != 1 || !strings.Contains(learnings[0].Context, "Sydney") {
		t.Errorf("learnings %+v, %v", learnings, err)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	w := newWorld(t, scripted.Ollama, inTurn(scripted.Say("Hello.")))
	own := clock(func(context.Context, json.RawMessage) (string, error) { return "", nil })
	tests := []struct {
		name   string
		change func(*chat.Options)
		want   strata.Code
	}{
		{"no model", func(o *chat.Options) { o.Model = nil }, strata.CodeUnavailable},
		{"no memory", func(o *chat.Options) { o.Memory = nil }, strata.CodeInvalid},
		{"a tool without a name", func(o *chat.Options) { o.Tools = []chat.Tool{{Run: own.Run}} }, strata.CodeInvalid},
		{"two tools of one name", func(o *chat.Options) { o.Tools = []chat.Tool{own, own} }, strata.CodeInvalid},
		{"a tool named as a memory tool", func(o *chat.Options) {
			own := own
			own.Name = "memory_save"
			o.Tools = []chat.Tool{own}
		}, strata.CodeInvalid},
		{"a window without room", func(o *chat.Options) { o.Window = 1300 }, strata.CodeTooLarge},
		{"a server that is not there", func(o *chat.Options) {
			o.ContextLength = func(context.Context, string) (int, error) {
				return 0, &strata.Error{Code: strata.CodeUnavailable, Message: "nobody answers"}
			}
		}, strata.CodeUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := chat.Options{Memory: w.mem, Model: w.model}
			tt.change(&o)
			_, err := chat.New(t.Context(), o)
			var known *strata.Error
			if strata.CodeOf(err) != tt.want || !errors.As(err, &known) {
				t.Fatalf("New = %v, want %s", err, tt.want)
			}
		})
	}
}

func TestWindowIsThatOfTheServerElseOfTheNameElseTheDefault(t *testing.T) {
	says := func(n int, err error) func(context.Context, string) (int, error) {
		return func(context.Context, string) (int, error) { return n, err }
	}
	tests := []struct {
		name, model string
		ask         func(context.Context, string) (int, error)
		want        int
	}{
		{"the server says", "gpt-4o", says(16_000, nil), 16_000},
		{"the server does not say", "gpt-4o", says(0, nil), 128_000},
		{"the server cannot say", "gpt-4o", says(0, errors.New("what?")), 128_000},
		{"nobody is asked", "gpt-4o", nil, 128_000},
		{"nobody knows", "homebrew", says(0, nil), chat.DefaultWindow},
	}
	for _, tt := range tests {
		if got, err := chat.Window(t.Context(), tt.model, tt.ask); err != nil || got != tt.want {
			t.Errorf("%s: %d, %v; want %d", tt.name, got, err, tt.want)
		}
	}
}
