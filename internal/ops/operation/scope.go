package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

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
		return strata.Scope{}, strata.Invalid("", "no such scope: \""+Clip(text)+"\"",
			"use global, workspace, agent, agent:global, or a key that strata scopes lists")
	}
	return scope, nil
}

// Target reads the scope that something is to go to, as [ParseScope] does. It is
// not_found for one of a workspace that the home knows nothing of, and denied for one that
// the caller is not allowed.
func (e *Env) Target(ctx context.Context, text string) (strata.Scope, error) {
	scope, err := e.named(text)
	if err != nil || scope.Workspace == "" || scope.Workspace == e.Workspace {
		return scope, err
	}
	known, err := e.Engine.Scopes(ctx)
	if err != nil || slices.ContainsFunc(known, func(s strata.Scope) bool { return s.Workspace == scope.Workspace }) {
		return scope, err
	}
	return strata.Scope{}, UnknownWorkspace(scope.Workspace)
}

// named reads a scope that the caller named, as [ParseScope] does. It is denied if he is not
// allowed to.
func (e *Env) named(text string) (strata.Scope, error) {
	scope, err := ParseScope(text, e.Workspace, e.Agent)
	switch {
	case e.Confined != nil && strata.CodeOf(err) == strata.CodeScopeRequired:
		err = e.notAllowed(text) // of a workspace or agent that none of his scopes has
	case err == nil && !scope.IsZero():
		err = e.Allowed(scope)
	}
	return scope, err
}

// UnknownWorkspace says that the home knows nothing of a workspace.
func UnknownWorkspace(id string) error {
	return &strata.Error{Code: strata.CodeNotFound, Message: "the home knows no workspace " + Clip(id),
		Hint: "strata scopes lists those that it knows; a project is known once strata was run in it"}
}

// noWorkspace says how to get one.
func noWorkspace(message string) error {
	return &strata.Error{Code: strata.CodeScopeRequired, Message: message,
		Hint: "run it inside a project, or name one with --workspace DIR"}
}

// Within is the environment of a tool that was given a scope: it sees and writes
// that alone. A model may choose among the scopes that it sees anyway, so that
// nothing it reads can lead it into the memory of another project.
func (e *Env) Within(text string) (*Env, error) {
	scope, err := e.named(text)
	switch {
	case err != nil && e.Confined != nil:
		return nil, err
	case err == nil && scope.IsZero():
		return e, nil
	}
	if !slices.Contains(e.View.Scopes, scope) {
		return nil, &strata.Error{
			Code: strata.CodeScopeRequired, Message: "the scope " + Clip(text) + " is not seen from here", Err: err,
			Hint: "use one of: " + strings.Join(Each(e.View.Scopes, strata.Scope.Key), ", ") + "; or leave it out",
		}
	}
	own := *e
	own.Scope, own.View.Scopes = scope, []strata.Scope{scope}
	return &own, nil
}

// Confine returns the environment of a caller who may see and write the given scopes and
// no others, and learns nothing of the home around them. What he does is about the first of
// them until he names another.
func (e *Env) Confine(scopes []strata.Scope) *Env {
	own := *e
	own.Confined = scopes
	own.Scope, own.View.Scopes = scopes[0], scopes[:1]
	own.Workspace, own.Agent = scopes[0].Workspace, scopes[0].Agent
	own.Place, own.Backups, own.Owner = Place{}, nil, nil
	return &own
}

// Permit returns an error if the caller may not run an operation, whatever its input. With
// some inputs he may not run one that has [Info.ChangesWith], either.
func (e *Env) Permit(info Info) error {
	denied := func(message, hint string) error {
		return &strata.Error{Code: strata.CodeDenied, Op: info.Name, Message: message, Hint: hint}
	}
	switch {
	case e.ReadOnly && !info.ReadOnly && info.ChangesWith == "":
		return denied("this caller may only read, and "+info.Name+" may write", "use a token that was made without --read-only")
	case e.Confined != nil && info.WholeHome:
		return denied(info.Name+" is about the whole home, and this caller is confined to scopes", "use the token in the file server.token of the home, or its socket")
	case e.Confined != nil && info.Extracts && !e.Allows(strata.Global()):
		return denied("what a conversation says of the user belongs to the global scope, which this caller is not allowed", "use a token that was made with --more global")
	}
	return nil
}

// Allows reports whether the caller may see and write a scope.
func (e *Env) Allows(s strata.Scope) bool { return e.Confined == nil || slices.Contains(e.Confined, s) }

// Allowed returns an error unless the caller may see and write a scope.
func (e *Env) Allowed(s strata.Scope) error {
	if e.Allows(s) {
		return nil
	}
	return e.notAllowed(s.Key())
}

// notAllowed is the error of a scope that the caller may not see, as he named it.
func (e *Env) notAllowed(scope string) error {
	return &strata.Error{Code: strata.CodeDenied, Message: "the scope " + Clip(scope) + " is not one of those that this caller is confined to",
		Hint: "leave scope out, or use one of: " + strings.Join(Each(e.Confined, strata.Scope.Key), ", ")}
}
