package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// ParseScope parses a scope as people write it: global, workspace, agent (in the
// workspace), agent:global or a canonical key. Empty text is the zero scope. The
// workspace and agent are the current ones; empty without one.
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

// Target parses the scope that something is to be written to, see [ParseScope]. It
// returns not_found for a workspace that the home does not know, and denied for a scope
// that the caller may not use.
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

// named parses a scope that the caller named, see [ParseScope]. It returns denied if the
// caller may not use it.
func (e *Env) named(text string) (strata.Scope, error) {
	scope, err := ParseScope(text, e.Workspace, e.Agent)
	switch {
	case e.Confined != nil && strata.CodeOf(err) == strata.CodeScopeRequired:
		err = e.notAllowed(text) // a workspace or agent of none of the allowed scopes
	case err == nil && !scope.IsZero():
		err = e.Allowed(scope)
	}
	return scope, err
}

// UnknownWorkspace returns the error for a workspace that the home does not know.
func UnknownWorkspace(id string) error {
	return &strata.Error{Code: strata.CodeNotFound, Message: "the home knows no workspace " + Clip(id),
		Hint: "strata scopes lists those that it knows; a project is known once strata has run in it"}
}

// noWorkspace returns an error with a hint on how to get a workspace.
func noWorkspace(message string) error {
	return &strata.Error{Code: strata.CodeScopeRequired, Message: message,
		Hint: "run it inside a project, or name one with --workspace DIR"}
}

// Within returns the environment for a tool call that names a scope: it reads and writes
// that scope alone. A model may only choose among the scopes that it sees anyway, so that
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
			Code: strata.CodeScopeRequired, Message: "the scope " + Clip(text) + " is not visible from here", Err: err,
			Hint: "use one of: " + strings.Join(Each(e.View.Scopes, strata.Scope.Key), ", ") + "; or leave it out",
		}
	}
	own := *e
	own.Scope, own.View.Scopes = scope, []strata.Scope{scope}
	return &own, nil
}

// Confine returns the environment of a caller who may read and write the given scopes and
// no others, and learns nothing about the rest of the home. Operations apply to the first
// scope unless the caller names another.
func (e *Env) Confine(scopes []strata.Scope) *Env {
	own := *e
	own.Confined = scopes
	own.Scope, own.View.Scopes = scopes[0], scopes[:1]
	own.Workspace, own.Agent = scopes[0].Workspace, scopes[0].Agent
	own.Place, own.Backups, own.Owner = Place{}, nil, nil
	return &own
}

// Permit returns an error if the caller may not run an operation at all, whatever its
// input. An operation with [Info.ChangesWith] may still be refused because of its input.
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
		return denied("what a conversation says about the user belongs to the global scope, which this caller may not use", "use a token that was made with --more global")
	}
	return nil
}

// Allows reports whether the caller may read and write a scope.
func (e *Env) Allows(s strata.Scope) bool { return e.Confined == nil || slices.Contains(e.Confined, s) }

// Allowed returns an error unless the caller may read and write a scope.
func (e *Env) Allowed(s strata.Scope) error {
	if e.Allows(s) {
		return nil
	}
	return e.notAllowed(s.Key())
}

// notAllowed returns the error for a scope that the caller may not see, as the caller
// named it.
func (e *Env) notAllowed(scope string) error {
	return &strata.Error{Code: strata.CodeDenied, Message: "the scope " + Clip(scope) + " is not one that this caller is confined to",
		Hint: "leave scope out, or use one of: " + strings.Join(Each(e.Confined, strata.Scope.Key), ", ")}
}
