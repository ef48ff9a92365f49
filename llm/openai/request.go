package openai

import (
	"encoding/base64"
	"encoding/json"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
	"github.com/strata-memory/strata/llm"
)

// chatRequest is the body of POST /chat/completions with the fields that Strata sends;
// see https://platform.openai.com/docs/api-reference/chat/create.
type chatRequest struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	Tools               []chatTool      `json:"tools,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	Stream              bool            `json:"stream"`
	StreamOptions       *streamOptions  `json:"stream_options,omitempty"`
}

// chatMessage has a text, or parts, or calls, or a text and calls. A pointer
// distinguishes an empty text from a missing one.
type chatMessage struct {
	Role       strata.Role `json:"role"`
	Content    any         `json:"content,omitempty"` // *string or []contentPart
	ToolCalls  []toolCall  `json:"tool_calls,omitempty"`
	ToolCallID string      `json:"tool_call_id,omitempty"`
}

type contentPart struct {
	Type     string    `json:"type"` // text or image_url
	Text     string    `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"` // function
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // a JSON object
}

type chatTool struct {
	Type     string   `json:"type"` // function
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

type responseFormat struct {
	Type       string     `json:"type"` // json_schema
	JSONSchema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Strict bool            `json:"strict,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// request converts req to the protocol's form, for a server with the given habits.
func request(model string, req llm.Request, habits habit) chatRequest {
	out := chatRequest{Model: model, Messages: []chatMessage{}, Stream: true}
	for _, m := range req.Messages {
		out.Messages = append(out.Messages, message(m))
	}
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, chatTool{Type: "function",
			Function: function{Name: t.Name, Description: t.Description, Parameters: wire.Parameters(t)}})
	}
	if len(req.Schema) > 0 {
		out.ResponseFormat = &responseFormat{Type: "json_schema",
			JSONSchema: jsonSchema{Name: "answer", Schema: req.Schema, Strict: strict(req.Schema)}}
	}
	if habits&wantsCompletionTokens != 0 {
		out.MaxCompletionTokens = req.MaxTokens
	} else {
		out.MaxTokens = req.MaxTokens
	}
	if habits&noTemperature == 0 {
		out.Temperature = req.Temperature
	}
	if habits&noStreamOptions == 0 {
		out.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	return out
}

func message(m llm.Message) chatMessage {
	out := chatMessage{Role: m.Role, Content: &m.Text}
	switch {
	case m.Role == strata.RoleTool:
		out.ToolCallID = m.CallID
	case m.Role == strata.RoleAssistant:
		out.ToolCalls = toolCalls(m.Calls)
		// Some servers reject an empty text beside calls, and every server rejects a
		// message with neither.
		if m.Text == "" && len(m.Calls) > 0 {
			out.Content = nil
		}
	case m.Role == strata.RoleUser && len(m.Images) > 0:
		out.Content = parts(m)
	}
	return out
}

func toolCalls(calls []strata.ToolCall) (out []toolCall) {
	for _, c := range calls {
		out = append(out, toolCall{ID: c.ID, Type: "function",
			Function: functionCall{Name: c.Name, Arguments: string(wire.Arguments(c.Arguments))}})
	}
	return out
}

// parts returns the text of a message and its images.
func parts(m llm.Message) (out []contentPart) {
	if m.Text != "" {
		out = append(out, contentPart{Type: "text", Text: m.Text})
	}
	for _, image := range m.Images {
		url := "data:" + image.MediaType + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
		out = append(out, contentPart{Type: "image_url", ImageURL: &imageURL{URL: url}})
	}
	return out
}

// strict reports whether a schema meets the conditions under which OpenAI guarantees that
// the answer follows it: every object lists all its properties as required and allows no
// others. Other schemas are sent as hints.
func strict(schema json.RawMessage) bool {
	var s map[string]json.RawMessage
	if json.Unmarshal(schema, &s) != nil {
		return false
	}
	if properties, ok := s["properties"]; ok {
		var (
			fields   map[string]json.RawMessage
			required []string
		)
		if json.Unmarshal(properties, &fields) != nil || json.Unmarshal(s["required"], &required) != nil ||
			len(required) != len(fields) || string(s["additionalProperties"]) != "false" {
			return false
		}
		for _, f := range fields {
			if !strict(f) {
				return false
			}
		}
	} else if string(s["type"]) == `"object"` {
		return false
	}
	if items, ok := s["items"]; ok && !strict(items) {
		return false
	}
	for _, key := range []string{"oneOf", "allOf", "not", "if", "patternProperties", "$ref"} {
		if _, ok := s[key]; ok {
			return false // outside the guaranteed subset, or not checked here
		}
	}
	var choices []json.RawMessage
	if raw, ok := s["anyOf"]; ok && json.Unmarshal(raw, &choices) != nil {
		return false
	}
	for _, c := range choices {
		if !strict(c) {
			return false
		}
	}
	return true
}
