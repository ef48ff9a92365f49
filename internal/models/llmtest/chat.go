package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// Caps tells what the suite may expect of a real server.
type Caps struct {
	// Unknown is a client of the same server for a model that the server does not have;
	// nil skips that check.
	Unknown llm.Chat
	// Window is the context length to ask for, in tokens; 0 means 2,048.
	Window int
	// NoUsage says that the server does not count tokens.
	NoUsage bool
	// Patience is the time limit of each check; 0 means 2 minutes.
	Patience time.Duration
}

// RunChat checks what must hold for every chat model behind a real server. It expects
// nothing of what the model says, so the weights may be random.
func RunChat(t *testing.T, c llm.Chat, caps Caps) {
	if caps.Window == 0 {
		caps.Window = 2048
	}
	if caps.Patience == 0 {
		caps.Patience = 2 * time.Minute
	}
	l := live{c: c, caps: caps}
	for _, test := range []struct {
		name string
		run  func(*testing.T, context.Context)
	}{
		{"the parts add up and the usage is counted", l.answers},
		{"MaxTokens is kept", l.maxTokens},
		{"a conversation with every role is taken", l.everyRole},
		{"cancel in the middle of the stream", l.cancel},
		{"an error of the watcher stops the call", l.watcher},
		{"a deadline of the caller", l.deadline},
		{"an over-long request is too large, or answered", l.overLong},
		{"an unknown model is not found", l.unknownModel},
		{"tools work, or are unsupported", l.tools},
		{"a schema gives JSON, or a clear error", l.schema},
		{"two calls at once", l.twoAtOnce},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), caps.Patience)
			defer cancel()
			test.run(t, ctx)
		})
	}
}

type live struct {
	c    llm.Chat
	caps Caps
}

func (l live) request(text string, maxTokens int) llm.Request {
	return llm.Request{
		Messages:  []llm.Message{{Role: strata.RoleUser, Text: text}},
		MaxTokens: maxTokens, Window: l.caps.Window,
	}
}

// call sends a request and checks what holds for every answer.
func (l live) call(t testing.TB, ctx context.Context, req llm.Request) llm.Reply {
	t.Helper()
	var streamed strings.Builder
	reply, err := l.c.Chat(ctx, req, func(d llm.Delta) error {
		streamed.WriteString(d.Text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.check(t, req, reply)
	if streamed.String() != reply.Message.Text {
		t.Errorf("the parts are %q, the text is %q", streamed.String(), reply.Message.Text)
	}
	return reply
}

func (l live) check(t testing.TB, req llm.Request, reply llm.Reply) {
	t.Helper()
	if reply.Message.Role != strata.RoleAssistant || reply.Stop == "" {
		t.Errorf("role %q, stop %q", reply.Message.Role, reply.Stop)
	}
	if !l.caps.NoUsage && (reply.Usage.Prompt <= 0 || reply.Usage.Completion < 0) {
		t.Errorf("usage %+v", reply.Usage)
	}
	if req.MaxTokens > 0 && reply.Usage.Completion > req.MaxTokens {
		t.Errorf("%d tokens where %d were allowed", reply.Usage.Completion, req.MaxTokens)
	}
	for i, call := range reply.Message.Calls {
		if call.ID == "" || call.Name == "" {
			t.Errorf("call %d is %+v", i, call)
		}
	}
}

func (l live) answers(t *testing.T, ctx context.Context) {
	if l.c.Model() == "" {
		t.Error("the model has no name")
	}
	short := l.call(t, ctx, l.request("Say hello.", 16))
	long := l.call(t, ctx, l.request("Say hello. "+strings.Repeat("The cat is called Whiskerino. ", 20), 16))
	if !l.caps.NoUsage && long.Usage.Prompt <= short.Usage.Prompt {
		t.Errorf("a long request counts %d tokens, a short one %d", long.Usage.Prompt, short.Usage.Prompt)
	}
}

func (l live) maxTokens(t *testing.T, ctx context.Context) {
	for _, n := range []int{1, 8} {
		reply := l.call(t, ctx, l.request("Count from one to a thousand in words.", n))
		// A model of random weights may end by chance before that.
		if reply.Usage.Completion == n && reply.Stop != llm.StopLength && reply.Stop != llm.StopEnd {
			t.Errorf("stop %q after %d tokens", reply.Stop, n)
		}
	}
}

func (l live) everyRole(t *testing.T, ctx context.Context) {
	req := l.request("My cat's name is Whiskerino. 🎉 世界", 8)
	req.Messages = append([]llm.Message{{Role: strata.RoleSystem, Text: "Be brief."}}, req.Messages...)
	req.Messages = append(req.Messages,
		llm.Message{Role: strata.RoleAssistant, Text: "A fine name."},
		llm.Message{Role: strata.RoleUser, Text: "What is it?"})
	cold := 0.0
	req.Temperature = &cold
	l.call(t, ctx, req)
}

// untilStreamed repeats a call until the model says anything, since one with random
// weights may end at once.
func untilStreamed(t *testing.T, try func() (streamed bool)) {
	t.Helper()
	for range 10 {
		if try() {
			return
		}
	}
	t.Skip("the model said nothing in ten attempts, so there is no middle of a stream")
}

func (l live) cancel(t *testing.T, ctx context.Context) {
	untilStreamed(t, func() bool {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		parts := 0
		begin := time.Now()
		reply, err := l.c.Chat(ctx, l.request("Tell a very long story.", 4096), func(llm.Delta) error {
			parts++
			cancel()
			return nil
		})
		if parts == 0 {
			return false
		}
		// An answer of one part may be over before the cancellation is seen.
		if err == nil && parts == 1 && reply.Stop != "" {
			return false
		}
		wantCode(t, err, strata.CodeCanceled)
		if took := time.Since(begin); took > l.caps.Patience/2 {
			t.Errorf("it took %s", took)
		}
		return true
	})
}

func (l live) watcher(t *testing.T, ctx context.Context) {
	enough := errors.New("enough")
	untilStreamed(t, func() bool {
		parts := 0
		_, err := l.c.Chat(ctx, l.request("Tell a story.", 64), func(llm.Delta) error {
			parts++
			return enough
		})
		if parts == 0 {
			return false
		}
		if !errors.Is(err, enough) || parts != 1 {
			t.Errorf("error %v after %d parts", err, parts)
		}
		return true
	})
}

func (l live) deadline(t *testing.T, ctx context.Context) {
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer cancel()
	_, err := l.c.Chat(ctx, l.request("Say hello.", 8), nil)
	wantCode(t, err, strata.CodeCanceled)
}

func (l live) overLong(t *testing.T, ctx context.Context) {
	req := l.request(strings.Repeat("The cat is called Whiskerino. ", 4*l.caps.Window), 8)
	reply, err := l.c.Chat(ctx, req, nil)
	if err == nil {
		l.check(t, req, reply)
		t.Logf("answered; the server counted %d tokens", reply.Usage.Prompt)
		return
	}
	wantCode(t, err, strata.CodeTooLarge)
	// The next request is answered, so nothing is stuck.
	l.call(t, ctx, l.request("Say hello.", 8))
}

func (l live) unknownModel(t *testing.T, ctx context.Context) {
	if l.caps.Unknown == nil {
		t.Skip("no client of an unknown model was given")
	}
	_, err := l.caps.Unknown.Chat(ctx, l.request("Say hello.", 8), nil)
	wantCode(t, err, strata.CodeNotFound)
}

var clock = llm.Tool{
	Name: "clock", Description: "Tells the time in a city.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","description":"name of the city"}},"required":["city"]}`),
}

func (l live) tools(t *testing.T, ctx context.Context) {
	req := l.request("What time is it in Lisbon? Use the clock.", 64)
	req.Tools = []llm.Tool{clock}
	reply, err := l.c.Chat(ctx, req, nil)
	if strata.CodeOf(err) == strata.CodeUnsupported {
		t.Log("this model has no tools")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	l.check(t, req, reply)
	// The server accepts the answer of a tool whether or not the model called it.
	call := strata.ToolCall{ID: "call_1", Name: clock.Name, Arguments: `{"city":"Lisbon"}`}
	req.Messages = append(req.Messages,
		llm.Message{Role: strata.RoleAssistant, Calls: []strata.ToolCall{call}},
		llm.Message{Role: strata.RoleTool, CallID: call.ID, Tool: call.Name, Text: "noon"})
	l.call(t, ctx, req)
}

func (l live) schema(t *testing.T, ctx context.Context) {
	req := l.request("Name a cat.", 256)
	req.Schema = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","maxLength":20}},"required":["name"],"additionalProperties":false}`)
	reply, err := l.c.Chat(ctx, req, nil)
	switch strata.CodeOf(err) {
	case strata.CodeUnsupported, strata.CodeInvalid:
		t.Logf("this server has no schemas: %v", err)
		return
	case "":
	default:
		t.Fatal(err)
	}
	l.check(t, req, reply)
	if reply.Stop == llm.StopLength {
		return // the document was cut off by our own limit
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(reply.Message.Text), &got); err != nil {
		t.Errorf("the answer is no JSON object: %v: %q", err, reply.Message.Text)
	}
}

func (l live) twoAtOnce(t *testing.T, ctx context.Context) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			req := l.request("Say hello.", 8)
			reply, err := l.c.Chat(ctx, req, nil)
			if err != nil {
				t.Error(err)
				return
			}
			l.check(t, req, reply)
		})
	}
	wg.Wait()
}
