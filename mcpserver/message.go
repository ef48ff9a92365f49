package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// part is a message of a client, or what is wrong with it.
type part struct {
	msg    jsonrpc.Message
	id     json.RawMessage // nil if there is none that can be answered
	code   int             // of the error of JSON-RPC; 0 for a message
	reason string
}

// readMessages reads the message in a text, or those of a batch. What is wrong with one is
// said here, because the SDK says it in types of Go.
func readMessages(text []byte) []part {
	if !json.Valid(text) {
		return []part{{code: jsonrpc.CodeParseError, reason: "the message is not JSON"}}
	}
	raw := []json.RawMessage{text}
	if bytes.TrimSpace(text)[0] == '[' {
		raw = nil
		if err := json.Unmarshal(text, &raw); err != nil || len(raw) == 0 {
			return []part{{code: jsonrpc.CodeInvalidRequest, reason: "the batch is empty"}}
		}
	}
	var out []part
	for _, data := range raw {
		p := part{id: idOf(data)}
		var err error
		if p.msg, err = jsonrpc.DecodeMessage(data); err != nil {
			p.code, p.reason = jsonrpc.CodeInvalidRequest, "this is no message of JSON-RPC 2.0"
		} else if p.reason = wrongParams(p.msg); p.reason != "" {
			p.code = jsonrpc.CodeInvalidParams
		}
		out = append(out, p)
	}
	return out
}

// params are what the methods that clients call take.
var params = map[string]func() any{
	"completion/complete":      func() any { return new(mcp.CompleteParams) },
	"initialize":               func() any { return new(mcp.InitializeParams) },
	"logging/setLevel":         func() any { return new(struct{ Level string }) },
	"ping":                     func() any { return new(mcp.PingParams) },
	"prompts/get":              func() any { return new(mcp.GetPromptParams) },
	"prompts/list":             func() any { return new(mcp.ListPromptsParams) },
	"resources/list":           func() any { return new(mcp.ListResourcesParams) },
	"resources/read":           func() any { return new(mcp.ReadResourceParams) },
	"resources/subscribe":      func() any { return new(mcp.SubscribeParams) },
	"resources/templates/list": func() any { return new(mcp.ListResourceTemplatesParams) },
	"resources/unsubscribe":    func() any { return new(mcp.UnsubscribeParams) },
	"server/discover":          func() any { return new(mcp.DiscoverParams) },
	"subscriptions/listen":     func() any { return new(mcp.SubscriptionsListenParams) },
	"tools/call":               func() any { return new(mcp.CallToolParamsRaw) },
	"tools/list":               func() any { return new(mcp.ListToolsParams) },
}

// wrongParams says what is wrong with the parameters of a call; empty for nothing.
func wrongParams(msg jsonrpc.Message) string {
	call, ok := msg.(*jsonrpc.Request)
	if !ok || !call.IsCall() || len(call.Params) == 0 || params[call.Method] == nil {
		return ""
	}
	err := json.Unmarshal(call.Params, params[call.Method]())
	var other *json.UnmarshalTypeError
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &other):
		return "params are not those of " + call.Method
	case other.Field == "":
		return "params cannot be of the type " + other.Value
	}
	return "params." + other.Field + " cannot be of the type " + other.Value
}
