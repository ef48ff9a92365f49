// Package ollama connects Strata to an Ollama server: chat with streaming and
// tools, embeddings, and the context length of a model.
//
//	server, err := ollama.New(ollama.Options{})
//	if err != nil { ... }
//	defer server.Close()
//	chat := server.Chat("qwen3:4b")
//	embedder := server.Embedder("nomic-embed-text", 0)
//
// Requests and answers have the types of the official package
// github.com/ollama/ollama/api. Its client is not used: it takes an interrupted answer
// for a complete one, drops the wait that a busy server asks for, allocates 8 MB per
// call, and signs requests with the user's key if an environment variable says so. This
// package reads no environment variable.
package ollama

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
	"github.com/strata-memory/strata/llm"
)

// DefaultBaseURL is where an Ollama server listens by default.
const DefaultBaseURL = "http://127.0.0.1:11434"

// DefaultBatch is how many texts are embedded in one request. Ollama embeds the texts of
// a request concurrently, so a larger batch is not faster and delays cancellation.
const DefaultBatch = 32

// Options describe a server. The zero value is the one on this machine.
type Options struct {
	// BaseURL is the server's address; empty means DefaultBaseURL. "http://" may be
	// omitted.
	BaseURL string
	// Guard bounds each call; see [llm.GuardOptions]. Each model has its own breaker.
	Guard llm.GuardOptions
	// Batch is the maximum number of texts in one embedding request; 0 means
	// DefaultBatch.
	Batch int
	// Transport carries the requests; nil means a private one without a proxy.
	Transport http.RoundTripper
}

// Client is a connection to a server. It is safe for concurrent use.
type Client struct {
	server *wire.Server
}

// New checks the options. It does not connect: the first call reports a server that is
// not there.
func New(o Options) (*Client, error) {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	server, err := wire.NewServer(wire.Config{
		BaseURL: o.BaseURL, Transport: o.Transport,
		Guard: o.Guard, Batch: o.Batch, DefaultBatch: DefaultBatch,
		Hints: wire.Hints{
			Down:    "start the server (ollama serve), or check the base URL",
			Missing: "ollama pull %s",
			Denied:  "check how the server is reached: Ollama itself asks for no key",
		},
	})
	if err != nil {
		return nil, err
	}
	return &Client{server: server}, nil
}

// Close closes idle connections. Calls in progress continue.
func (c *Client) Close() error { return c.server.Close() }

// Chat returns the named model, guarded as [llm.GuardChat] describes.
func (c *Client) Chat(model string) llm.Chat {
	return c.server.Chat(&chat{server: c.server, model: model})
}

// Embedder returns the named embedding model. dimensions is the expected length of its
// vectors; with 0 it is that of the first answer, and Dimensions returns 0 until then. An
// answer with another length is corrupt.
//
// Its Model is "ollama/NAME", so vectors of different models are never compared. Of a
// text longer than the model's context, Ollama embeds the beginning.
func (c *Client) Embedder(model string, dimensions int) llm.Embedder {
	return c.server.Embedder(wire.EmbedderConfig{
		Name: "ollama/" + model, Dimensions: dimensions,
		Post: func(ctx context.Context, texts []string) ([]json.RawMessage, error) {
			return embed(ctx, c.server, model, texts)
		},
	})
}

func embed(ctx context.Context, server *wire.Server, model string, texts []string) ([]json.RawMessage, error) {
	const op = "embed"
	if model == "" {
		return nil, strata.Invalid(op, "no model is named", "name an embedding model, such as nomic-embed-text")
	}
	resp, err := server.Post(ctx, "/api/embed", api.EmbedRequest{Model: model, Input: texts})
	if err != nil {
		return nil, server.Explain(op, model, err)
	}
	defer resp.Body.Close()
	var answer struct {
		Embeddings []json.RawMessage `json:"embeddings"`
	}
	return answer.Embeddings, server.Decode(op, model, resp.Body, &answer)
}

// ContextLength asks the server for the context length that a model was trained for, in
// tokens; 0 means that the server does not say. [llm.Request].Window sets how much of it
// a request uses; otherwise Ollama chooses by available memory.
func (c *Client) ContextLength(ctx context.Context, model string) (int, error) {
	const op = "show model"
	resp, err := c.server.Post(ctx, "/api/show", api.ShowRequest{Model: model})
	if err != nil {
		return 0, c.server.Explain(op, model, err)
	}
	defer resp.Body.Close()
	var answer struct {
		Info map[string]json.RawMessage `json:"model_info"`
	}
	if err := c.server.Decode(op, model, resp.Body, &answer); err != nil {
		return 0, err
	}
	return contextLength(answer.Info), nil
}

// contextLength finds "ARCHITECTURE.context_length". If a model has several parts, such
// as one for images, the architecture says which one counts.
func contextLength(info map[string]json.RawMessage) int {
	var architecture string
	// If it is missing or invalid, the length of any part will do.
	_ = json.Unmarshal(info["general.architecture"], &architecture)
	if n := positive(info[architecture+".context_length"]); n > 0 {
		return n
	}
	best := 0
	for key, value := range info {
		if strings.HasSuffix(key, ".context_length") {
			best = max(best, positive(value))
		}
	}
	return best
}

// positive returns a JSON number as an int; 0 if it is not a number or out of range.
func positive(raw json.RawMessage) int {
	var n float64
	if json.Unmarshal(raw, &n) != nil || n < 1 || n > math.MaxInt32 {
		return 0
	}
	return int(n)
}
