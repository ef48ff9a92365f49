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
	// Memory is what the agent remembers with. The agent does not close it.
	Memory *engine.Engine
	// Talk says which conversation it is, what it may see, and where its turns
	// go. Without limits of its own the snapshot takes at most a quarter of the
	// window.
	Talk engine.TalkOptions
	// Scope takes everything that is saved; the zero Scope lets each fact go
	// where its type belongs.
	Scope strata.Scope

	// Model answers.
	Model llm.Chat
	// Small extracts facts and writes summaries; nil: Model.
	Small llm.Chat
	// Window is the context of Model in tokens; 0: see [Window]. SmallWindow is
	// that of Small; 0: Window.
	Window, SmallWindow int
	// ContextLength asks the server how much a model reads at once, as the
	// clients in llm/ollama and llm/openai do; nil: nobody is asked.
	ContextLength func(ctx context.Context, model string) (int, error)
	// Temperature of answers; nil: the server's own.
	Temperature *float64

	// System follows the built-in system prompt; empty: nothing does.
	System string
	// Tools are the caller's own, in addition to those of memory.
	Tools []Tool
	// Rounds is how often the model may call tools for one message of the user;
	// 0: 12.
	Rounds int
	// NoRecall switches automatic recall off; the memory tools stay.
	NoRecall bool

	// OnEvent is called for what happens while an answer is made, in order: with
	// the events of this package and those of package contextmgr. It must not
	// call the agent, save for [Agent.Usage].
	OnEvent func(event any)
	// OnDelta is called with each part of the answer as it arrives; an error from
	// it stops the answer.
	OnDelta func(llm.Delta) error
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Tool is a tool of the caller's own.
type Tool struct {
	llm.Tool
	// Run does the work. The arguments are a JSON object, which need not follow
	// the schema. The text goes to the model; so does an error, in its place.
	Run func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// defaultRounds is enough to search, read on and save a few facts. A model that
// repeats itself for as long costs minutes, not hours.
const defaultRounds = 12

//go:embed prompts/system.md
var promptSystem string

// check reports what is missing.
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
