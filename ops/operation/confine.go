package operation

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

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
