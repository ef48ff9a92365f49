package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops/operation"
)

// refusal is an error as a model reads it. It is JSON in a text and not structured
// content, because clients check that against the output schema of the tool.
func (s *service) refusal(tool string, err error) *mcp.CallToolResult {
	out := operation.FailureOf(err)
	s.logFailure("tool", tool, err)
	text, jsonErr := json.Marshal(out)
	if jsonErr != nil { // strings and a map of strings always encode
		text = []byte(out.Message)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(operation.Shown(text))}}, IsError: true}
}

// logFailure logs the cause of an error, of which clients are told nothing. The name is
// that of a tool or prompt.
func (s *service) logFailure(kind, name string, err error) {
	code, log := strata.CodeOf(err), s.options.Logger.Debug
	if code == strata.CodeInternal || code == strata.CodeCorrupt {
		log = s.options.Logger.Error
	}
	log("call failed", kind, name, "code", code, "error", err)
}
