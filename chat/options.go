package chat

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/llm"
)

// Options configure an [Agent]. Memory and Model must be set.
type Options struct {
	// Memory is the agent's memory. The agent does not close it.
	Memory *engine.Engine
	// Talk says which conversation to open, what it may see and where its turns go.
	// Without limits of its own, the snapshot takes at most a quarter of the window.
	Talk engine.TalkOptions
	// Scope receives everything that is saved; the zero Scope lets each fact go to the
	// scope that suits its type.
	Scope strata.Scope

	// Model answers.
	Model llm.Chat
	// Small extracts facts and writes summaries; nil means Model.
	Small llm.Chat
	// Window is the context size of Model in tokens; 0 means the result of [Window].
	// SmallWindow is that of Small; 0 means Window.
	Window, SmallWindow int
	// ContextLength asks the server for the context size of a model, as the clients in
	// llm/ollama and llm/openai do; nil means that no server is asked.
	ContextLength func(ctx context.Context, model string) (int, error)
	// Temperature is the temperature for answers; nil means the server's default.
	Temperature *float64

	// System is appended to the built-in system prompt; it may be empty.
	System string
	// Tools are the caller's own tools, in addition to those of memory.
	Tools []Tool
	// Rounds is how often in a row the model may call tools for one user message; 0 means
	// 12.
	Rounds int
	// NoRecall disables automatic recall; the memory tools stay.
	NoRecall bool

	// OnEvent is called, in order, with the events of this package and of package
	// contextmgr. It must not call the agent, except [Agent.Usage].
	OnEvent func(event any)
	// OnDelta is called with each part of the answer as it arrives; if it returns an
	// error, the answer stops.
	OnDelta func(llm.Delta) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Tool is one of the caller's own tools.
type Tool struct {
	llm.Tool
	// Run does the work. The arguments are a JSON object, which may violate the schema.
	// The model gets the text, or the error instead.
	Run func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// defaultRounds is enough to search, read on and save a few facts, and stops a model that
// repeats itself within minutes, not hours.
const defaultRounds = 12

//go:embed prompts/system.md
var promptSystem string

// check returns an error if something required is missing.
func (o Options) check() error {
	const op = "open chat"
	switch {
	case o.Memory == nil:
		return strata.Invalid(op, "there is no memory", "set Options.Memory, such as what local.Open returns")
	case o.Model == nil:
		return &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "there is no model",
			Hint: "set Options.Model, such as the Chat of a client in llm/ollama or llm/openai"}
	}
	for _, t := range o.Tools {
		if t.Name == "" || t.Run == nil {
			return strata.Invalid(op, "a tool has no name or nothing to run", "set both")
		}
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.Rounds == 0 {
		o.Rounds = defaultRounds
	}
	if o.OnEvent == nil {
		o.OnEvent = func(any) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
