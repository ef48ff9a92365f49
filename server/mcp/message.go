package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata/internal/ops/operation"
)

// part is a client's message, or what is wrong with it.
type part struct {
	msg    jsonrpc.Message
	id     json.RawMessage // nil if there is none that can be answered
	code   int             // of the JSON-RPC error; 0 for a valid message
	reason string
}

// refused returns p with an error.
func (p part) refused(code int, reason string) part {
	p.code, p.reason = code, reason
	return p
}

// readMessages parses the message in a text, or those of a batch. It reports invalid
// messages itself, because the SDK does so in terms of Go types, under another id, or not
// at all. begun says whether the session has begun, and is set when it begins; nil if
// that does not matter.
func readMessages(text []byte, begun *bool) []part {
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
		out = append(out, readMessage(data, begun))
	}
	return out
}

// readMessage parses one message.
func readMessage(data []byte, begun *bool) part {
	p := part{id: idOf(data)}
	if name, twice := operation.Repeated(data); twice {
		return p.refused(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message has the name %q twice", operation.Clip(name)))
	}
	var has map[string]json.RawMessage
	msg, err := jsonrpc.DecodeMessage(data)
	if err != nil || json.Unmarshal(data, &has) != nil {
		return p.refused(jsonrpc.CodeInvalidRequest, "this is no message of JSON-RPC 2.0")
	}
	if id := has["id"]; id != nil && !survives(id) && !isNotification(msg, id) {
		return p.refused(jsonrpc.CodeInvalidRequest, "the id is neither a string nor a whole number from -2^53 to 2^53")
	}
	switch m := msg.(type) {
	case *jsonrpc.Response:
		if has["result"] == nil && m.Error == nil {
			return p.refused(jsonrpc.CodeInvalidRequest, "the message has neither a method nor a result")
		}
	case *jsonrpc.Request:
		if !m.IsCall() {
			break
		}
		if code, reason := wrongCall(m, begun); code != 0 {
			return p.refused(code, reason)
		}
	}
	p.msg = msg
	return p
}

// survives reports whether an id comes back unchanged: the SDK reads numbers as floating
// point and truncates them.
func survives(id json.RawMessage) bool {
	const most = 1 << 53
	var text string
	if id[0] == '"' {
		return json.Unmarshal(id, &text) == nil && !strings.ContainsRune(text, utf8.RuneError)
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -most <= n && n <= most && strconv.FormatInt(n, 10) == string(id)
}

// isNotification reports whether a message is a notification with the id null, which some
// clients send instead of no id.
func isNotification(msg jsonrpc.Message, id json.RawMessage) bool {
	n, ok := msg.(*jsonrpc.Request)
	return ok && string(id) == "null" && strings.HasPrefix(n.Method, "notifications/")
}

// methods are the methods that clients may call, with their parameters.
var methods = map[string]struct {
	params func() any
	needed bool // parameters are required
	before bool // may be called before the session has begun
}{
	"completion/complete":      {params: func() any { return new(mcp.CompleteParams) }, needed: true},
	"initialize":               {params: func() any { return new(mcp.InitializeParams) }, needed: true, before: true},
	"logging/setLevel":         {params: func() any { return new(struct{ Level string }) }, needed: true},
	"ping":                     {params: func() any { return new(mcp.PingParams) }, before: true},
	"prompts/get":              {params: func() any { return new(mcp.GetPromptParams) }, needed: true},
	"prompts/list":             {params: func() any { return new(mcp.ListPromptsParams) }},
	"resources/list":           {params: func() any { return new(mcp.ListResourcesParams) }},
	"resources/read":           {params: func() any { return new(mcp.ReadResourceParams) }, needed: true},
	"resources/subscribe":      {params: func() any { return new(mcp.SubscribeParams) }, needed: true},
	"resources/templates/list": {params: func() any { return new(mcp.ListResourceTemplatesParams) }},
	"resources/unsubscribe":    {params: func() any { return new(mcp.UnsubscribeParams) }, needed: true},
	"server/discover":          {params: func() any { return new(mcp.DiscoverParams) }, before: true},
	"subscriptions/listen":     {params: func() any { return new(mcp.SubscriptionsListenParams) }, needed: true},
	"tools/call":               {params: func() any { return new(mcp.CallToolParamsRaw) }, needed: true},
	"tools/list":               {params: func() any { return new(mcp.ListToolsParams) }},
}

// sessionless is the first protocol version without sessions: each call carries what a
// session would begin with.
const sessionless = "2026-07-28"

// wrongCall returns what is wrong with a call; the code is 0 if nothing is. begun is as
// for [readMessages].
func wrongCall(call *jsonrpc.Request, begun *bool) (code int, reason string) {
	method, known := methods[call.Method]
	if !known {
		return jsonrpc.CodeMethodNotFound, "there is no such method to call"
	}
	if reason := wrongParams(call.Method, method.params(), method.needed, call.Params); reason != "" {
		return jsonrpc.CodeInvalidParams, reason
	}
	first := call.Method == "initialize"
	switch {
	case begun == nil, versionOf(call) >= sessionless:
		return 0, ""
	case first && *begun:
		return jsonrpc.CodeInvalidRequest, "the session was begun before; begin another one on a connection of its own"
	case !method.before && !*begun:
		return jsonrpc.CodeInvalidRequest, "the session was not begun; call initialize first"
	}
	*begun = *begun || first
	return 0, ""
}

// versionOf returns the protocol version that a call names; empty for none.
func versionOf(call *jsonrpc.Request) string {
	var params struct {
		Meta map[string]any `json:"_meta"`
	}
	if len(call.Params) > 0 && json.Unmarshal(call.Params, &params) != nil {
		return ""
	}
	version, _ := params.Meta[mcp.MetaKeyProtocolVersion].(string)
	return version
}

// wrongParams returns what is wrong with the parameters of a call; empty if nothing is.
func wrongParams(method string, into any, needed bool, params json.RawMessage) string {
	if len(params) == 0 || string(params) == "null" {
		if needed {
			return "params are missing, and " + method + " needs them"
		}
		return ""
	}
	err := json.Unmarshal(params, into)
	var other *json.UnmarshalTypeError
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &other):
		return "params are not those of " + method
	case other.Field == "":
		return "params cannot be of the type " + other.Value
	}
	return "params." + other.Field + " cannot be of the type " + other.Value
}
