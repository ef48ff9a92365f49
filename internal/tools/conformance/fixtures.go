//lint:file-ignore SA1019 The suite still tests what the protocol deprecates.
//lint:file-ignore ST1005 The suite expects this text.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The smallest possible picture and sound.
var (
	picture = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82")
	sound   = []byte("RIFF\x26\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x00\x00")
)

func text(s string) mcp.Content { return &mcp.TextContent{Text: s} }
func image() mcp.Content        { return &mcp.ImageContent{Data: picture, MIMEType: "image/png"} }

func resource(uri, s string) mcp.Content {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: s}}
}

// addFixtures adds the tools, resources and prompts that the suite calls by their names.
func addFixtures(s *mcp.Server) {
	addContents(s)
	addConversations(s)
	addResources(s)
	addPrompts(s)
}

// tool adds a tool that accepts any arguments.
func tool(s *mcp.Server, name string, run func(ctx context.Context, req *mcp.CallToolRequest, in map[string]any) ([]mcp.Content, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: "A fixture of the conformance suite"},
		func(ctx context.Context, req *mcp.CallToolRequest, in map[string]any) (*mcp.CallToolResult, any, error) {
			content, err := run(ctx, req, in)
			return &mcp.CallToolResult{Content: content}, nil, err
		})
}

// addContents adds tools that return every kind of content, and one that fails.
func addContents(s *mcp.Server) {
	for name, content := range map[string][]mcp.Content{
		"test_simple_text":            {text("This is a simple text response for testing.")},
		"test_image_content":          {image()},
		"test_audio_content":          {&mcp.AudioContent{Data: sound, MIMEType: "audio/wav"}},
		"test_embedded_resource":      {resource("test://embedded-resource", "This is an embedded resource content.")},
		"test_multiple_content_types": {text("Multiple content types test:"), image(), resource("test://mixed-content-resource", "mixed")},
	} {
		tool(s, name, func(context.Context, *mcp.CallToolRequest, map[string]any) ([]mcp.Content, error) {
			return content, nil
		})
	}
	tool(s, "test_error_handling", func(context.Context, *mcp.CallToolRequest, map[string]any) ([]mcp.Content, error) {
		return nil, errors.New("This tool intentionally returns an error for testing")
	})
}

// addConversations adds tools that send something to the client before they answer.
func addConversations(s *mcp.Server) {
	tool(s, "test_tool_with_logging", func(ctx context.Context, req *mcp.CallToolRequest, _ map[string]any) ([]mcp.Content, error) {
		var err error
		for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			err = errors.Join(err, req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: line}))
		}
		return []mcp.Content{text("logged")}, err
	})
	tool(s, "test_tool_with_progress", func(ctx context.Context, req *mcp.CallToolRequest, _ map[string]any) ([]mcp.Content, error) {
		var err error
		for _, done := range []float64{0, 50, 100} {
			err = errors.Join(err, req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(), Progress: done, Total: 100,
			}))
		}
		return []mcp.Content{text(fmt.Sprint(req.Params.GetProgressToken()))}, err
	})
	tool(s, "test_sampling", func(ctx context.Context, req *mcp.CallToolRequest, in map[string]any) ([]mcp.Content, error) {
		res, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{
			Messages: []*mcp.SamplingMessage{{Role: "user", Content: text(fmt.Sprint(in["prompt"]))}}, MaxTokens: 100,
		})
		if err != nil {
			return nil, err
		}
		said, _ := res.Content.(*mcp.TextContent)
		if said == nil {
			return nil, errors.New("the client's model answers without text")
		}
		return []mcp.Content{text("LLM response: " + said.Text)}, nil
	})
	elicit(s, "test_elicitation", `{"username": {"type": "string"}, "email": {"type": "string"}}`)
	elicit(s, "test_elicitation_sep1034_defaults", `{
		"name": {"type": "string", "default": "John Doe"}, "age": {"type": "integer", "default": 30}, "score": {"type": "number", "default": 95.5},
		"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"}, "verified": {"type": "boolean", "default": true}}`)
	elicit(s, "test_elicitation_sep1330_enums", `{
		"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
		"titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]},
		"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
		"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
		"titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]}}}`)
}

// elicit adds a tool that asks the client's user for properties.
func elicit(s *mcp.Server, name, properties string) {
	tool(s, name, func(ctx context.Context, req *mcp.CallToolRequest, _ map[string]any) ([]mcp.Content, error) {
		res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{
			Message: "Please answer", RequestedSchema: map[string]any{"type": "object", "properties": json.RawMessage(properties)},
		})
		if err != nil {
			return nil, err
		}
		content, err := json.Marshal(res.Content)
		return []mcp.Content{text(fmt.Sprintf("Elicitation completed: action=%s, content=%s", res.Action, content))}, err
	})
}

// addResources adds resources that are not memory.
func addResources(s *mcp.Server) {
	read := func(c mcp.ResourceContents) mcp.ResourceHandler {
		return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			own := c
			own.URI = req.Params.URI
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&own}}, nil
		}
	}
	s.AddResource(&mcp.Resource{URI: "test://static-text", Name: "Static text", MIMEType: "text/plain"},
		read(mcp.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}))
	s.AddResource(&mcp.Resource{URI: "test://static-binary", Name: "Static picture", MIMEType: "image/png"},
		read(mcp.ResourceContents{MIMEType: "image/png", Blob: picture}))
	s.AddResource(&mcp.Resource{URI: "test://watched-resource", Name: "Watched text", MIMEType: "text/plain"},
		read(mcp.ResourceContents{MIMEType: "text/plain", Text: "It does not change."}))
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "Template", MIMEType: "application/json"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			data, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "application/json", Text: string(data)}}}, err
		})
}

// addPrompts adds prompts with every kind of content.
func addPrompts(s *mcp.Server) {
	prompt := func(name string, arguments []string, content func(map[string]string) []mcp.Content) {
		p := &mcp.Prompt{Name: name, Description: "A fixture of the conformance suite"}
		for _, a := range arguments {
			p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: a, Description: "any text", Required: true})
		}
		s.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			out := new(mcp.GetPromptResult)
			for _, c := range content(req.Params.Arguments) {
				out.Messages = append(out.Messages, &mcp.PromptMessage{Role: "user", Content: c})
			}
			return out, nil
		})
	}
	prompt("test_simple_prompt", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{text("This is a simple prompt for testing.")}
	})
	prompt("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(in map[string]string) []mcp.Content {
		return []mcp.Content{text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", in["arg1"], in["arg2"]))}
	})
	prompt("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(in map[string]string) []mcp.Content {
		return []mcp.Content{resource(in["resourceUri"], "Embedded resource content for testing."), text("Please process the embedded resource above.")}
	})
	prompt("test_prompt_with_image", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{image(), text("Please analyze the image above.")}
	})
}
