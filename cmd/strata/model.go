package main

import (
	"context"
	"io"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/llm/ollama"
	"github.com/strata-memory/strata/llm/openai"
)

// chatModels are the models named by the settings.
type chatModels struct {
	chat, small llm.Chat // small may be nil
	// length asks the server of chat for its context length.
	length      func(ctx context.Context, model string) (int, error)
	smallWindow int
	closers     []io.Closer
}

func (m *chatModels) close() {
	for _, c := range m.closers {
		_ = c.Close() // only drops idle connections, so an error does not matter
	}
}

// modelServer is a client for either protocol.
type modelServer interface {
	io.Closer
	Chat(model string) llm.Chat
	Embedder(model string, dimensions int) llm.Embedder
	ContextLength(ctx context.Context, model string) (int, error)
}

// chatModels connects to the models without sending anything yet.
func (a *app) chatModels() (*chatModels, error) {
	name := a.cfg.Get(config.Model)
	if name == "" {
		return nil, &strata.Error{Code: strata.CodeUnavailable, Message: "chat needs a model",
			Hint: "ollama pull qwen3:4b, then strata chat --model ollama:qwen3:4b (or --model openai:NAME --base-url URL); " +
				"strata demo shows the memory without one"}
	}
	m := new(chatModels)
	protocol, model, _ := strings.Cut(name, ":")
	server, err := a.modelServer(protocol, a.cfg.Get(config.BaseURL))
	if err != nil {
		return nil, err
	}
	m.closers = append(m.closers, server)
	m.chat, m.length = server.Chat(model), server.ContextLength
	if protocol == "ollama" {
		m.length = modestLength(server)
	}
	small := a.cfg.Get(config.SmallModel)
	if small == "" {
		return m, nil
	}
	smallProtocol, smallModel, _ := strings.Cut(small, ":")
	if smallProtocol != protocol {
		if server, err = a.modelServer(smallProtocol, ""); err != nil {
			m.close()
			return nil, err
		}
		m.closers = append(m.closers, server)
	}
	m.small = server.Chat(smallModel)
	return m, nil
}

// smallModel returns the model for small work named by the settings, for as long as the
// memory is open; nil if they name none.
func (a *app) smallModel() (llm.Chat, error) {
	if a.models == nil && a.cfg.Get(config.Model) != "" {
		models, err := a.chatModels()
		if err != nil {
			return nil, err
		}
		a.models = models
	}
	if a.models == nil {
		return nil, nil
	}
	return llm.Roles{Default: a.models.chat, Small: a.models.small}.ForSmallWork(), nil
}

// maxAsked bounds the context window that is requested of Ollama by default. Models claim
// up to a million tokens, and the server reserves memory for the whole window that is
// requested.
const maxAsked = 32_768

// modestLength returns a function that returns the context length of an Ollama model,
// limited to maxAsked.
func modestLength(server modelServer) func(context.Context, string) (int, error) {
	return func(ctx context.Context, model string) (int, error) {
		n, err := server.ContextLength(ctx, model)
		return min(n, maxAsked), err
	}
}

// modelServer returns the client for a protocol. An empty address means the default
// address of Ollama; the other protocol has no default.
func (a *app) modelServer(protocol, address string) (modelServer, error) {
	if protocol == "ollama" {
		return ollama.New(ollama.Options{BaseURL: address})
	}
	if address == "" {
		return nil, strata.Invalid("", "an openai: model needs the address of its server",
			"pass --base-url, such as https://api.openai.com/v1, or set base_url (embedder_url for an embedder)")
	}
	return openai.New(openai.Options{BaseURL: address, APIKey: a.getenv(a.cfg.Get(config.APIKeyEnv))})
}

// embedders are the embedding models named by the settings.
type embedders struct {
	wanted llm.Embedder                    // nil: the home keeps its model
	find   func(model string) llm.Embedder // finds an earlier model; nil if none is available
	server io.Closer                       // nil without one
}

// embedders connects to the embedder of the settings without sending anything yet.
// Without such a setting, nothing is ever sent.
func (a *app) embedders() (embedders, error) {
	setting := a.cfg.Get(config.Embedder)
	switch setting {
	case "":
		return embedders{}, nil
	case config.Builtin:
		return embedders{wanted: builtin.New()}, nil
	}
	protocol, model, _ := strings.Cut(setting, ":")
	server, err := a.modelServer(protocol, a.cfg.Get(config.EmbedderURL))
	if err != nil {
		return embedders{}, err
	}
	// Vectors made by an earlier model of the same server stay in use while those of the
	// new one are being made.
	find := func(name string) llm.Embedder {
		if p, earlier, ok := strings.Cut(name, "/"); ok && p == protocol {
			return server.Embedder(earlier, 0)
		}
		return nil
	}
	return embedders{wanted: server.Embedder(model, 0), find: find, server: server}, nil
}

func (e embedders) close() error {
	if e.server == nil {
		return nil
	}
	return e.server.Close()
}
