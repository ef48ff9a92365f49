// Package openai connects Strata to servers that speak OpenAI's protocol: OpenAI itself,
// llama.cpp, vLLM, LM Studio, Ollama's /v1, gateways.
//
//	server, err := openai.New(openai.Options{BaseURL: "https://api.openai.com/v1", APIKey: key})
//	if err != nil { ... }
//	defer server.Close()
//	chat := server.Chat("gpt-5-mini")
//	embedder := server.Embedder("text-embedding-3-small", 0)
//
// It encodes the few fields it needs itself: the official package would make up a third
// of the program, reads the environment, describes the machine in headers and retries.
// This package reads no environment variable.
package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
	"github.com/strata-memory/strata/llm"
)

// DefaultBatch is how many texts are embedded in one request. OpenAI takes
// 2,048; servers on one machine take far less.
const DefaultBatch = 64

// Options describe a server. BaseURL must be set.
type Options struct {
	// BaseURL is where the API starts; for most servers it ends in /v1. "http://" may be
	// omitted. There is no default, so that nothing is sent to a server that was not
	// named.
	BaseURL string
	// APIKey is sent as a bearer token; empty sends none. It does not appear in errors
	// and logs, and is not sent to another host after a redirect.
	APIKey string
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
		return nil, strata.Invalid("connect to model server", "no base URL is given",
			"name the server, such as http://127.0.0.1:8080/v1 or https://api.openai.com/v1")
	}
	server, err := wire.NewServer(wire.Config{
		BaseURL: o.BaseURL, Key: o.APIKey, Transport: o.Transport,
		Guard: o.Guard, Batch: o.Batch, DefaultBatch: DefaultBatch,
		Hints: wire.Hints{
			Down:    "start the server, or check the base URL",
			Missing: "check the name %s against the server's list of models, and that the base URL ends where its API begins (often /v1)",
			Denied:  "check the API key, and that it may use this model",
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
	inner := &chat{client: c, model: model, habits: new(atomic.Uint32)}
	if c.server.Host() == "api.openai.com" {
		inner.habits.Store(uint32(wantsCompletionTokens))
	}
	return c.server.Chat(inner)
}

// Embedder returns the named embedding model. dimensions is the expected length of its
// vectors; with 0 it is that of the first answer, and Dimensions returns 0 until then. An
// answer with another length is corrupt.
//
// Its Model is "openai/NAME", without the server's address: two servers that serve a
// model under one name share its vectors, and a server that moves keeps them. Different
// models must therefore have different names.
//
// Of a text that the server finds too long, the beginning is embedded.
func (c *Client) Embedder(model string, dimensions int) llm.Embedder {
	return c.server.Embedder(wire.EmbedderConfig{
		Name: "openai/" + model, Dimensions: dimensions,
		Post: func(ctx context.Context, texts []string) ([]json.RawMessage, error) {
			return c.embed(ctx, model, texts)
		},
	})
}

// embeddingRequest is the body of POST /embeddings.
type embeddingRequest struct {
	Model string   `json:"model"`
	Input []string `json:"input"`
}

func (c *Client) embed(ctx context.Context, model string, texts []string) ([]json.RawMessage, error) {
	const op = "embed"
	if model == "" {
		return nil, strata.Invalid(op, "no model is named", "name an embedding model of the server")
	}
	resp, err := c.server.Post(ctx, "/embeddings", embeddingRequest{Model: model, Input: texts})
	if err != nil {
		return nil, c.server.Explain(op, model, err)
	}
	defer resp.Body.Close()
	var answer struct {
		Data []struct {
			Index     int             `json:"index"`
			Embedding json.RawMessage `json:"embedding"`
		} `json:"data"`
	}
	if err := c.server.Decode(op, model, resp.Body, &answer); err != nil {
		return nil, err
	}
	// Servers may answer in any order, and some number every vector 0.
	out, numbered := make([]json.RawMessage, len(answer.Data)), true
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(out) || out[d.Index] != nil {
			numbered = false
			break
		}
		out[d.Index] = d.Embedding
	}
	if numbered {
		return out, nil
	}
	for i, d := range answer.Data {
		if d.Index != 0 {
			return nil, c.server.Corrupt(op, fmt.Sprintf("vector %d has the number %d", i, d.Index), nil)
		}
		out[i] = d.Embedding
	}
	return out, nil
}

// ContextLength asks the server for the context length of a model, in tokens. The
// protocol has no field for it; vLLM, OpenRouter, LM Studio, Groq and llama.cpp each have
// their own. 0 means that the server does not say.
func (c *Client) ContextLength(ctx context.Context, model string) (int, error) {
	const op = "show model"
	resp, err := c.server.Get(ctx, "/models")
	if err != nil {
		return 0, c.server.Explain(op, model, err)
	}
	defer resp.Body.Close()
	var answer struct {
		Data []struct {
			ID   string `json:"id"`
			Meta struct {
				Running float64 `json:"n_ctx"`
				Trained float64 `json:"n_ctx_train"`
			} `json:"meta"`
			MaxModelLen      float64 `json:"max_model_len"`
			ContextLength    float64 `json:"context_length"`
			ContextWindow    float64 `json:"context_window"`
			MaxContextLength float64 `json:"max_context_length"`
		} `json:"data"`
	}
	if err := c.server.Decode(op, model, resp.Body, &answer); err != nil {
		return 0, err
	}
	for _, m := range answer.Data {
		if m.ID != model {
			continue
		}
		for _, n := range []float64{m.MaxModelLen, m.ContextLength, m.ContextWindow, m.MaxContextLength, m.Meta.Running, m.Meta.Trained} {
			if n >= 1 && n <= math.MaxInt32 {
				return int(n), nil
			}
		}
		return 0, nil
	}
	return 0, &strata.Error{
		Code: strata.CodeNotFound, Op: op,
		Message: "the model server at " + c.server.Host() + " does not list " + model,
		Hint:    "check the name against the server's list of models",
	}
}
