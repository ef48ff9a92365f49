package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// maxMessage is the longest message of an error of JSON-RPC, in characters: those of the SDK
// repeat what they were called with.
const maxMessage = 500

// wordErrors has errors of the SDK say what ours do: on a line, in so many characters, and
// with the code that the version of the protocol has.
func wordErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		out, err := next(ctx, method, req)
		var known *jsonrpc.Error
		if !errors.As(err, &known) {
			return out, err
		}
		own := *known
		own.Message = fence.Cut(fence.Line(own.Message), maxMessage)
		if own.Code == jsonrpc.CodeInvalidParams { // that they have another type was seen before
			switch p := req.GetParams().(type) {
			case *mcp.ReadResourceParams:
				own = noResource(req, p.URI)
			case *mcp.SubscribeParams:
				own = noResource(req, p.URI)
			}
		}
		return out, &own
	}
}

// noResource is the error of an address that leads nowhere. Up to 2025-11-25 the protocol has
// a code of its own for it, which is that of [strata.CodeNotFound]; later versions call it a
// parameter that is not valid.
func noResource(req mcp.Request, uri string) jsonrpc.Error {
	out := jsonrpc.Error{Code: int64(strata.CodeNotFound.MCPError()), Message: "Resource not found"}
	if r, ok := req.(interface{ ProtocolVersion() string }); ok && r.ProtocolVersion() >= sessionless {
		out.Code = jsonrpc.CodeInvalidParams
	}
	if data, err := json.Marshal(map[string]string{"uri": operation.Echo(uri)}); err == nil { // texts always encode
		out.Data = data
	}
	return out
}

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
