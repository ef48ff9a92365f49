package main

import (
	"io"
	"strings"

	"github.com/strata-memory/strata/internal/config"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

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
