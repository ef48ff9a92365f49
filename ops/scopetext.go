package ops

import "github.com/strata-memory/strata"

// ParseScope reads a scope as people write it: global, workspace, agent (in
// the workspace), agent:global or a canonical key. Empty text is the zero scope.
// The workspace and agent are those at hand; empty without one.
func ParseScope(text, workspace, agent string) (strata.Scope, error) {
	switch text {
	case "":
		return strata.Scope{}, nil
	case "global":
		return strata.Global(), nil
	case "workspace":
		if workspace == "" {
			return strata.Scope{}, noWorkspace("the scope workspace needs a workspace")
		}
		return strata.InWorkspace(workspace), nil
	case "agent", "agent:global":
		if agent == "" {
			return strata.Scope{}, &strata.Error{Code: strata.CodeScopeRequired, Message: "the scope " + text + " needs an agent",
				Hint: "name it with --agent NAME or STRATA_AGENT"}
		}
		if text == "agent:global" {
			return strata.ForAgent(agent), nil
		}
		if workspace == "" {
			return strata.Scope{}, noWorkspace("the scope agent needs a workspace; agent:global is the agent everywhere")
		}
		return strata.ForAgentIn(workspace, agent), nil
	}
	scope, err := strata.ParseScope(text)
	if err != nil {
		return strata.Scope{}, strata.Invalid("", "no such scope: \""+clip(text)+"\"",
			"use global, workspace, agent, agent:global, or a key that strata scopes lists")
	}
	return scope, nil
}

// noWorkspace says how to get one.
func noWorkspace(message string) error {
	return &strata.Error{Code: strata.CodeScopeRequired, Message: message,
		Hint: "run it inside a project, or name one with --workspace DIR"}
}
