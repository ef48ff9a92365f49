package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// memoryPeer is the MCP project's server-memory over standard input and output. Each fact
// is an entity with one observation.
type memoryPeer struct {
	dir     string
	session *mcp.ClientSession
	n       int
}

func newServerMemory(ctx context.Context, modules string) (*memoryPeer, error) {
	dir, err := os.MkdirTemp("", "peers-memory-")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("node", filepath.Join(modules, "node_modules", "@modelcontextprotocol", "server-memory", "dist", "index.js"))
	cmd.Env = append(os.Environ(), "MEMORY_FILE_PATH="+filepath.Join(dir, "memory.jsonl"))
	client := mcp.NewClient(&mcp.Implementation{Name: "peers", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start server-memory: %w", err), os.RemoveAll(dir))
	}
	return &memoryPeer{dir: dir, session: session}, nil
}

func (p *memoryPeer) Name() string { return "server-memory" }

// entity is what the server stores.
type entity struct {
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
}

func (p *memoryPeer) Add(ctx context.Context, texts []string) error {
	entities := make([]entity, len(texts))
	for i, t := range texts {
		p.n++
		entities[i] = entity{Name: fmt.Sprintf("fact-%d", p.n), EntityType: "fact", Observations: []string{t}}
	}
	_, err := p.call(ctx, "create_entities", map[string]any{"entities": entities})
	return err
}

func (p *memoryPeer) Recall(ctx context.Context, question string) ([]string, error) {
	data, err := p.call(ctx, "search_nodes", map[string]any{"query": question})
	if err != nil {
		return nil, err
	}
	var graph struct {
		Entities []entity `json:"entities"`
	}
	if err := json.Unmarshal(data, &graph); err != nil {
		return nil, fmt.Errorf("read the answer of search_nodes: %w", err)
	}
	var out []string
	for _, e := range graph.Entities {
		out = append(out, e.Observations...)
	}
	return out, nil
}

// call calls a tool and returns the text of its answer.
func (p *memoryPeer) call(ctx context.Context, tool string, arguments map[string]any) ([]byte, error) {
	res, err := p.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", tool, err)
	}
	var out []byte
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			out = append(out, t.Text...)
		}
	}
	if res.IsError {
		return nil, fmt.Errorf("%s: %s", tool, out)
	}
	return out, nil
}

func (p *memoryPeer) Close() error { return errors.Join(p.session.Close(), os.RemoveAll(p.dir)) }
