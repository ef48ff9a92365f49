package ops

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// scopeName is the field of every tool that commands have as the flag --scope.
const scopeName = "scope"

// scopeSchema describes it.
func scopeSchema() *Schema { return &Schema{Type: "string", Description: "global or workspace"} }

// within is the environment of a tool that was given a scope: it sees and writes
// that alone. A model may choose among the scopes that it sees anyway, so that
// nothing it reads can lead it into the memory of another project.
func (e *Env) within(text string) (*Env, error) {
	scope, err := ParseScope(text, e.Workspace, e.Agent)
	if scope.IsZero() && err == nil {
		return e, nil
	}
	if !slices.Contains(e.View.Scopes, scope) {
		return nil, &strata.Error{
			Code: strata.CodeScopeRequired, Message: "the scope " + clip(text) + " is not seen from here", Err: err,
			Hint: "use one of: " + strings.Join(each(e.View.Scopes, strata.Scope.Key), ", ") + "; or leave it out",
		}
	}
	own := *e
	own.Scope, own.View.Scopes = scope, []strata.Scope{scope}
	return &own, nil
}
