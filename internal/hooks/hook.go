// Package hooks answers the hooks of coding agents from memory: what an agent should know
// when a session begins, what bears on a prompt, and what an earlier decision or failure
// says about a file or command before it is changed or run.
//
// A hook must never stand in the way: it says nothing that memory is not sure of, and an
// answer that comes too late is dropped.
package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// Event is the event at which an agent calls a hook, as the command line names it.
type Event string

// The events, with the names that Claude Code gives them.
const (
	SessionStart Event = "session-start" // SessionStart: a session begins, resumes, or was compacted
	Prompt       Event = "prompt"        // UserPromptSubmit: the user has written
	PreTool      Event = "pre-tool"      // PreToolUse: a tool is about to run
	PreCompact   Event = "pre-compact"   // PreCompact: the conversation is about to be summarized
	Stop         Event = "stop"          // Stop: the agent has answered
	SessionEnd   Event = "session-end"   // SessionEnd: the session is over
)

// Events returns all events, in the order in which they occur in a session.
func Events() []Event {
	return []Event{SessionStart, Prompt, PreTool, PreCompact, Stop, SessionEnd}
}

// TakesIn reports whether an event calls for ingesting the transcript rather than for an
// answer from memory.
func (e Event) TakesIn() bool { return e == PreCompact || e == Stop || e == SessionEnd }

// Input is what Claude Code writes to the standard input of a hook; Codex and others use
// the same field names.
type Input struct {
	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path"`
	Event      string          `json:"hook_event_name"`
	Prompt     string          `json:"prompt"`
	Tool       string          `json:"tool_name"`
	Arguments  json.RawMessage `json:"tool_input"`
}

// maxInput bounds the input, in bytes. It can be long: the arguments of a tool that
// writes a file include its content.
const maxInput = 32 << 20

// Read reads the input of a hook. It returns invalid for input that is not a JSON object,
// and too_large for more than 32 MiB.
func Read(r io.Reader) (Input, error) {
	var in Input
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	switch {
	case err != nil:
		return in, err
	case len(data) > maxInput:
		return in, &strata.Error{Code: strata.CodeTooLarge, Op: "hook", Message: "the input of the hook is larger than 32 MiB", Hint: "leave it to the agent to call the hook"}
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return in, strata.Invalid("hook", "the input of the hook is not the JSON that agents write: "+err.Error(), "an agent calls it; strata connect claude-code sets that up")
	}
	return in, nil
}

// Answer returns what memory has to say at an event, as a block for the prompt; empty for
// nothing.
func Answer(ctx context.Context, env *operation.Env, e Event, in Input) (string, error) {
	switch e {
	case SessionStart:
		return start(ctx, env)
	case Prompt:
		return bearing(ctx, env, in)
	case PreTool:
		return beforehand(ctx, env, in)
	}
	return "", nil
}

// Reply returns the line of JSON that an agent reads from a hook. It adds a text to what
// the model sees; it makes no decision for the agent.
func Reply(in Input, text string) ([]byte, error) {
	type specific struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the output is not HTML
	err := e.Encode(struct {
		Specific specific `json:"hookSpecificOutput"`
	}{specific{in.Event, text}})
	return b.Bytes(), err
}

// Budgets of the answers, in tokens.
const (
	startTokens = 1500
	hintTokens  = 800
)

// start returns what an agent should know at the start of a session.
func start(ctx context.Context, env *operation.Env) (string, error) {
	known, err := ops.ContextOf(ctx, env, ops.ContextIn{MaxTokens: startTokens})
	if err != nil || len(known.Parts) == 0 {
		return "", err
	}
	return known.Text, nil
}

// block formats hits as data, with their dates and marks.
func block(intro string, hits []ops.Hit) string {
	if len(hits) == 0 {
		return ""
	}
	var b strings.Builder
	for _, h := range hits {
		where := h.Where
		if where == "" {
			where = h.ID
		}
		b.WriteString("- " + fence.Item(fence.Cut(fence.Line(h.Text), maxHit), []string{h.At.Format(time.DateOnly), where}, h.Notes) + "\n")
	}
	return fence.Block("strata-memory", intro+" "+fence.AsData, b.String())
}

// maxHit is how much of a hit is shown, in characters.
const maxHit = 600
