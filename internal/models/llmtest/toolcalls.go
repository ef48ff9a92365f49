package llmtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
)

// This file tests tool calls in the shapes that servers use.

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
	// The same calls later in the conversation get other ids.
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
