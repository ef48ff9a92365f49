package main

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/contextmgr"
)

// chatEvent is a line of chat's JSON. Event says which; what an event does not
// have is left out. docs/cli-json.md lists them.
type chatEvent struct {
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

	Context *chatContext `json:"context,omitempty"`
}

// chatContext says what the window is filled with, in tokens.
type chatContext struct {
	Session  string  `json:"session"`
	Model    string  `json:"model"`
	Window   int     `json:"window"`
	Budget   int     `json:"budget"`
	System   int     `json:"system"`
	Tools    int     `json:"tools"`
	Snapshot int     `json:"snapshot"`
	Summary  int     `json:"summary"`
	Recalled int     `json:"recalled"`
	Turns    int     `json:"turns"`
	Free     int     `json:"free"`
	Total    int     `json:"total"`
	Level    float64 `json:"level"` // share of the budget in use
	// Last is the last turn there is, Covered the last that a summary stands
	// for, Generation counts the snapshots of the session.
	Last       int64         `json:"last"`
	Covered    int64         `json:"covered"`
	Generation int           `json:"generation"`
	Parts      []contextPart `json:"parts"` // of the snapshot, where they are known
}

type contextPart struct {
	Kind   string `json:"kind"`
	Name   string `json:"name,omitempty"`
	Shown  int    `json:"shown"`
	Total  int    `json:"total"`
	Tokens int    `json:"tokens"`
	Why    string `json:"why,omitempty"` // something was left out
}

func contextOf(r chat.Report) *chatContext {
	out := &chatContext{
		Session: r.Session, Model: r.Model, Window: r.Window, Budget: r.Budget, System: r.System, Tools: r.Tools, Snapshot: r.Snapshot,
		Summary: r.Summary, Recalled: r.Recalled, Turns: r.Turns, Free: r.Free, Total: r.Usage.Total, Level: r.Usage.Level,
		Last: r.Usage.Last, Covered: r.Usage.Covered, Generation: r.Usage.Generation, Parts: make([]contextPart, 0, len(r.Parts)),
	}
	for _, p := range r.Parts {
		out.Parts = append(out.Parts, contextPart{Kind: string(p.Kind), Name: p.Name, Shown: p.Shown, Total: p.Total, Tokens: p.Tokens, Why: p.Why})
	}
	return out
}

// eventOf is the JSON of an event.
func eventOf(e any) (chatEvent, bool) {
	switch e := e.(type) {
	case contextmgr.FlushStarted:
		return chatEvent{Event: "flush_started", From: e.From, To: e.To}, true
	case contextmgr.FlushFinished:
		out := chatEvent{Event: "flush_finished", To: e.To, Decisions: e.Decisions}
		if e.Err != nil {
			known := errorOf(e.Err)
			out.Code, out.Message = known.Code, known.Message
		}
		return out, true
	case contextmgr.CompactionStarted:
		return chatEvent{Event: "compaction_started", Before: e.Tokens}, true
	case contextmgr.Compacted:
		return chatEvent{Event: "compacted", From: e.From, To: e.To, Before: e.Before, After: e.After}, true
	case contextmgr.Pruned:
		return chatEvent{Event: "pruned", From: e.From, To: e.To, Before: e.Before, After: e.After}, true
	case contextmgr.Stubbed:
		return chatEvent{Event: "stubbed", From: e.Seq, To: e.Seq, Before: e.Before, After: e.After}, true
	case contextmgr.Warned:
		return chatEvent{Event: "warned", Level: e.Level}, true
	case contextmgr.Recalled:
		return chatEvent{Event: "recalled", From: e.Seq, To: e.Seq, IDs: e.IDs, Tokens: e.Tokens}, true
	case contextmgr.FellBack:
		return chatEvent{Event: "fell_back", Command: e.What, Message: e.Why, Hint: e.To}, true
	case contextmgr.Retried:
		return chatEvent{Event: "retried", Message: e.Why}, true
	case contextmgr.Restored:
		return chatEvent{Event: "restored", To: e.Covered, Data: map[string]int{"turns": e.Turns}}, true
	case contextmgr.StateSetAside:
		return chatEvent{Event: "state_set_aside", Message: e.Reason}, true
	case contextmgr.SnapshotCut:
		return chatEvent{Event: "snapshot_cut", Before: e.Before, After: e.After}, true
	case chat.ToolStarted:
		return chatEvent{Event: "tool_started", Tool: e.Call.Name, Arguments: e.Call.Arguments}, true
	case chat.ToolFinished:
		out := chatEvent{Event: "tool_finished", Tool: e.Call.Name, Data: e.Output}
		if e.Err != nil {
			known := errorOf(e.Err)
			out.Code, out.Message, out.Hint, out.Data = known.Code, known.Message, known.Hint, nil
		}
		return out, true
	case chat.ToolHeld:
		return chatEvent{Event: "tool_held", Tool: e.Call.Name, Arguments: e.Call.Arguments, Message: e.Warning}, true
	case chat.Corrected:
		return chatEvent{Event: "corrected"}, true
	case chat.Missed:
		known := errorOf(e.Err)
		return chatEvent{Event: "missed", Command: e.What, Code: known.Code, Message: known.Message}, true
	case chat.ToolsLeftOut:
		return chatEvent{Event: "tools_left_out", IDs: e.Names}, true
	}
	return chatEvent{}, false
}
