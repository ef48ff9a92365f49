package scripted

import (
	"encoding/json"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// ollama writes answers as Ollama does: one JSON object a line.
type ollama struct{}

type object = map[string]any

func (ollama) contentType() string { return "application/x-ndjson" }

func (ollama) failure(reply Reply) string { return encode(object{"error": reply.Error}) }

func (o ollama) part(req Request, reply Reply, p Part) []string {
	if p.Error != "" {
		return []string{encode(object{"error": p.Error}) + "\n"}
	}
	if reply.Shape == OneByOne && len(p.Calls) > 1 {
		var out []string
		for _, c := range p.Calls {
			out = append(out, o.part(req, reply, Part{Calls: []strata.ToolCall{c}})...)
		}
		return out
	}
	return []string{encode(o.chunk(req, reply, p)) + "\n"}
}

func (ollama) chunk(req Request, reply Reply, p Part) object {
	message := object{"role": "assistant", "content": p.Text}
	if p.Reasoning != "" {
		message["thinking"] = p.Reasoning
	}
	var calls []object
	for i, c := range p.Calls {
		function := object{"index": i, "name": c.Name, "arguments": json.RawMessage(arguments(c))}
		if reply.Shape == TextArguments {
			function["arguments"] = arguments(c)
		}
		call := object{"function": function}
		if reply.Shape.hasIDs() && c.ID != "" {
			call["id"] = c.ID
		}
		calls = append(calls, call)
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{"model": req.Model, "created_at": "2026-01-02T03:04:05.678Z", "message": message, "done": false}
}

func (o ollama) end(req Request, reply Reply) []string {
	chunk := o.chunk(req, reply, Part{})
	o.finish(chunk, reply)
	return []string{encode(chunk) + "\n"}
}

func (ollama) finish(chunk object, reply Reply) {
	chunk["done"] = true
	chunk["done_reason"] = "stop"
	if reply.Stop == llm.StopLength {
		chunk["done_reason"] = "length"
	}
	chunk["total_duration"], chunk["load_duration"] = 5_000_000, 1_000_000
	chunk["prompt_eval_count"], chunk["eval_count"] = reply.Usage.Prompt, reply.Usage.Completion
}

func (o ollama) whole(req Request, reply Reply) string {
	switch req.Kind {
	case KindEmbed:
		return encode(object{"model": req.Model, "embeddings": vectors(req, reply)})
	case KindModel:
		info := object{"general.architecture": "llama", "clip.context_length": 77}
		if reply.Window > 0 {
			info["llama.context_length"] = reply.Window
		} else {
			delete(info, "clip.context_length")
		}
		return encode(object{"model_info": info, "capabilities": []string{"completion", "tools"}})
	}
	chunk := o.chunk(req, reply, joined(reply.Parts))
	o.finish(chunk, reply)
	return encode(chunk)
}

// joined returns all parts merged into one.
func joined(parts []Part) Part {
	var out Part
	for _, p := range parts {
		out.Text += p.Text
		out.Reasoning += p.Reasoning
		out.Calls = append(out.Calls, p.Calls...)
	}
	return out
}

// encode returns v as JSON. That can fail only for arguments from a script; the client
// then receives half a document.
func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return `{"error":`
	}
	return string(data)
}

// readOllama reads a chat request in Ollama's form.
func readOllama(body []byte) (llm.Request, error) {
	var in struct {
		Messages []struct {
			Role      strata.Role `json:"role"`
			Content   string      `json:"content"`
			Images    [][]byte    `json:"images"`
			ToolCalls []struct {
				ID       string `json:"id"`
				Function struct {
					Name      string          `json:"name"`
					Arguments json.RawMessage `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
			ToolCallID string `json:"tool_call_id"`
			ToolName   string `json:"tool_name"`
		} `json:"messages"`
		Tools   []tool          `json:"tools"`
		Format  json.RawMessage `json:"format"`
		Options struct {
			Window      int      `json:"num_ctx"`
			MaxTokens   int      `json:"num_predict"`
			Temperature *float64 `json:"temperature"`
		} `json:"options"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return llm.Request{}, err
	}
	out := llm.Request{
		Schema: in.Format, Window: in.Options.Window, MaxTokens: in.Options.MaxTokens,
		Temperature: in.Options.Temperature, Tools: tools(in.Tools),
	}
	for _, m := range in.Messages {
		message := llm.Message{Role: m.Role, Text: m.Content, CallID: m.ToolCallID, Tool: m.ToolName}
		for _, data := range m.Images {
			message.Images = append(message.Images, strata.Image{Data: data})
		}
		for _, c := range m.ToolCalls {
			message.Calls = append(message.Calls, strata.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
		}
		out.Messages = append(out.Messages, message)
	}
	return out, nil
}

// tool is a tool as both protocols encode it.
type tool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

func tools(in []tool) []llm.Tool {
	var out []llm.Tool
	for _, t := range in {
		out = append(out, llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters})
	}
	return out
}
