package mcp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata/internal/ops/operation"
)

// What holds memory, or depends on who asks, may be kept by that client alone: no cache on
// the way may serve it to others. The client is a real one, and what it reads is compared.
func TestNoResultIsForSharedCaches(t *testing.T) {
	e := open(t)
	keepFiles(t, e)
	here, there := mcp.NewInMemoryTransports()
	serving, err := New(e, Options{Tools: operation.AllTools}).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer serving.Close()
	var transcript bytes.Buffer
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil)
	cs, err := client.Connect(t.Context(), &mcp.LoggingTransport{Transport: here, Writer: &transcript}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	_, errRead := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "memory://root/USER.md"})
	_, errResources := cs.ListResources(ctx, nil)
	_, errTemplates := cs.ListResourceTemplates(ctx, nil)
	_, errTools := cs.ListTools(ctx, nil)
	_, errPrompts := cs.ListPrompts(ctx, nil)
	for _, err := range []error{errRead, errResources, errTemplates, errTools, errPrompts} {
		if err != nil {
			t.Error(err)
		}
	}
	cs.Close()
	private := 0
	for line := range strings.Lines(transcript.String()) {
		if strings.Contains(line, `"cacheScope":"public"`) {
			t.Errorf("for everybody: %.200s", line)
		}
		private += strings.Count(line, `"cacheScope":"private"`)
	}
	if private != 6 {
		t.Errorf("%d results are private, want those of discovery, four lists and a document", private)
	}
}
