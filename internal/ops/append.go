package ops

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ingest"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// AppendIn is the input of append.
type AppendIn struct {
	Turns   []AppendTurn `json:"turns" opt:"required" doc:"what was said, in order, at most 10,000 turns" agents:"in order"`
	Session string       `json:"session,omitempty" values:"session" doc:"id of the session (default: the caller's own)" agents:"default: your own"`
}

// AppendTurn is one message to append.
type AppendTurn struct {
	Role    string       `json:"role" doc:"user, assistant, system or tool"`
	Content string       `json:"content,omitempty" doc:"what was said, or what the tool returned"`
	At      string       `json:"at,omitempty" doc:"when: RFC 3339 time (default: now)"`
	Name    string       `json:"name,omitempty" doc:"the speaker's name if there are several; for a tool turn, the tool"`
	ID      string       `json:"id,omitempty" tool:"-" doc:"the caller's own id of the message; a repeated id is kept once"`
	Calls   []AppendCall `json:"tool_calls,omitempty" doc:"tools the assistant called, as in OpenAI's protocol"`
	CallID  string       `json:"tool_call_id,omitempty" doc:"id of the call that a tool turn answers"`
}

// AppendCall is a tool call, in the nested form of OpenAI's protocol or flat. Models know
// both.
type AppendCall struct {
	ID        string `json:"id" tool:"-" doc:"id of the call"`
	Name      string `json:"name,omitempty" tool:"-" doc:"name of the tool"`
	Arguments any    `json:"arguments,omitempty" tool:"-" doc:"a JSON object, or the text of one"`
	Type      string `json:"type,omitempty" tool:"-" doc:"always function"`
	Function  struct {
		Name      string `json:"name,omitempty" tool:"-" doc:"name of the tool"`
		Arguments any    `json:"arguments,omitempty" tool:"-" doc:"a JSON object, or the text of one"`
	} `json:"function,omitzero" tool:"-" doc:"name and arguments, as in OpenAI's protocol"`
}

// call converts the call to the form that is stored.
func (c AppendCall) call() (strata.ToolCall, error) {
	out := strata.ToolCall{ID: c.ID, Name: cmp.Or(c.Name, c.Function.Name)}
	arguments := c.Arguments
	if arguments == nil {
		arguments = c.Function.Arguments
	}
	switch a := arguments.(type) {
	case nil:
	case string:
		out.Arguments = a
	default:
		data, err := schema.Marshal(a)
		if err != nil {
			return out, err
		}
		out.Arguments = string(data)
	}
	return out, nil
}

// Appended reports what became of the appended turns.
type Appended struct {
	Session string                `json:"session" tool:"-" doc:"the session of the turns"`
	Scope   string                `json:"scope" tool:"-" doc:"who owns it"`
	Added   int64                 `json:"added" doc:"turns that were added"`
	Known   int64                 `json:"known" tool:"-" doc:"turns that were already kept"`
	Left    []NotKept             `json:"left,omitempty" tool:"-" doc:"what was not kept as a turn, and why"`
	Facts   []upkeep.IngestedFact `json:"facts" doc:"what was kept of them as facts, what was not, and why"`
}

func appendOp() operation.Operation {
	return operation.Op[AppendIn, Appended]{
		Info: operation.Info{
			Name:    "append",
			Summary: "Keep turns of a conversation",
			Description: "Adds turns to a session, creating it if needed, and extracts facts from them. Turns sent again, alone or with later ones, are kept " +
				"once: they are matched by id, or else against the end of the session.",
			Advice:   "Keeps what was said in a conversation, word for word. Call it when nothing else keeps your turns; repeated turns are kept once.",
			Toolset:  operation.CoreTools,
			Extracts: true,
			Examples: []operation.Example{
				{Doc: "a question and its answer", Input: `{"session": "monday", "turns": [{"role": "user", "content": "My cat is called Tom"}, {"role": "assistant", "content": "Noted"}]}`},
			},
		},
		Handle: handleAppend,
	}
}

func handleAppend(ctx context.Context, env *operation.Env, in AppendIn) (Appended, error) {
	if in.Session == "" {
		in.Session = env.Session
	}
	if in.Session == "" {
		return Appended{}, strata.Invalid("append", "session is missing, and the caller has no session of its own", "name one")
	}
	s := strata.Session{ID: in.Session, Scope: env.MainScope(), Kind: env.View.Session}
	if known, err := env.Engine.FindSession(ctx, env.View, in.Session); err == nil {
		s = known
	} else if strata.CodeOf(err) != strata.CodeNotFound {
		return Appended{}, err
	}
	if len(in.Turns) == 0 {
		return Appended{}, strata.Invalid("append", "turns is empty", "give the turns, in order")
	}
	turns := make([]strata.Turn, len(in.Turns))
	for i, t := range in.Turns {
		var err error
		if turns[i], err = t.turn(env); err != nil {
			return Appended{}, fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	r, err := ingest.Append(ctx, env.Engine, s, turns)
	if err != nil {
		return Appended{}, err
	}
	all := ingestedOf(r)
	return Appended{Session: s.ID, Scope: s.Scope.Key(), Added: all.Added, Known: all.Known, Left: all.Left, Facts: all.Facts}, nil
}

// turn converts the message to a turn.
func (t AppendTurn) turn(env *operation.Env) (strata.Turn, error) {
	at, err := env.ParseTime("at", t.At)
	if err != nil {
		return strata.Turn{}, err
	}
	out := strata.Turn{ID: t.ID, Role: strata.Role(strings.ToLower(t.Role)), Text: t.Content, At: at, CallID: t.CallID}
	if out.Role == strata.RoleTool {
		out.Tool = t.Name
	} else {
		out.Speaker = t.Name
	}
	for _, c := range t.Calls {
		call, err := c.call()
		if err != nil {
			return out, err
		}
		out.Calls = append(out.Calls, call)
	}
	return out, out.Role.Validate()
}
