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

// maxMessage bounds the message of a JSON-RPC error, in characters. Messages of the SDK
// repeat their input.
const maxMessage = 500

// wordErrors rewrites errors of the SDK in the form of our own: on one line, of bounded
// length, and with the code for the protocol version.
func wordErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		out, err := next(ctx, method, req)
		var known *jsonrpc.Error
		if !errors.As(err, &known) {
			return out, err
		}
		own := *known
		own.Message = fence.Cut(fence.Line(own.Message), maxMessage)
		if own.Code == jsonrpc.CodeInvalidParams { // parameters of a wrong type were rejected earlier
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

// noResource returns the error for an unknown resource address. Up to 2025-11-25 the
// protocol has a code for this, that of [strata.CodeNotFound]; later versions use the
// code for invalid parameters.
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

// refusal returns an error for the model to read. It is JSON in a text and not structured
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

// logFailure logs the cause of an error, which clients are not told. name is the name of
// a tool or prompt.
func (s *service) logFailure(kind, name string, err error) {
	code, log := strata.CodeOf(err), s.options.Logger.Debug
	if code == strata.CodeInternal || code == strata.CodeCorrupt {
		log = s.options.Logger.Error
	}
	log("call failed", kind, name, "code", code, "error", err)
}
