package ollama

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ollama/ollama/api"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
	"github.com/strata-memory/strata/llm"
)

// chat is an unguarded client of one model.
type chat struct {
	server *wire.Server
	model  string
}

var _ llm.Chat = (*chat)(nil)

func (c *chat) Model() string { return c.model }

// Chat sends req to /api/chat and reads the stream.
func (c *chat) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	body, err := request(c.model, req)
	if err != nil {
		return llm.Reply{}, err
	}
	resp, err := c.server.Post(ctx, "/api/chat", body)
	if err != nil {
		return llm.Reply{}, c.server.Explain("chat", c.model, err)
	}
	defer resp.Body.Close()
	s := stream{server: c.server, model: c.model, onDelta: onDelta}
	return s.read(resp.Body, req)
}

// request converts req to Ollama's form.
func request(model string, req llm.Request) (*api.ChatRequest, error) {
	// Otherwise Ollama would silently drop the oldest messages if the request does not
	// fit or the answer grows too long. What leaves the window is for the context manager
	// to decide.
	never, streaming := false, true
	out := &api.ChatRequest{
		Model: model, Stream: &streaming, Truncate: &never, Shift: &never,
		Format: req.Schema, Options: options(req),
	}
	for i, m := range req.Messages {
		converted, err := message(m)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		out.Messages = append(out.Messages, converted)
	}
	for _, t := range req.Tools {
		converted, err := tool(t)
		if err != nil {
			return nil, err
		}
		out.Tools = append(out.Tools, converted)
	}
	return out, nil
}

func options(req llm.Request) map[string]any {
	out := make(map[string]any)
	if req.Window > 0 {
		out["num_ctx"] = req.Window
	}
	if req.MaxTokens > 0 {
		out["num_predict"] = req.MaxTokens
	}
	if req.Temperature != nil {
		out["temperature"] = *req.Temperature
	}
	return out
}

func message(m llm.Message) (api.Message, error) {
	out := api.Message{Role: string(m.Role), Content: m.Text}
	for _, image := range m.Images {
		out.Images = append(out.Images, image.Data)
	}
	for i, c := range m.Calls {
		call := api.ToolCall{ID: c.ID, Function: api.ToolCallFunction{Index: i, Name: c.Name}}
		if err := json.Unmarshal(wire.Arguments(c.Arguments), &call.Function.Arguments); err != nil {
			return api.Message{}, fmt.Errorf("arguments of call %s: %w", c.ID, err)
		}
		out.ToolCalls = append(out.ToolCalls, call)
	}
	if m.Role == strata.RoleTool {
		out.ToolCallID, out.ToolName = m.CallID, m.Tool
	}
	return out, nil
}

func tool(t llm.Tool) (api.Tool, error) {
	out := api.Tool{Type: "function", Function: api.ToolFunction{Name: t.Name, Description: t.Description}}
	if err := json.Unmarshal(wire.Parameters(t), &out.Function.Parameters); err != nil {
		return api.Tool{}, &strata.Error{
			Code: strata.CodeInvalid, Op: "chat",
			Message: "Ollama does not understand the parameters of tool " + t.Name,
			Hint:    "describe each property by an object with type and description", Err: err,
		}
	}
	return out, nil
}
