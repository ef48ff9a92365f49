package mcp

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema/schematest"
)

// inside matches what no client may be told: places in the code, stacks, and directories of
// the machine.
var inside = regexp.MustCompile(`\.go:\d|goroutine \d|` + regexp.QuoteMeta(os.TempDir()) + `/|/root/|sqlite|SQL logic`)

// Whatever a model writes into a call, within the schema of the tool or almost, it gets the
// answer or an error of its own, and the session goes on. Every tool has its turn.
func TestEveryToolTakesAnything(t *testing.T) {
	cs := connect(t, New(open(t), Options{Tools: operation.AllTools}))
	saveAll(t, cs, aboutAPerson)
	draw := schematest.Drawing{Most: 3, Texts: []string{"global", "workspace", "me", "user", "assistant", "My cat is called Tom", "fact_", "1", "2026-03-01", "monday", "../../etc"}}
	wantSane := func(t *rapid.T, tool string, arguments []byte) {
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
		if err != nil {
			return // of the protocol: arguments that are no object
		}
		if !res.IsError {
			return
		}
		text := res.Content[0].(*mcp.TextContent).Text
		var f struct {
			Code    strata.Code
			Message string
		}
		if err := json.Unmarshal([]byte(text), &f); err != nil || f.Message == "" || f.Code == strata.CodeInternal || f.Code == strata.CodeCorrupt || inside.MatchString(text) {
			t.Fatalf("%s %s: %s", tool, arguments, text)
		}
	}
	tools := ops.Tools(operation.AllTools)
	rapid.Check(t, func(t *rapid.T) {
		for range 4 {
			tool := rapid.SampledFrom(tools).Draw(t, "tool")
			wantSane(t, tool.Name, draw.JSON(t, tool.Input, "arguments"))
			wantSane(t, tool.Name, draw.Broken(t, tool.Input, "broken"))
		}
	})
	if _, err := cs.ListTools(t.Context(), nil); err != nil {
		t.Errorf("the session does not go on: %v", err)
	}
}

// Over MCP who is confined sees and writes what the token is for, and has no other tools.
func TestAConfinedServerHasItsScopesAlone(t *testing.T) {
	e := open(t)
	all := connect(t, New(e, Options{Agent: "beta", Tools: operation.AllTools}))
	call(t, all, "memory_save", map[string]any{"content": "The zwitscherkanal opens at six", "type": "user", "scope": "global"})
	_, other := call(t, all, "memory_save", map[string]any{"content": "The zwitscherkanal is in Ghent", "scope": "agent/beta"})
	alpha := strata.ForAgent("alpha")
	own := connect(t, New(e, Options{View: alpha.View(), Scope: alpha, Agent: "alpha", Confined: true, Tools: operation.AllTools}))
	if _, out := call(t, own, "memory_save", map[string]any{"content": "I am called Ines", "type": "user"}); out["scope"] != "agent/alpha" {
		t.Errorf("what is of the user goes to %v", out["scope"])
	}
	for _, scope := range []string{"global", "agent/beta"} {
		if f := refused(t, own, "memory_save", map[string]any{"content": "x", "scope": scope}); f.Code != string(strata.CodeDenied) {
			t.Errorf("it writes to %s: %+v", scope, f)
		}
		_, err := own.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: contextPromptName, Arguments: map[string]string{scopeArgument: scope}})
		if wire := new(jsonrpc.Error); !errors.As(err, &wire) || wire.Code != int64(strata.CodeDenied.MCPError()) {
			t.Errorf("a prompt on %s: %v", scope, err)
		}
	}
	refused(t, own, "memory_forget", map[string]any{"id": other["id"]})
	refused(t, own, "memory_update", map[string]any{"id": other["id"], "content": "x"})
	if text, _ := call(t, own, "memory_recall", map[string]any{"query": "zwitscherkanal", "all": true}); regexp.MustCompile(`zwitscher\w+ (opens|is)`).MatchString(text) {
		t.Errorf("it finds %s", text)
	}
	names := func(cs *mcp.ClientSession) map[string]bool {
		list, err := cs.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		out := make(map[string]bool)
		for _, tool := range list.Tools {
			out[tool.Name] = true
		}
		return out
	}
	if has := names(own); has["memory_append"] || !has["memory_save"] {
		t.Errorf("it has %v: what a conversation says of the user would go to the global scope", has)
	}
	reader := connect(t, New(e, Options{ReadOnly: true, Tools: operation.AllTools}))
	if has := names(reader); has["memory_save"] || has["memory_forget"] || !has["memory_recall"] {
		t.Errorf("who may read has %v", has)
	}
	guide, err := reader.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "memory_guide"})
	if err != nil {
		t.Fatal(err)
	}
	text := guide.Messages[0].Content.(*mcp.TextContent).Text
	if told := reader.InitializeResult().Instructions + text; strings.Contains(told, "memory_save") || strings.Contains(told, "what the user tells about themselves") {
		t.Errorf("who may read is told\n%s", told)
	}
}
