// Package chat implements the agent loop: it connects a model, the tools of memory and
// the context manager for one conversation.
//
//	agent, err := chat.New(ctx, chat.Options{Memory: mem, Model: server.Chat("qwen3:4b")})
//	if err != nil { ... }
//	defer agent.Close(ctx)
//	answer, err := agent.Send(ctx, "My cat's name is Whiskerino")
//
// # Life of a message
//
// [Agent.Send] puts the message into the ledger, asks the model, runs the tools that it
// calls, returns their results and asks again, until the model answers without a call or
// the limit on rounds is reached. The context manager does the counting, flushing,
// compaction and recall; see package contextmgr.
//
//   - A call that cannot be run (malformed arguments, no such tool, a tool that
//     fails) becomes a result that says what to change.
//   - A call that failed before with the same arguments is held back once, with the
//     reason for that failure. If the model repeats it, it runs.
//   - The outcome of each call is stored, and a message in which the user
//     corrects the assistant becomes a learning for later sessions.
//
// # Sessions
//
// A conversation is a session of the memory. [Agent.Close] saves the facts of the latest
// turns and leaves the session open, so that it can continue later by its id.
// [Agent.Reset] ends it and starts a new one; memory stays. [FlushSession] saves the
// facts of a session whose process was killed.
//
// # Errors
//
// All are a [strata.Error] or wrap one: unavailable (there is no model, or it does not
// answer), conflict (the session is closed), too_large (the window is too small, or the
// model does not stop calling tools), canceled, and those of the model and the memory.
// After an error the conversation is intact: the user's message and the received part of
// the answer stay.
package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/learnings"
	"github.com/strata-memory/strata/llm"
)

// run makes one call and returns its result as a turn. A failure is also a result, for
// the model to read. A call that failed before with the same arguments is held back the
// first time.
func (a *Agent) run(ctx context.Context, c *current, call strata.ToolCall, text string, held map[string]bool) strata.Turn {
	if ctx.Err() != nil {
		return failed(call, "not run: the user interrupted")
	}
	key := call.Name + " " + learnings.ParamsHash(call.Arguments)
	if !held[key] {
		warning, repeats, err := c.talk.Repeats(ctx, call)
		if err != nil {
			a.opt.OnEvent(Missed{What: "looking for failures of " + call.Name, Err: err})
		}
		if repeats {
			held[key] = true
			a.opt.OnEvent(ToolHeld{Call: call, Warning: warning})
			return failed(call, "not run yet: "+warning+" Change the call, or make it again to run it nevertheless.")
		}
	}
	a.opt.OnEvent(ToolStarted{Call: call})
	began := a.opt.Now()
	result, output, err := a.call(ctx, c, call)
	a.opt.OnEvent(ToolFinished{Call: call, Output: output, Err: err, Took: a.opt.Now().Sub(began)})
	if len(result) > strata.MaxTurnBytes {
		err = &strata.Error{Code: strata.CodeTooLarge, Message: fmt.Sprintf("the result has %d bytes", len(result)), Hint: "ask for less"}
	}
	turn := strata.Turn{Role: strata.RoleTool, Text: result, CallID: call.ID, Tool: call.Name}
	failure := ""
	if err != nil {
		failure = explain(err)
		turn = failed(call, failure)
	}
	if ctx.Err() != nil {
		return turn // an interrupted call teaches nothing
	}
	if err := c.talk.RecordToolCall(ctx, call, failure, purpose(text)); err != nil {
		a.opt.OnEvent(Missed{What: "keeping what became of " + call.Name, Err: err})
	}
	return turn
}

// failed returns the result of a call that did not succeed.
func failed(call strata.ToolCall, why string) strata.Turn {
	return strata.Turn{Role: strata.RoleTool, Text: why, CallID: call.ID, Tool: call.Name, Failed: true}
}

// purpose says in a few words what a call was for: what the user had asked.
func purpose(text string) string {
	const most = 120 // characters
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return "the user had said: " + text
}

// call runs the tool that a call names.
func (a *Agent) call(ctx context.Context, c *current, call strata.ToolCall) (result string, output any, err error) {
	if t, ok := a.tools.memory[call.Name]; ok {
		answer, err := t.Call(ctx, a.env(c), a.bounded(ctx, t, c, call.Arguments))
		return answer.Text, answer.Output, err
	}
	t, ok := a.tools.own[call.Name]
	if !ok {
		return "", nil, &strata.Error{Code: strata.CodeNotFound, Message: "there is no tool of that name",
			Hint: "the tools are: " + strings.Join(a.tools.names(), ", ")}
	}
	arguments, err := object(call.Arguments)
	if err != nil {
		return "", nil, err
	}
	result, err = guarded(ctx, t, arguments)
	return result, result, err
}

// guarded runs one of the caller's tools. A panic in it is returned as an error.
func guarded(ctx context.Context, t Tool, arguments json.RawMessage) (result string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &strata.Error{Code: strata.CodeInternal, Message: fmt.Sprintf("the tool crashed: %v", v)}
		}
	}()
	return t.Run(ctx, arguments)
}

// env returns the environment for memory tools.
func (a *Agent) env(c *current) *operation.Env {
	return &operation.Env{
		Engine: a.opt.Memory, View: c.talk.View(), Scope: a.opt.Scope,
		Workspace: a.opt.Talk.Workspace, Agent: a.opt.Talk.Agent, Session: c.talk.ID(), Shown: c.mgr.Shown(), Origin: strata.OriginTool,
		Model: llm.Roles{Default: a.opt.Model, Small: a.opt.Small}.ForSmallWork(),
	}
}

// object decodes the arguments that a model wrote.
func object(written string) (json.RawMessage, error) {
	if strings.TrimSpace(written) == "" {
		return json.RawMessage("{}"), nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(written), &fields); err != nil {
		return nil, strata.Invalid("", "the arguments are no JSON object: "+err.Error(), "write them again as one JSON object")
	}
	return json.RawMessage(written), nil
}

const (
	// resultShare is how much of the budget the result of a memory tool may take.
	resultShare = 0.2
	// pageShare is the share of the available room that the text of a reopened page may
	// take; the rest is for remarks about it.
	pageShare = 0.75
)

// bounded limits the result of a memory tool to what the window can take. It leaves
// invalid arguments unchanged: the tool reports what is wrong.
func (a *Agent) bounded(ctx context.Context, t ops.Tool, c *current, written string) []byte {
	const field = "max_tokens"
	takes := false
	for _, p := range t.Input.Properties {
		takes = takes || p.Name == field
	}
	fields := make(map[string]json.RawMessage)
	if !takes || strings.TrimSpace(written) != "" && json.Unmarshal([]byte(written), &fields) != nil || fields == nil {
		return []byte(written)
	}
	most := int(resultShare * float64(a.budget()))
	if t.Name == expandTool {
		most = int(pageShare * float64(c.mgr.Fits(ctx)))
	}
	most = max(most, 100)
	asked := 0
	if data, ok := fields[field]; ok && json.Unmarshal(data, &asked) != nil || asked < 0 {
		return []byte(written)
	}
	if asked == 0 || asked > most {
		fields[field] = json.RawMessage(fmt.Sprint(most))
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return []byte(written)
	}
	return data
}

// explain returns an error for the model to read: the code, what is wrong, and what to do
// about it.
func explain(err error) string {
	var known *strata.Error
	switch {
	case errors.As(err, &known) && known.Message != "":
		text := string(known.Code) + ": " + known.Message
		if known.Hint != "" {
			text += " (" + known.Hint + ")"
		}
		return text
	case errors.Is(err, context.DeadlineExceeded):
		return "canceled: time ran out"
	case errors.Is(err, context.Canceled):
		return "canceled: the user interrupted"
	}
	return err.Error()
}
