package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
)

// maxCompletions is the most values that the protocol lets an answer have.
const maxCompletions = 100

// complete completes what a person types as the path of a document or as the scope of a
// prompt. For anything else it knows no values.
func (s *service) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var known []string
	switch p := req.Params; {
	case p.Ref == nil:
	case p.Ref.URI == documentTemplate && p.Argument.Name == "path":
		list, err := s.engine.Documents(ctx, s.options.View, strata.DocumentFilter{})
		if err != nil {
			s.options.Logger.Error("complete a path", "error", err)
			break // completion is a convenience: nothing is said of what went wrong
		}
		for _, d := range list {
			known = append(known, d.Path)
		}
		slices.Sort(known) // several scopes may have files of one path
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
