// Package llm defines the interfaces to language models and embedders.
package llm

import (
	"context"
	"encoding/json"

	"github.com/strata-memory/strata"
)

// Chat is a language model that answers a conversation. It is safe for
// concurrent use.
type Chat interface {
	// Model names the model as its server knows it ("qwen3:4b", "gpt-4o").
	Model() string
	// Chat answers req. The answer is streamed: onDelta gets each part, in order and in
	// the calling goroutine, as it arrives; it may be nil. An error from onDelta stops
	// the call and is returned.
	//
	// If the call fails partway, the reply holds what has arrived. Errors are
	// [strata.Error]: unavailable (the server cannot be reached, is overloaded or timed
	// out), too_large (the request exceeds the model's context), invalid (the server
	// refused the request), not_found (it has no such model), denied (the key), corrupt
	// (the answer makes no sense), unsupported (the model or server has no tools, schemas
	// or images), canceled (ctx ended).
	Chat(ctx context.Context, req Request, onDelta func(Delta) error) (Reply, error)
}

// Request is a request to a model. Only Messages must be set.
type Request struct {
	Messages []Message
	Tools    []Tool
	// Schema is the JSON schema the answer must follow; nil means free text.
	Schema json.RawMessage
	// MaxTokens bounds the answer; 0 leaves it to the server.
	MaxTokens int
	// Window is the context length to request from the server, in tokens; 0 leaves it to
	// the server. Only Ollama supports this.
	Window int
	// Temperature is the sampling temperature; nil means the server's default.
	Temperature *float64
}

// Message is one message of a request or the reply.
type Message struct {
	Role   strata.Role
	Text   string
	Images []strata.Image
	// Calls are the tool calls of an assistant message.
	Calls []strata.ToolCall
	// CallID and Tool say which call a tool message answers.
	CallID string
	Tool   string
}

// Tool describes a tool to a model.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON schema of the arguments, an object
}

// Delta is a part of a streamed answer. The texts of all parts add up to the text of the
// reply. An adapter also sends empty parts, as signs of life while the model writes a
// tool call; [GuardChat] does not pass these on.
type Delta struct {
	Text string
	// Reasoning is the model's thinking before its answer. It may be shown, but is not
	// part of the conversation.
	Reasoning string
}

// Reply is a model's whole answer.
type Reply struct {
	Message Message // role assistant
	Usage   Usage
	Stop    Stop
}

// Usage is the cost of a call in tokens, as the server counted it. Both are 0 if the
// server does not say.
type Usage struct {
	Prompt     int // the whole request
	Completion int // the answer
}

// Stop says why an answer ended.
type Stop string

// The reasons to stop.
const (
	StopEnd    Stop = "end"    // the model was done
	StopLength Stop = "length" // the limit of tokens was reached
	StopTools  Stop = "tools"  // the model waits for its tool calls
	StopFilter Stop = "filter" // the server withheld the rest
)

// Embedder turns texts into vectors whose closeness follows their meaning.
// It is safe for concurrent use.
type Embedder interface {
	// Model names the model and everything else that changes its vectors
	// ("builtin/words-384@3"). Vectors of different names are never compared.
	Model() string
	// Dimensions is the length of every vector, fixed for the model.
	Dimensions() int
	// Embed returns one vector of unit length for each text, in order. A text
	// without any content may yield the zero vector.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// InProcess marks an [Embedder] that computes in this process, in microseconds per text,
// without waiting for anything. It may be called for a few texts at a time, and during a
// transaction.
type InProcess interface {
	Embedder
	// InProcess does nothing.
	InProcess()
}

// Roles are the models a program works with. Work that a cheap model does equally well
// (extraction, summaries) uses the small one.
type Roles struct {
	// Default answers the user. It may be nil: then there is no model.
	Default Chat
	// Small is a cheaper model; nil means that Default also does its work.
	Small Chat
}

// ForSmallWork returns Small, or Default if there is no small model. It returns nil if
// there is neither.
func (r Roles) ForSmallWork() Chat {
	if r.Small != nil {
		return r.Small
	}
	return r.Default
}
