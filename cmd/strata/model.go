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

// chatModels are the models that the settings name.
type chatModels struct {
	chat, small llm.Chat // small may be nil
	// length asks the server of chat for its context length.
	length      func(ctx context.Context, model string) (int, error)
	smallWindow int
	closers     []io.Closer
}

func (m *chatModels) close() {
	for _, c := range m.closers {
		_ = c.Close() // it drops idle connections; there is nothing to be done about an error
	}
}

// modelServer is a client of either protocol.
type modelServer interface {
	io.Closer
	Chat(model string) llm.Chat
	Embedder(model string, dimensions int) llm.Embedder
	ContextLength(ctx context.Context, model string) (int, error)
}

// chatModels connects to the models. Nothing is sent yet.
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

// smallModel is the model for small work that the settings name, for as long as the
// memory is open; nil where they name none.
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

// maxAsked bounds the window that is asked of Ollama unless somebody says
// otherwise. Models name up to a million tokens, and the server sets memory
// aside for all that it is asked for.
const maxAsked = 32_768

// modestLength is the context length of a model of Ollama, at most maxAsked.
func modestLength(server modelServer) func(context.Context, string) (int, error) {
	return func(ctx context.Context, model string) (int, error) {
		n, err := server.ContextLength(ctx, model)
		return min(n, maxAsked), err
	}
}

// modelServer is the client for a protocol. An empty address is the usual one
// of Ollama; the other protocol has none.
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

// embedders are the models that the settings name for vectors.
type embedders struct {
	wanted llm.Embedder                    // nil: the home stays with its model
	find   func(model string) llm.Embedder // nil: no other is at hand
	server io.Closer                       // nil without one
}

// embedders connects to the embedder of the settings. Nothing is sent yet, and
// without a setting nothing ever is.
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
	// Vectors that an earlier model of the same server made still answer while
	// those of the new one are made.
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
