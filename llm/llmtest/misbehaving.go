package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/llmtest/scripted"
)

// NewChat connects to the server at url; the model's name is "scripted".
type NewChat func(url string, guard llm.GuardOptions) llm.Chat

// RunScripted checks a client of protocol p against a server that speaks the
// protocol as servers in the wild do, and misbehaves as they do.
func RunScripted(t *testing.T, p scripted.Protocol, newChat NewChat) {
	s := suite{p: p, newChat: newChat}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"parts add up to the text", s.partsAddUp},
		{"the stream may be split at any byte", s.splitAnywhere},
		{"any parts at any split come out whole", s.anyParts},
		{"the request arrives as it was meant", s.requestArrives},
		{"malformed arguments of an old call go as an object", s.malformedArguments},
		{"reasoning is no part of the text", s.reasoning},
		{"stops are told apart", s.stops},
		{"an answer that is not streamed is taken", s.notStreamed},
		{"tool calls in every shape", s.toolCalls},
		{"invented ids are stable and new", s.inventedIDs},
		{"a tool call between texts", s.callAfterText},
		{"429 is retried after the wait it names", s.tooManyRequests},
		{"429 with a long wait is not waited for", s.longWait},
		{"503 is retried with growing pauses", s.notNow},
		{"500 is not retried", s.serverError},
		{"a connection cut before the answer is retried", s.cutBeforeAnswer},
		{"a server that is not there", s.notThere},
		{"a hang before the headers is cut", s.hangBeforeHeaders},
		{"a hang in the middle of the stream is cut", s.hangMidStream},
		{"the whole call has a limit", s.limit},
		{"half a JSON document", s.halfDocument},
		{"a connection cut in the middle of the stream", s.cutMidStream},
		{"a stream without an end", s.noEnd},
		{"an error inside the stream", s.errorInStream},
		{"errors are told apart", s.errors},
		{"an empty answer", s.emptyAnswer},
		{"a huge line", s.hugeLine},
		{"a line without end", s.endlessLine},
		{"a web page instead of an answer", s.webPage},
		{"the caller cancels", s.callerCancels},
		{"an error of the watcher comes back", s.watcherStops},
		{"an impossible request is not sent", s.impossible},
		{"many calls at once", s.concurrent},
		{"the breaker opens and closes by itself", s.breaker},
		{"refused requests do not open the breaker", s.breakerCountsFailures},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

type suite struct {
	p       scripted.Protocol
	newChat NewChat
}

// quick are bounds under which a hang is cut soon, and no test waits.
func quick() llm.GuardOptions {
	return llm.GuardOptions{
		Limit: time.Minute, Start: 30 * time.Second, Idle: 30 * time.Second,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

// start serves script and returns a client of it.
func (s suite) start(t testing.TB, o llm.GuardOptions, script scripted.Script) (llm.Chat, *scripted.Server) {
	t.Helper()
	server, err := scripted.Start("", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return s.newChat(server.URL(s.p), o), server
}

// serve is start for a server that always answers the same.
func (s suite) serve(t testing.TB, reply scripted.Reply) llm.Chat {
	t.Helper()
	c, _ := s.start(t, quick(), func(scripted.Request) scripted.Reply { return reply })
	return c
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: strata.RoleUser, Text: "hello"}}}
}

// ask calls c and returns the texts of the parts too.
func ask(t testing.TB, c llm.Chat, req llm.Request) (reply llm.Reply, streamed string, err error) {
	t.Helper()
	reply, err = c.Chat(t.Context(), req, func(d llm.Delta) error {
		if d == (llm.Delta{}) {
			t.Error("an empty part was handed on")
		}
		streamed += d.Text
		return nil
	})
	return reply, streamed, err
}

// wantCode fails the test unless err has the code.
func wantCode(t testing.TB, err error, code strata.Code) {
	t.Helper()
	if strata.CodeOf(err) != code {
		t.Fatalf("error %v has code %q, want %q", err, strata.CodeOf(err), code)
	}
}

const awkward = "Grüße, 世界 🎉 e\u0301 \"quoted\" back\\slash\nnew line\r\ndata: {\"x\": 1}\n\n[DONE]\t\u2028end"

func (s suite) partsAddUp(t *testing.T) {
	c := s.serve(t, scripted.Reply{
		Parts: []scripted.Part{{Text: "The cat "}, {Text: "is called "}, {Text: "Whiskerino."}},
		Usage: llm.Usage{Prompt: 42, Completion: 7},
	})
	if c.Model() != "scripted" {
		t.Errorf("the model is %q", c.Model())
	}
	var parts []string
	reply, err := c.Chat(t.Context(), hello(), func(d llm.Delta) error {
		parts = append(parts, d.Text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Reply{
		Message: llm.Message{Role: strata.RoleAssistant, Text: "The cat is called Whiskerino."},
		Usage:   llm.Usage{Prompt: 42, Completion: 7}, Stop: llm.StopEnd,
	}
	if reply.Message.Text != want.Message.Text || reply.Message.Role != want.Message.Role || reply.Usage != want.Usage || reply.Stop != want.Stop {
		t.Errorf("reply %+v, want %+v", reply, want)
	}
	if !slices.Equal(parts, []string{"The cat ", "is called ", "Whiskerino."}) {
		t.Errorf("parts %q", parts)
	}
	if again, err := c.Chat(t.Context(), hello(), nil); err != nil || again.Message.Text != want.Message.Text {
		t.Errorf("without a watcher: %+v, %v", again, err)
	}
}

func (s suite) splitAnywhere(t *testing.T) {
	for _, split := range []int{1, 2, 3, 5, 7, 64} {
		c := s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: awkward}, {Text: "🎉"}}, Split: split})
		reply, streamed, err := ask(t, c, hello())
		if err != nil {
			t.Fatalf("split %d: %v", split, err)
		}
		if want := awkward + "🎉"; reply.Message.Text != want || streamed != want {
			t.Errorf("split %d: text %q, streamed %q", split, reply.Message.Text, streamed)
		}
	}
}

func (s suite) anyParts(t *testing.T) {
	var mu sync.Mutex
	var reply scripted.Reply
	c, _ := s.start(t, quick(), func(scripted.Request) scripted.Reply {
		mu.Lock()
		defer mu.Unlock()
		return reply
	})
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringN(1, 20, -1), 1, 8).Draw(r, "texts")
		next := scripted.Reply{Split: rapid.IntRange(0, 40).Draw(r, "split")}
		for _, text := range texts {
			next.Parts = append(next.Parts, scripted.Part{Text: text})
		}
		mu.Lock()
		reply = next
		mu.Unlock()
		got, streamed, err := ask(t, c, hello())
		want := strings.Join(texts, "")
		if err != nil || got.Message.Text != want || streamed != want {
			r.Fatalf("text %q, streamed %q, error %v; want %q", got.Message.Text, streamed, err, want)
		}
	})
}

func (s suite) requestArrives(t *testing.T) {
	c, server := s.start(t, quick(), func(scripted.Request) scripted.Reply { return scripted.Say("ok") })
	warm := 0.25
	req := llm.Request{
		Messages: []llm.Message{
			{Role: strata.RoleSystem, Text: "Be brief."},
			{Role: strata.RoleUser, Text: awkward, Images: []strata.Image{{MediaType: "image/png", Data: []byte{0, 1, 254, 255}}}},
			{Role: strata.RoleAssistant, Text: "Looking.", Calls: []strata.ToolCall{
				{ID: "call_a", Name: "memory_recall", Arguments: `{"query":"cat"}`}, {ID: "call_b", Name: "clock"}}},
			{Role: strata.RoleTool, Text: "Whiskerino", CallID: "call_a", Tool: "memory_recall"},
			{Role: strata.RoleTool, Text: "noon", CallID: "call_b", Tool: "clock"},
		},
		Tools: []llm.Tool{
			{Name: "memory_recall", Description: "Looks for facts.", Parameters: json.RawMessage(
				`{"type":"object","properties":{"query":{"type":"string","description":"what to look for"}},"required":["query"]}`)},
			{Name: "clock"},
		},
		Schema:    json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`),
		MaxTokens: 99, Window: 8192, Temperature: &warm,
	}
	if _, _, err := ask(t, c, req); err != nil {
		t.Fatal(err)
	}
	got := server.Requests()[0]
	if got.Model != "scripted" || got.Chat.MaxTokens != 99 || got.Chat.Temperature == nil || *got.Chat.Temperature != warm {
		t.Errorf("the request arrived as %s", got.Body)
	}
	if string(got.Chat.Schema) != string(req.Schema) {
		t.Errorf("schema %s", got.Chat.Schema)
	}
	if s.p == scripted.Ollama && got.Chat.Window != 8192 {
		t.Errorf("window %d", got.Chat.Window)
	}
	if len(got.Chat.Messages) != len(req.Messages) || len(got.Chat.Tools) != 2 {
		t.Fatalf("%d messages and %d tools arrived", len(got.Chat.Messages), len(got.Chat.Tools))
	}
	for i, m := range got.Chat.Messages {
		want := req.Messages[i]
		if m.Role != want.Role || m.Text != want.Text || m.CallID != want.CallID || len(m.Calls) != len(want.Calls) || len(m.Images) != len(want.Images) {
			t.Errorf("message %d arrived as %+v", i, m)
		}
		for j, image := range m.Images {
			if !slices.Equal(image.Data, want.Images[j].Data) {
				t.Errorf("picture %d arrived as %v", j, image.Data)
			}
		}
		for j, call := range m.Calls {
			if call.ID != want.Calls[j].ID || call.Name != want.Calls[j].Name || !sameJSON(call.Arguments, orEmpty(want.Calls[j].Arguments)) {
				t.Errorf("call %d arrived as %+v", j, call)
			}
		}
	}
	if !sameJSON(string(got.Chat.Tools[0].Parameters), string(req.Tools[0].Parameters)) {
		t.Errorf("parameters arrived as %s", got.Chat.Tools[0].Parameters)
	}
	if got.Chat.Tools[1].Name != "clock" || !json.Valid(got.Chat.Tools[1].Parameters) {
		t.Errorf("a tool without parameters arrived as %+v", got.Chat.Tools[1])
	}
}

func orEmpty(arguments string) string {
	if arguments == "" {
		return "{}"
	}
	return arguments
}

// sameJSON compares two documents, whatever their order and blanks.
func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	one, errOne := json.Marshal(x)
	two, errTwo := json.Marshal(y)
	return errOne == nil && errTwo == nil && string(one) == string(two)
}

func (s suite) malformedArguments(t *testing.T) {
	c, server := s.start(t, quick(), func(scripted.Request) scripted.Reply { return scripted.Say("ok") })
	for _, written := range []string{`{"query": `, `[1]`, `"text"`, `null`, "not json", "{} {}"} {
		req := hello()
		req.Messages = append(req.Messages,
			llm.Message{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "x", Name: "f", Arguments: written}}},
			llm.Message{Role: strata.RoleTool, CallID: "x", Tool: "f", Text: "malformed"})
		if _, _, err := ask(t, c, req); err != nil {
			t.Fatalf("%q: %v", written, err)
		}
		seen := server.Requests()
		var got map[string]string
		if err := json.Unmarshal([]byte(seen[len(seen)-1].Chat.Messages[1].Calls[0].Arguments), &got); err != nil {
			t.Fatalf("%q did not arrive as an object: %v", written, err)
		}
		if got["malformed"] != written {
			t.Errorf("%q arrived as %q", written, got)
		}
	}
}

func (s suite) reasoning(t *testing.T) {
	c := s.serve(t, scripted.Reply{Parts: []scripted.Part{{Reasoning: "A cat, "}, {Reasoning: "then."}, {Text: "Whiskerino"}}, Split: 3})
	var thought, said string
	reply, err := c.Chat(t.Context(), hello(), func(d llm.Delta) error {
		thought += d.Reasoning
		said += d.Text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if thought != "A cat, then." || said != "Whiskerino" || reply.Message.Text != "Whiskerino" {
		t.Errorf("thought %q, said %q, text %q", thought, said, reply.Message.Text)
	}
}

func (s suite) stops(t *testing.T) {
	stops := []llm.Stop{llm.StopEnd, llm.StopLength}
	if s.p == scripted.OpenAI {
		stops = append(stops, llm.StopFilter)
	}
	for _, stop := range stops {
		reply, _, err := ask(t, s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: "a"}}, Stop: stop}), hello())
		if err != nil || reply.Stop != stop {
			t.Errorf("stop %q, error %v; want %q", reply.Stop, err, stop)
		}
	}
}

func (s suite) notStreamed(t *testing.T) {
	c := s.serve(t, scripted.Reply{
		Parts: []scripted.Part{{Text: "all "}, {Text: "at once"}}, Shape: scripted.NotStreamed,
		Usage: llm.Usage{Prompt: 3, Completion: 2}, Split: 11,
	})
	reply, streamed, err := ask(t, c, hello())
	if err != nil {
		t.Fatal(err)
	}
	if reply.Message.Text != "all at once" || streamed != "all at once" || reply.Usage != (llm.Usage{Prompt: 3, Completion: 2}) {
		t.Errorf("reply %+v, streamed %q", reply, streamed)
	}
}

func (s suite) toolCalls(t *testing.T) {
	calls := []strata.ToolCall{
		{ID: "call_1", Name: "memory_recall", Arguments: `{"query":"世界 🎉 \"x\"","max_results":3,"deep":{"a":[1,2,{"b":null}]}}`},
		{ID: "call_2", Name: "memory_recall", Arguments: `{"query":"dog"}`},
		{ID: "call_3", Name: "clock", Arguments: `{}`},
	}
	for _, shape := range scripted.Shapes(s.p) {
		for _, n := range []int{1, 3} {
			if n > 1 && shape.Single() {
				continue
			}
			for _, split := range []int{0, 1, 4} {
				name := fmt.Sprintf("shape %q, %d calls, split %d", shape, n, split)
				reply := scripted.Call(calls[:n]...)
				reply.Shape, reply.Split = shape, split
				got, _, err := ask(t, s.serve(t, reply), hello())
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				checkCalls(t, name, got, calls[:n], shape.KeepsIDs())
			}
		}
	}
}

func checkCalls(t *testing.T, name string, got llm.Reply, want []strata.ToolCall, keepsIDs bool) {
	t.Helper()
	if got.Stop != llm.StopTools || len(got.Message.Calls) != len(want) {
		t.Errorf("%s: stop %q, calls %+v", name, got.Stop, got.Message.Calls)
		return
	}
	ids := make(map[string]bool)
	for i, c := range got.Message.Calls {
		if c.Name != want[i].Name || !sameJSON(c.Arguments, want[i].Arguments) {
			t.Errorf("%s: call %d is %+v", name, i, c)
		}
		if c.ID == "" || ids[c.ID] || keepsIDs && c.ID != want[i].ID {
			t.Errorf("%s: call %d has the id %q", name, i, c.ID)
		}
		ids[c.ID] = true
	}
}

func (s suite) inventedIDs(t *testing.T) {
	reply := scripted.Call(strata.ToolCall{Name: "clock"}, strata.ToolCall{Name: "clock"})
	reply.Shape = scripted.NoIDs
	c := s.serve(t, reply)
	first, _, err := ask(t, c, hello())
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := ask(t, c, hello())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(first.Message.Calls, second.Message.Calls) {
		t.Errorf("the same exchange got %+v and %+v", first.Message.Calls, second.Message.Calls)
	}
	// The same calls again, later in the conversation, are others.
	req := hello()
	req.Messages = append(req.Messages, first.Message)
	for _, call := range first.Message.Calls {
		req.Messages = append(req.Messages, llm.Message{Role: strata.RoleTool, CallID: call.ID, Tool: call.Name, Text: "noon"})
	}
	third, _, err := ask(t, c, req)
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range third.Message.Calls {
		if slices.Contains(first.Message.Calls, call) {
			t.Errorf("call %+v has the id of an earlier one", call)
		}
	}
}

func (s suite) callAfterText(t *testing.T) {
	c := s.serve(t, scripted.Reply{Parts: []scripted.Part{
		{Text: "Let me look. "}, {Calls: []strata.ToolCall{{ID: "a", Name: "clock"}}}, {Text: "Done."}}})
	reply, streamed, err := ask(t, c, hello())
	if err != nil {
		t.Fatal(err)
	}
	if reply.Message.Text != "Let me look. Done." || streamed != reply.Message.Text || len(reply.Message.Calls) != 1 || reply.Stop != llm.StopTools {
		t.Errorf("reply %+v", reply)
	}
}

// waits are guard options that write down how long a guard would wait.
func waits(o llm.GuardOptions) (llm.GuardOptions, func() []time.Duration) {
	var mu sync.Mutex
	var all []time.Duration
	o.Wait = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, d)
		return ctx.Err()
	}
	return o, func() []time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// inTurn answers the first request with the first reply, and so on; the last
// reply answers all that follow.
func inTurn(replies ...scripted.Reply) scripted.Script {
	return func(r scripted.Request) scripted.Reply { return replies[min(r.N, len(replies))-1] }
}

func (s suite) tooManyRequests(t *testing.T) {
	o, waited := waits(quick())
	busy := scripted.Fail(http.StatusTooManyRequests, "slow down")
	busy.RetryAfter = "7"
	c, server := s.start(t, o, inTurn(busy, scripted.Say("now")))
	reply, streamed, err := ask(t, c, hello())
	if err != nil || reply.Message.Text != "now" || streamed != "now" {
		t.Fatalf("reply %+v, error %v", reply, err)
	}
	if got := waited(); !slices.Equal(got, []time.Duration{7 * time.Second}) || len(server.Requests()) != 2 {
		t.Errorf("waited %v, %d requests", got, len(server.Requests()))
	}
}

func (s suite) longWait(t *testing.T) {
	o, waited := waits(quick())
	busy := scripted.Fail(http.StatusTooManyRequests, "slow down")
	busy.RetryAfter = "3600"
	c, server := s.start(t, o, inTurn(busy))
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if len(waited()) != 0 || len(server.Requests()) != 1 {
		t.Errorf("waited %v, %d requests", waited(), len(server.Requests()))
	}
	if !strings.Contains(err.Error(), "1h0m0s") {
		t.Errorf("the error does not name the wait: %v", err)
	}
}

func (s suite) notNow(t *testing.T) {
	o, waited := waits(quick())
	c, server := s.start(t, o, inTurn(scripted.Fail(http.StatusServiceUnavailable, "server busy, please try again")))
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	got := waited()
	if len(server.Requests()) != 3 || len(got) != 2 {
		t.Fatalf("%d requests, waited %v", len(server.Requests()), got)
	}
	if got[0] < 250*time.Millisecond || got[0] > 500*time.Millisecond || got[1] < 500*time.Millisecond || got[1] > time.Second {
		t.Errorf("waited %v", got)
	}
}

func (s suite) serverError(t *testing.T) {
	c, server := s.start(t, quick(), inTurn(scripted.Fail(http.StatusInternalServerError, "llama runner process has terminated")))
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if len(server.Requests()) != 1 {
		t.Errorf("%d requests", len(server.Requests()))
	}
	if !strings.Contains(err.Error(), "llama runner process has terminated") {
		t.Errorf("the server's words are missing: %v", err)
	}
}

func (s suite) cutBeforeAnswer(t *testing.T) {
	c, server := s.start(t, quick(), inTurn(scripted.Reply{Cut: true}, scripted.Say("again")))
	reply, _, err := ask(t, c, hello())
	if err != nil || reply.Message.Text != "again" || len(server.Requests()) != 2 {
		t.Errorf("reply %+v, error %v, %d requests", reply, err, len(server.Requests()))
	}
}

func (s suite) notThere(t *testing.T) {
	o, waited := waits(quick())
	c, server := s.start(t, o, inTurn(scripted.Say("never")))
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	var e *strata.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "start") {
		t.Errorf("no hint to start the server: %+v", e)
	}
	if len(waited()) != 2 {
		t.Errorf("a refused connection was tried with waits %v", waited())
	}
}

func (s suite) hangBeforeHeaders(t *testing.T) {
	o := quick()
	o.Start = 100 * time.Millisecond
	c, server := s.start(t, o, inTurn(scripted.Reply{Hang: true}))
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if !strings.Contains(err.Error(), "no answer for 100ms") || len(server.Requests()) != 1 {
		t.Errorf("error %v, %d requests", err, len(server.Requests()))
	}
}

func (s suite) hangMidStream(t *testing.T) {
	o := quick()
	o.Idle = 100 * time.Millisecond
	c, server := s.start(t, o, inTurn(scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Hang: true}}}))
	reply, streamed, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if reply.Message.Text != "so far" || streamed != "so far" || len(server.Requests()) != 1 {
		t.Errorf("reply %+v, %d requests", reply, len(server.Requests()))
	}
}

func (s suite) limit(t *testing.T) {
	o := quick()
	o.Limit = 100 * time.Millisecond
	c := s.newChatOf(t, o, scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Hang: true}}})
	reply, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if !strings.Contains(err.Error(), "100ms") {
		t.Errorf("reply %+v, error %v", reply, err)
	}
}

func (s suite) newChatOf(t testing.TB, o llm.GuardOptions, reply scripted.Reply) llm.Chat {
	t.Helper()
	c, _ := s.start(t, o, inTurn(reply))
	return c
}

// framed is text as a piece of the protocol's stream.
func (s suite) framed(text string) string {
	if s.p == scripted.Ollama {
		return text + "\n"
	}
	return "data: " + text + "\n\n"
}

func (s suite) halfDocument(t *testing.T) {
	for _, half := range []string{`{"message":{"content":"a`, `{"choices":[{"delta":{"content":`, `nonsense`, `[1,2]`, `"text"`, "\x00\xff"} {
		reply, streamed, err := ask(t, s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Raw: s.framed(half)}}}), hello())
		wantCode(t, err, strata.CodeCorrupt)
		if reply.Message.Text != "so far" || streamed != "so far" {
			t.Errorf("%q: reply %+v", half, reply)
		}
	}
}

func (s suite) cutMidStream(t *testing.T) {
	half := strings.TrimRight(s.framed(`{"message":{"content":"a`), "\n")
	for _, parts := range [][]scripted.Part{
		{{Text: "so far"}, {Cut: true}},
		{{Text: "so far"}, {Raw: half}, {Cut: true}},
	} {
		c, server := s.start(t, quick(), inTurn(scripted.Reply{Parts: parts}))
		reply, _, err := ask(t, c, hello())
		wantCode(t, err, strata.CodeUnavailable)
		if reply.Message.Text != "so far" || len(server.Requests()) != 1 {
			t.Errorf("reply %+v, %d requests", reply, len(server.Requests()))
		}
	}
}

func (s suite) noEnd(t *testing.T) {
	for _, body := range []string{"\n", s.framed(`{}`), strings.TrimRight(s.framed(`{"message":{"content":"a`), "\n")} {
		_, _, err := ask(t, s.serve(t, scripted.Reply{Body: body}), hello())
		wantCode(t, err, strata.CodeUnavailable)
	}
}

func (s suite) errorInStream(t *testing.T) {
	for _, test := range []struct {
		message string
		code    strata.Code
	}{
		{"an error was encountered while running the model", strata.CodeUnavailable},
		{"the input length exceeds the context length", strata.CodeTooLarge},
	} {
		c, server := s.start(t, quick(), inTurn(scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Error: test.message}}}))
		reply, _, err := ask(t, c, hello())
		wantCode(t, err, test.code)
		if reply.Message.Text != "so far" || len(server.Requests()) != 1 || !strings.Contains(err.Error(), test.message) {
			t.Errorf("reply %+v, %d requests, error %v", reply, len(server.Requests()), err)
		}
	}
}

func (s suite) errors(t *testing.T) {
	for _, test := range []struct {
		status        int
		message, kind string
		code          strata.Code
	}{
		{400, "the input length exceeds the context length", "", strata.CodeTooLarge},
		{400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", "context_length_exceeded", strata.CodeTooLarge},
		{500, "the request exceeds the available context size. try increasing the context size", "", strata.CodeTooLarge},
		{413, "payload too large", "", strata.CodeTooLarge},
		{404, `model "scripted" not found, try pulling it first`, "model_not_found", strata.CodeNotFound},
		{404, "model 'scripted' not found", "", strata.CodeNotFound},
		{400, `registry.ollama.ai/library/scripted does not support tools`, "", strata.CodeUnsupported},
		{400, `"scripted" does not support chat`, "", strata.CodeUnsupported},
		{400, "missing messages", "", strata.CodeInvalid},
		{422, "unknown field", "", strata.CodeInvalid},
		{401, "Incorrect API key provided: sk-1234*5678", "invalid_api_key", strata.CodeDenied},
		{403, "this country is not served", "", strata.CodeDenied},
		{502, "bad gateway", "", strata.CodeUnavailable},
		{504, "gateway time-out", "", strata.CodeUnavailable},
	} {
		reply := scripted.Fail(test.status, test.message)
		reply.Code = test.kind
		c, server := s.start(t, quick(), inTurn(reply))
		_, _, err := ask(t, c, hello())
		if strata.CodeOf(err) != test.code {
			t.Errorf("%d %s: code %q, want %q", test.status, test.message, strata.CodeOf(err), test.code)
		}
		if n := len(server.Requests()); n != 1 {
			t.Errorf("%d %s: %d requests", test.status, test.message, n)
		}
		var e *strata.Error
		if errors.As(err, &e) && e.Hint == "" && test.code != strata.CodeInvalid {
			t.Errorf("%d %s: no hint", test.status, test.message)
		}
		if strings.Contains(fmt.Sprint(err), "sk-1234") {
			t.Errorf("the error shows a part of the key: %v", err)
		}
	}
}

func (s suite) emptyAnswer(t *testing.T) {
	reply, streamed, err := ask(t, s.serve(t, scripted.Reply{}), hello())
	if err != nil || reply.Message.Text != "" || streamed != "" || reply.Message.Calls != nil || reply.Stop != llm.StopEnd {
		t.Errorf("reply %+v, error %v", reply, err)
	}
}

func (s suite) hugeLine(t *testing.T) {
	huge := strings.Repeat("wörd ", 400_000) // 2.4 MB
	reply, streamed, err := ask(t, s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: huge}, {Text: "!"}}, Split: 60_000}), hello())
	if err != nil {
		t.Fatal(err)
	}
	if reply.Message.Text != huge+"!" || streamed != huge+"!" {
		t.Errorf("%d bytes of text, %d streamed", len(reply.Message.Text), len(streamed))
	}
}

func (s suite) endlessLine(t *testing.T) {
	endless := strings.Repeat("x", 17<<20)
	if s.p == scripted.OpenAI {
		endless = "data: " + endless
	}
	_, _, err := ask(t, s.serve(t, scripted.Reply{Body: endless, Split: 1 << 20}), hello())
	wantCode(t, err, strata.CodeCorrupt)
}

func (s suite) webPage(t *testing.T) {
	_, _, err := ask(t, s.serve(t, scripted.Reply{Body: "<!doctype html>\n<p>Welcome</p>\n", ContentType: "text/html; charset=utf-8"}), hello())
	wantCode(t, err, strata.CodeCorrupt)
}

func (s suite) callerCancels(t *testing.T) {
	c, server := s.start(t, quick(), inTurn(scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Hang: true}}}))
	ctx, cancel := context.WithCancel(t.Context())
	reply, err := c.Chat(ctx, hello(), func(llm.Delta) error {
		cancel()
		return nil
	})
	wantCode(t, err, strata.CodeCanceled)
	if !errors.Is(err, context.Canceled) || reply.Message.Text != "so far" {
		t.Errorf("reply %+v, error %v", reply, err)
	}
	if _, err := c.Chat(ctx, hello(), nil); strata.CodeOf(err) != strata.CodeCanceled || len(server.Requests()) != 1 {
		t.Errorf("canceled before: %v, %d requests", err, len(server.Requests()))
	}
}

func (s suite) watcherStops(t *testing.T) {
	c := s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: "a"}, {Text: "b"}, {Hang: true}}})
	enough := errors.New("enough")
	calls := 0
	reply, err := c.Chat(t.Context(), hello(), func(llm.Delta) error {
		calls++
		return enough
	})
	if !errors.Is(err, enough) || calls != 1 || reply.Message.Text != "a" {
		t.Errorf("reply %+v, error %v, %d calls", reply, err, calls)
	}
}

func (s suite) impossible(t *testing.T) {
	c, server := s.start(t, quick(), inTurn(scripted.Say("never")))
	for _, req := range []llm.Request{
		{},
		{Messages: []llm.Message{{Role: "narrator", Text: "Once"}}},
		{Messages: hello().Messages, Schema: json.RawMessage(`[`)},
		{Messages: hello().Messages, Tools: []llm.Tool{{Name: "f", Parameters: json.RawMessage(`"x"`)}}},
		{Messages: hello().Messages, Tools: []llm.Tool{{}}},
	} {
		_, err := c.Chat(t.Context(), req, nil)
		wantCode(t, err, strata.CodeInvalid)
	}
	if len(server.Requests()) != 0 {
		t.Errorf("%d requests were sent", len(server.Requests()))
	}
}

func (s suite) concurrent(t *testing.T) {
	c, _ := s.start(t, quick(), func(r scripted.Request) scripted.Reply { return scripted.Say("You said: " + r.Last().Text) })
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			req := hello()
			req.Messages[0].Text = fmt.Sprint("number ", i)
			reply, err := c.Chat(t.Context(), req, nil)
			if err != nil || reply.Message.Text != fmt.Sprint("You said: number ", i) {
				t.Errorf("reply %+v, error %v", reply, err)
			}
		})
	}
	wg.Wait()
}

func (s suite) breaker(t *testing.T) {
	o := quick()
	var mu sync.Mutex
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	o.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	o.Cooldown = time.Minute
	broken := scripted.Fail(http.StatusInternalServerError, "broken")
	c, server := s.start(t, o, inTurn(broken, broken, broken, broken, scripted.Say("back")))
	for range 3 {
		_, _, err := ask(t, c, hello())
		wantCode(t, err, strata.CodeUnavailable)
	}
	// Open: nothing reaches the server, and the error names the time.
	_, _, err := ask(t, c, hello())
	wantCode(t, err, strata.CodeUnavailable)
	if len(server.Requests()) != 3 || !strings.Contains(err.Error(), "03:05:05") {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
	pass := func() { mu.Lock(); now = now.Add(time.Minute); mu.Unlock() }
	// Half open: one call tries; it fails, and the next cool-down begins.
	pass()
	if _, _, err = ask(t, c, hello()); len(server.Requests()) != 4 {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
	if _, _, err = ask(t, c, hello()); len(server.Requests()) != 4 {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
	pass()
	for range 2 {
		if reply, _, err := ask(t, c, hello()); err != nil || reply.Message.Text != "back" {
			t.Errorf("reply %+v, error %v", reply, err)
		}
	}
}

func (s suite) breakerCountsFailures(t *testing.T) {
	large := scripted.Fail(http.StatusBadRequest, "the input length exceeds the context length")
	broken := scripted.Fail(http.StatusInternalServerError, "broken")
	c, server := s.start(t, quick(), inTurn(large, large, large, large, broken, broken, large, broken, broken, scripted.Say("fine")))
	for range 9 {
		if _, _, err := ask(t, c, hello()); err == nil {
			t.Fatal("no error")
		}
	}
	if reply, _, err := ask(t, c, hello()); err != nil || reply.Message.Text != "fine" || len(server.Requests()) != 10 {
		t.Errorf("reply %+v, error %v, %d requests", reply, err, len(server.Requests()))
	}
}
