package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/wire"
)

// request turns req into the protocol's form, for a server with these habits.
func request(model string, req llm.Request, habits habit) (openai.ChatCompletionNewParams, error) {
	out := openai.ChatCompletionNewParams{Model: model}
	for _, m := range req.Messages {
		out.Messages = append(out.Messages, message(m))
	}
	for _, t := range req.Tools {
		var schema shared.FunctionParameters
		if err := json.Unmarshal(wire.Parameters(t), &schema); err != nil {
			return out, fmt.Errorf("parameters of tool %s: %w", t.Name, err)
		}
		function := shared.FunctionDefinitionParam{Name: t.Name, Parameters: schema}
		if t.Description != "" {
			function.Description = param.NewOpt(t.Description)
		}
		out.Tools = append(out.Tools, openai.ChatCompletionFunctionTool(function))
	}
	if len(req.Schema) > 0 {
		out.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "answer", Schema: req.Schema},
		}
		if strict(req.Schema) {
			out.ResponseFormat.OfJSONSchema.JSONSchema.Strict = param.NewOpt(true)
		}
	}
	if req.MaxTokens > 0 {
		limit := param.NewOpt(int64(req.MaxTokens))
		if habits&wantsCompletionTokens != 0 {
			out.MaxCompletionTokens = limit
		} else {
			out.MaxTokens = limit
		}
	}
	if req.Temperature != nil && habits&noTemperature == 0 {
		out.Temperature = param.NewOpt(*req.Temperature)
	}
	if habits&noStreamOptions == 0 {
		out.StreamOptions.IncludeUsage = param.NewOpt(true)
	}
	return out, nil
}

func message(m llm.Message) openai.ChatCompletionMessageParamUnion {
	switch m.Role {
	case strata.RoleSystem:
		return openai.SystemMessage(m.Text)
	case strata.RoleTool:
		return openai.ToolMessage(m.Text, m.CallID)
	case strata.RoleAssistant:
		return assistant(m)
	}
	if len(m.Images) == 0 {
		return openai.UserMessage(m.Text)
	}
	var parts []openai.ChatCompletionContentPartUnionParam
	if m.Text != "" {
		parts = append(parts, openai.TextContentPart(m.Text))
	}
	for _, image := range m.Images {
		parts = append(parts, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{
			URL: "data:" + image.MediaType + ";base64," + base64.StdEncoding.EncodeToString(image.Data),
		}))
	}
	return openai.UserMessage(parts)
}

// assistant leaves the text out of a message with calls when there is none: some servers
// refuse an empty one there, and every server refuses to do without both.
func assistant(m llm.Message) openai.ChatCompletionMessageParamUnion {
	var out openai.ChatCompletionAssistantMessageParam
	if m.Text != "" || len(m.Calls) == 0 {
		out.Content.OfString = param.NewOpt(m.Text)
	}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID: c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
					Name: c.Name, Arguments: string(wire.Arguments(c.Arguments)),
				},
			},
		})
	}
	return openai.ChatCompletionMessageParamUnion{OfAssistant: &out}
}

// strict reports whether a schema meets the conditions under which OpenAI
// guarantees that the answer follows it: every object lists all its properties
// as required and allows no others. A schema that does not is sent as a hint.
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
			return false // outside the guaranteed subset, or not looked into here
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
