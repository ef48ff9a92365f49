package chatui

import (
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/contextmgr"
)

// event is a line of the chat's JSON output. Event says which kind; fields that a kind
// does not have are left out. docs/cli-json.md lists the kinds.
type event struct {
	Event   string `json:"event"`
	Session string `json:"session,omitempty"`
	Model   string `json:"model,omitempty"`
	Text    string `json:"text,omitempty"`

	Calls            int `json:"calls,omitempty"`
	PromptTokens     int `json:"prompt_tokens,omitempty"`
	CompletionTokens int `json:"completion_tokens,omitempty"`

	Tool      string `json:"tool,omitempty"`
	Arguments string `json:"arguments,omitempty"`

	From      int64             `json:"from,omitempty"` // turns
	To        int64             `json:"to,omitempty"`
	Before    int               `json:"before,omitempty"` // tokens
	After     int               `json:"after,omitempty"`
	IDs       []string          `json:"ids,omitempty"`
	Tokens    int               `json:"tokens,omitempty"`
	Level     float64           `json:"level,omitempty"`
	Decisions []strata.Decision `json:"decisions,omitempty"`

	Code    strata.Code `json:"code,omitempty"`
	Message string      `json:"message,omitempty"`
	Hint    string      `json:"hint,omitempty"`

	Command string `json:"command,omitempty"`
	Data    any    `json:"data,omitempty"`

	Context *contents `json:"context,omitempty"`
}

// eventOf converts an event to its JSON form.
func eventOf(e any) (event, bool) {
	switch e := e.(type) {
	case contextmgr.FlushStarted:
		return event{Event: "flush_started", From: e.From, To: e.To}, true
	case contextmgr.FlushFinished:
		out := event{Event: "flush_finished", To: e.To, Decisions: e.Decisions}
		if e.Err != nil {
			known := output.ErrorOf(e.Err)
			out.Code, out.Message = known.Code, known.Message
		}
		return out, true
	case contextmgr.CompactionStarted:
		return event{Event: "compaction_started", Before: e.Tokens}, true
	case contextmgr.Compacted:
		return event{Event: "compacted", From: e.From, To: e.To, Before: e.Before, After: e.After}, true
	case contextmgr.Read:
		out := event{Event: "read", From: e.From, To: e.To, Decisions: e.Decisions}
		if e.Err != nil {
			known := output.ErrorOf(e.Err)
			out.Code, out.Message = known.Code, known.Message
		}
		return out, true
	case contextmgr.Summarized:
		return event{Event: "summarized", To: e.To, Before: e.Before, After: e.After}, true
	case contextmgr.Rests:
		return event{Event: "rests", Model: e.Model, Message: e.Why, Data: map[string]time.Time{"until": e.Until}}, true
	case contextmgr.Resumed:
		return event{Event: "resumed", Model: e.Model}, true
	case contextmgr.Pruned:
		return event{Event: "pruned", From: e.From, To: e.To, Before: e.Before, After: e.After}, true
	case contextmgr.Stubbed:
		return event{Event: "stubbed", From: e.Seq, To: e.Seq, Before: e.Before, After: e.After}, true
	case contextmgr.Warned:
		return event{Event: "warned", Level: e.Level}, true
	case contextmgr.Recalled:
		return event{Event: "recalled", From: e.Seq, To: e.Seq, IDs: e.IDs, Tokens: e.Tokens}, true
	case contextmgr.FellBack:
		return event{Event: "fell_back", Command: e.What, Message: e.Why, Hint: e.To}, true
	case contextmgr.Dropped:
		return event{Event: "dropped", Command: "extraction", Data: e.Why}, true
	case contextmgr.Retried:
		return event{Event: "retried", Message: e.Why}, true
	case contextmgr.Restored:
		return event{Event: "restored", To: e.Covered, Data: map[string]int{"turns": e.Turns}}, true
	case contextmgr.StateSetAside:
		return event{Event: "state_set_aside", Message: e.Reason}, true
	case contextmgr.SnapshotCut:
		return event{Event: "snapshot_cut", Before: e.Before, After: e.After}, true
	case chat.ToolStarted:
		return event{Event: "tool_started", Tool: e.Call.Name, Arguments: e.Call.Arguments}, true
	case chat.ToolFinished:
		out := event{Event: "tool_finished", Tool: e.Call.Name, Data: e.Output}
		if e.Err != nil {
			known := output.ErrorOf(e.Err)
			out.Code, out.Message, out.Hint, out.Data = known.Code, known.Message, known.Hint, nil
		}
		return out, true
	case chat.ToolHeld:
		return event{Event: "tool_held", Tool: e.Call.Name, Arguments: e.Call.Arguments, Message: e.Warning}, true
	case chat.Corrected:
		return event{Event: "corrected"}, true
	case chat.Missed:
		known := output.ErrorOf(e.Err)
		return event{Event: "missed", Command: e.What, Code: known.Code, Message: known.Message}, true
	case chat.ToolsLeftOut:
		return event{Event: "tools_left_out", IDs: e.Names}, true
	}
	return event{}, false
}
