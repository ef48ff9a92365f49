package mcpserver

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops/operation"
)

// failure is an error as clients read it.
type failure struct {
	Code    strata.Code       `json:"code"`
	Message string            `json:"message"`
	Hint    string            `json:"hint,omitempty"`
	Details map[string]string `json:"details,omitempty"`
}

// refusal is an error as a model reads it. It is JSON in a text and not structured
// content, because clients check that against the output schema of the tool.
func (s *service) refusal(tool string, err error) *mcp.CallToolResult {
	out := failure{Code: strata.CodeOf(err), Message: "the call failed; the server's log says why"}
	var known *strata.Error
	switch {
	case errors.As(err, &known):
		out.Hint, out.Details = known.Hint, known.Details
		if known.Message != "" {
			out.Message = known.Message
		}
	case errors.Is(err, context.Canceled):
		out.Message = "the call was canceled"
	case errors.Is(err, context.DeadlineExceeded):
		out.Message = "time ran out"
	}
	s.options.Logger.Debug("tool call failed", "tool", tool, "code", out.Code, "error", err)
	if out.Code == strata.CodeInternal || out.Code == strata.CodeCorrupt {
		s.options.Logger.Error("tool call failed", "tool", tool, "error", err)
	}
	text, jsonErr := json.Marshal(out)
	if jsonErr != nil { // strings and a map of strings always encode
		text = []byte(out.Message)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(operation.Shown(text))}}, IsError: true}
}
