package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/internal/home/access"
)

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	own := r.Clone(r.Context())
	own.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(own)
}

// A program with a named token keeps to its scope, over HTTP and over MCP, and is gone when
// the token is.
func TestANamedTokenKeepsToItsScope(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home, "--listen", "127.0.0.1:0")
	tokens := access.Open(home)
	token, err := tokens.Add(t.Context(), access.Grant{Name: "coder", Scopes: []strata.Scope{strata.ForAgent("coder")}})
	if err != nil {
		t.Fatal(err)
	}
	owner, err := client.New(client.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	if err := owner.Call(t.Context(), "save", map[string]string{"content": "The ferry to Ghent leaves at six"}, nil); err != nil {
		t.Fatal(err)
	}
	program, err := client.New(client.Options{URL: "http://" + s.Address, Token: token})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if err := program.Call(t.Context(), "recall", map[string]string{"query": "ferry", "scope": "global"}, nil); strata.CodeOf(err) != strata.CodeDenied {
		t.Errorf("the global scope: %v", err)
	}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + s.Address + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	callChild(t, cs, "memory_save", map[string]any{"content": "My bicycle is green", "type": "user"})
	if got := callChild(t, cs, "memory_recall", map[string]any{"query": "when does the ferry to Ghent leave?"}); strings.Contains(got, "six") {
		t.Errorf("it recalls %q", got)
	}
	var found struct{ Hits []struct{ Scope string } }
	if err := program.Call(t.Context(), "recall", map[string]string{"query": "what color is my bicycle?"}, &found); err != nil || len(found.Hits) != 1 || found.Hits[0].Scope != "agent/coder" {
		t.Errorf("it finds %+v, %v", found, err)
	}
	if err := tokens.Remove(t.Context(), "coder"); err != nil {
		t.Fatal(err)
	}
	if _, err := cs.ListTools(t.Context(), nil); err == nil {
		t.Error("the session goes on without its token")
	}
}
