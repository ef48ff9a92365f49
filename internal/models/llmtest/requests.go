package llmtest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
)

// This file tests the requests that arrive at the server.

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

// sameJSON reports whether two documents are equal, ignoring order and white space.
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
