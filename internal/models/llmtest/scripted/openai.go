package scripted

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// openai writes answers as OpenAI does: server-sent events that hold JSON.
type openai struct{}

func (openai) contentType() string { return "text/event-stream; charset=utf-8" }

func (openai) failure(reply Reply) string {
	e := object{"message": reply.Error, "type": "invalid_request_error", "param": nil, "code": nil}
	if reply.Code != "" {
		e["code"] = reply.Code
	}
	return encode(object{"error": e})
}

func event(v any) string { return "data: " + encode(v) + "\n\n" }

func (o openai) part(req Request, reply Reply, p Part) []string {
	if p.Error != "" {
		return []string{event(object{"error": object{"message": p.Error, "type": "server_error"}})}
	}
	var out []string
	if p.Reasoning != "" {
		out = append(out, o.delta(req, object{"reasoning_content": p.Reasoning}))
	}
	if p.Text != "" || p.Reasoning == "" && len(p.Calls) == 0 {
		out = append(out, o.delta(req, object{"role": "assistant", "content": p.Text}))
	}
	return append(out, o.calls(req, reply.Shape, p.Calls)...)
}

func (openai) delta(req Request, delta object) string {
	return event(object{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1767323045, "model": req.Model,
		"choices": []object{{"index": 0, "delta": delta, "finish_reason": nil}},
	})
}

// calls returns tool calls in the given shape, one string per event.
func (o openai) calls(req Request, shape Shape, calls []strata.ToolCall) []string {
	var out []string
	switch shape {
	case Legacy:
		for _, c := range calls {
			out = append(out, o.delta(req, object{"function_call": object{"name": c.Name, "arguments": ""}}))
			for _, piece := range pieces(arguments(c)) {
				out = append(out, o.delta(req, object{"function_call": object{"arguments": piece}}))
			}
		}
	case Whole, SameIndex, ObjectArguments:
		var all []object
		for i, c := range calls {
			all = append(all, wholeCall(shape, i, c))
		}
		if len(all) > 0 {
			out = append(out, o.delta(req, object{"tool_calls": all}))
		}
	case OneByOne:
		for i, c := range calls {
			out = append(out, o.delta(req, object{"tool_calls": []object{wholeCall(shape, i, c)}}))
		}
	default:
		for i, c := range calls {
			for n, piece := range pieces(arguments(c)) {
				out = append(out, o.delta(req, object{"tool_calls": []object{fragment(shape, i, n, c, piece)}}))
			}
		}
	}
	return out
}

func wholeCall(shape Shape, i int, c strata.ToolCall) object {
	function := object{"name": c.Name, "arguments": arguments(c)}
	if shape == ObjectArguments {
		function["arguments"] = json.RawMessage(arguments(c))
	}
	call := object{"type": "function", "function": function, "index": i}
	if shape == SameIndex {
		call["index"] = 0
	}
	if shape.hasIDs() {
		call["id"] = c.ID
	}
	return call
}

// fragment returns piece n of call i.
func fragment(shape Shape, i, n int, c strata.ToolCall, piece string) object {
	function := object{"arguments": piece}
	call := object{"function": function}
	if shape != NoIndex && shape != Bare {
		call["index"] = i
	}
	if n == 0 || shape == RepeatedName {
		function["name"] = c.Name
		call["type"] = "function"
		if shape.hasIDs() {
			call["id"] = c.ID
		}
	}
	return call
}

// pieces cuts arguments into an empty first piece and pieces of three runes.
func pieces(text string) []string {
	out := []string{""}
	for piece := range slices.Chunk([]rune(text), 3) {
		out = append(out, string(piece))
	}
	return out
}

func (o openai) end(req Request, reply Reply) []string {
	out := []string{event(object{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1767323045, "model": req.Model,
		"choices": []object{{"index": 0, "delta": object{}, "finish_reason": finish(reply)}},
	})}
	if req.wantsUsage {
		out = append(out, event(object{
			"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1767323045, "model": req.Model,
			"choices": []object{}, "usage": usage(reply),
		}))
	}
	return append(out, "data: [DONE]\n\n")
}

func finish(reply Reply) string {
	switch {
	case reply.Stop == llm.StopLength:
		return "length"
	case reply.Stop == llm.StopFilter:
		return "content_filter"
	case reply.Shape == Legacy:
		return "function_call"
	case len(joined(reply.Parts).Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func usage(reply Reply) object {
	return object{
		"prompt_tokens": reply.Usage.Prompt, "completion_tokens": reply.Usage.Completion,
		"total_tokens": reply.Usage.Prompt + reply.Usage.Completion,
	}
}

func (o openai) whole(req Request, reply Reply) string {
	switch req.Kind {
	case KindEmbed:
		var data []object
		for i, v := range vectors(req, reply) {
			data = append(data, object{"object": "embedding", "index": i, "embedding": v})
		}
		return encode(object{"object": "list", "model": req.Model, "data": data, "usage": object{"prompt_tokens": 1, "total_tokens": 1}})
	case KindModel:
		entry := object{"id": "scripted", "object": "model"}
		if reply.Window > 0 {
			entry["max_model_len"] = reply.Window
		}
		return encode(object{"object": "list", "data": []object{entry}})
	}
	all := joined(reply.Parts)
	message := object{"role": "assistant", "content": all.Text}
	if all.Reasoning != "" {
		message["reasoning_content"] = all.Reasoning
	}
	var calls []object
	for _, c := range all.Calls {
		calls = append(calls, object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": arguments(c)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return encode(object{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1767323045, "model": req.Model,
		"choices": []object{{"index": 0, "message": message, "finish_reason": finish(reply)}}, "usage": usage(reply),
	})
}

// readOpenAI reads a chat request in OpenAI's form.
func readOpenAI(body []byte) (req llm.Request, wantsUsage bool, err error) {
	var in struct {
		Messages []struct {
			Role      strata.Role     `json:"role"`
			Content   json.RawMessage `json:"content"`
			ToolCalls []struct {
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
			ToolCallID string `json:"tool_call_id"`
		} `json:"messages"`
		Tools          []tool `json:"tools"`
		ResponseFormat struct {
			JSONSchema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
		MaxTokens           int      `json:"max_tokens"`
		MaxCompletionTokens int      `json:"max_completion_tokens"`
		Temperature         *float64 `json:"temperature"`
		StreamOptions       struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return llm.Request{}, false, err
	}
	req = llm.Request{
		Schema: in.ResponseFormat.JSONSchema.Schema, MaxTokens: max(in.MaxTokens, in.MaxCompletionTokens),
		Temperature: in.Temperature, Tools: tools(in.Tools),
	}
	for i, m := range in.Messages {
		message := llm.Message{Role: m.Role, CallID: m.ToolCallID}
		if message.Text, message.Images, err = readContent(m.Content); err != nil {
			return req, false, fmt.Errorf("message %d: %w", i, err)
		}
		for _, c := range m.ToolCalls {
			message.Calls = append(message.Calls, strata.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		req.Messages = append(req.Messages, message)
	}
	return req, in.StreamOptions.IncludeUsage, nil
}

// readContent reads a text, or a list of texts and pictures as data URLs.
func readContent(raw json.RawMessage) (text string, images []strata.Image, err error) {
	if len(raw) == 0 || raw[0] == '"' || string(raw) == "null" {
		if len(raw) > 0 {
			err = json.Unmarshal(raw, &text)
		}
		return text, nil, err
	}
	var parts []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", nil, err
	}
	for _, p := range parts {
		if p.Type != "image_url" {
			text += p.Text
			continue
		}
		head, data, ok := strings.Cut(strings.TrimPrefix(p.ImageURL.URL, "data:"), ";base64,")
		if !ok {
			return "", nil, fmt.Errorf("a picture that is no data URL: %.40s", p.ImageURL.URL)
		}
		decoded, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return "", nil, err
		}
		images = append(images, strata.Image{MediaType: head, Data: decoded})
	}
	return text, images, nil
}
