package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// contextTokens is the default budget of a context.
const contextTokens = 1500

// The prompt with the contents of memory, and its arguments.
const (
	contextPromptName = "memory_context"
	budgetArgument    = "budget"
	scopeArgument     = "scope"
)

// addPrompts adds the prompts that a user, or a client on its own, puts into a
// conversation.
func (s *service) addPrompts(server *mcp.Server) {
	add := func(p *mcp.Prompt, answer mcp.PromptHandler) { server.AddPrompt(p, withArguments(p, answer)) }
	add(&mcp.Prompt{
		Name: contextPromptName, Title: "What memory holds",
		Description: "Standing rules, facts about the user, the index of notes and learnings, within a budget. For the start of a session.",
		Arguments: []*mcp.PromptArgument{
			{Name: budgetArgument, Description: "tokens, 200 to 100000 (default 1500)"},
			{Name: scopeArgument, Description: "global or workspace (default: all that the server sees)"},
		},
	}, s.contextPrompt)
	add(&mcp.Prompt{
		Name: "memory_guide", Title: "How to use memory",
		Description: "When to save, recall and correct, and which tool does it.",
	}, s.guidePrompt)
}

// withArguments refuses arguments that a prompt does not have.
func withArguments(p *mcp.Prompt, answer mcp.PromptHandler) mcp.PromptHandler {
	names := operation.Each(p.Arguments, func(a *mcp.PromptArgument) string { return a.Name })
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		for name := range req.Params.Arguments {
			if !slices.Contains(names, name) {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
					Message: fmt.Sprintf("there is no argument %q; the arguments are: %s", operation.Clip(name), cmp.Or(strings.Join(names, ", "), "none"))}
			}
		}
		return answer(ctx, req)
	}
}

// contextPrompt answers with the contents of memory.
func (s *service) contextPrompt(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	in := ops.ContextIn{MaxTokens: contextTokens}
	if budget := req.Params.Arguments[budgetArgument]; budget != "" {
		n, err := strconv.Atoi(budget)
		if err != nil || n < ops.MinContext || n > ops.MaxContext {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
				Message: fmt.Sprintf("budget is no whole number from %d to %d; leave it out for %d", ops.MinContext, ops.MaxContext, contextTokens)}
		}
		in.MaxTokens = n
	}
	env, err := s.env(req.Session).Within(req.Params.Arguments[scopeArgument])
	if err != nil {
		return nil, s.promptError(req, err)
	}
	known, err := ops.ContextOf(ctx, env, in)
	if err != nil {
		return nil, s.promptError(req, err)
	}
	return promptOf("What memory holds", known.Text), nil
}

// guidePrompt answers with instructions for the tools that the server offers.
func (s *service) guidePrompt(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	var b strings.Builder
	b.WriteString("Begin a session with `memory_context`.\n\n" + snapshot.GuidanceAlone(s.offers) + "\n\nThe tools:\n")
	for _, t := range s.tools() {
		fmt.Fprintf(&b, "- `%s`: %s\n", t.Name, t.Description)
	}
	return promptOf("How to use memory", b.String()), nil
}

func promptOf(title, text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{
		Description: title,
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: operation.ShownText(text)}}},
	}
}

// promptError returns an error for a client to show.
func (s *service) promptError(req *mcp.GetPromptRequest, err error) error {
	f := operation.FailureOf(err)
	s.logFailure("prompt", req.Params.Name, err)
	if f.Hint != "" {
		f.Message += ": " + f.Hint
	}
	return &jsonrpc.Error{Code: int64(f.Code.MCPError()), Message: f.Message}
}

// maxCompletions is the maximum number of values that the protocol allows in an answer.
const maxCompletions = 100

// complete completes the path of a document or the scope of a prompt. It has no
// completions for anything else.
func (s *service) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var known []string
	switch p := req.Params; {
	case p.Ref == nil:
	case p.Ref.URI == documentTemplate && p.Argument.Name == "path":
		list, err := s.engine.Documents(ctx, s.options.View, strata.DocumentFilter{})
		if err != nil {
			s.options.Logger.Error("complete a path", "error", err)
			break // completion is a convenience: the client is not told
		}
		for _, d := range list {
			known = append(known, d.Path)
		}
		slices.Sort(known) // several scopes may have files with the same path
		known = slices.Compact(known)
	case p.Ref.Name == contextPromptName && p.Argument.Name == scopeArgument:
		for _, scope := range s.options.View.Scopes {
			known = append(known, scope.Key())
		}
	}
	values := []string{}
	for _, v := range known {
		if strings.HasPrefix(v, req.Params.Argument.Value) {
			values = append(values, v)
		}
	}
	shown := values[:min(len(values), maxCompletions)]
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: shown, Total: len(values), HasMore: len(shown) < len(values)}}, nil
}
