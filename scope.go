package strata

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ScopeKind says whose memory a scope is.
type ScopeKind string

// The kinds of scope.
const (
	ScopeGlobal    ScopeKind = "global"    // the user, everywhere
	ScopeWorkspace ScopeKind = "workspace" // one project
	ScopeAgent     ScopeKind = "agent"     // one agent
)

// Tier says how far an agent's own memory reaches.
type Tier string

// The tiers of an agent's scope.
const (
	TierWorkspace Tier = "workspace" // this agent in this workspace
	TierGlobal    Tier = "global"    // this agent everywhere
)

// Scope owns rows of memory. Scopes are values and compare with ==.
// The zero Scope is not valid; in a [Candidate] it asks for the default by type.
type Scope struct {
	Kind      ScopeKind `json:"kind"`
	Tier      Tier      `json:"tier,omitempty"`
	Workspace string    `json:"workspace,omitempty"`
	Agent     string    `json:"agent,omitempty"`
}

// Global is the user's scope, seen from everywhere.
func Global() Scope { return Scope{Kind: ScopeGlobal} }

// InWorkspace is the scope of the workspace with the given id.
func InWorkspace(id string) Scope { return Scope{Kind: ScopeWorkspace, Workspace: id} }

// ForAgent is an agent's scope across all workspaces.
func ForAgent(agent string) Scope {
	return Scope{Kind: ScopeAgent, Tier: TierGlobal, Agent: agent}
}

// ForAgentIn is an agent's scope within one workspace.
func ForAgentIn(workspace, agent string) Scope {
	return Scope{Kind: ScopeAgent, Tier: TierWorkspace, Workspace: workspace, Agent: agent}
}

// DefaultScope returns the scope for a fact or note of type t when none is named: the
// global scope for what is about the user, otherwise the workspace with the given id.
// Project memory never goes to the global scope, where every other project would see it:
// with an empty workspace the error is scope_required.
func DefaultScope(t Type, workspace string) (Scope, error) {
	switch {
	case t == TypeUser || t == TypeFeedback:
		return Global(), nil
	case workspace != "":
		return InWorkspace(workspace), nil
	}
	return Scope{}, &Error{
		Code: CodeScopeRequired, Op: "choose scope", Message: strings.TrimSpace(string(t) + " memory belongs to a project, and there is none here"),
		Hint: "name a scope, such as global, or save it as type user",
	}
}

// IsZero reports whether s names no scope.
func (s Scope) IsZero() bool { return s == Scope{} }

// Key returns the canonical text of s, which owns its rows: "global", "workspace/<id>",
// "agent/<name>" or "workspace/<id>/agent/<name>". [ParseScope] is its inverse for every
// valid scope.
func (s Scope) Key() string {
	switch {
	case s.Kind == ScopeGlobal:
		return "global"
	case s.Kind == ScopeWorkspace:
		return "workspace/" + s.Workspace
	case s.Kind == ScopeAgent && s.Tier == TierGlobal:
		return "agent/" + s.Agent
	case s.Kind == ScopeAgent:
		return "workspace/" + s.Workspace + "/agent/" + s.Agent
	}
	return ""
}

// String returns s.Key().
func (s Scope) String() string { return s.Key() }

// ParseScope parses a canonical key; see [Scope.Key].
func ParseScope(key string) (Scope, error) {
	var s Scope
	parts := strings.Split(key, "/")
	switch {
	case key == "global":
		s = Global()
	case len(parts) == 2 && parts[0] == "workspace":
		s = InWorkspace(parts[1])
	case len(parts) == 2 && parts[0] == "agent":
		s = ForAgent(parts[1])
	case len(parts) == 4 && parts[0] == "workspace" && parts[2] == "agent":
		s = ForAgentIn(parts[1], parts[3])
	default:
		return Scope{}, Invalid("parse scope", "no such scope: "+quote(key),
			"write global, workspace/<id>, agent/<name> or workspace/<id>/agent/<name>")
	}
	return s, s.Validate()
}

// Validate reports whether s is a scope that can own rows.
func (s Scope) Validate() error {
	const op = "check scope"
	const hint = "write global, workspace/<id>, agent/<name> or workspace/<id>/agent/<name>"
	var ok bool
	switch s.Kind {
	case ScopeGlobal:
		ok = s == Global()
	case ScopeWorkspace:
		ok = s == InWorkspace(s.Workspace) && s.Workspace != ""
	case ScopeAgent:
		ok = s == ForAgent(s.Agent) || s == ForAgentIn(s.Workspace, s.Agent) && s.Workspace != ""
		ok = ok && s.Agent != ""
	}
	if !ok {
		return Invalid(op, "incomplete or contradictory scope", hint)
	}
	for _, name := range []string{s.Workspace, s.Agent} {
		if name == "" {
			continue
		}
		if err := ValidateName("scope name", name); err != nil {
			return err
		}
	}
	return nil
}

// ValidateName reports whether name can be used in a key, a path or an index: 1 to
// [MaxNameBytes] bytes of printable UTF-8 without a slash or backslash, not "." or "..",
// without white space at the ends. The error names the field.
func ValidateName(field, name string) error {
	bad := ""
	switch {
	case name == "":
		bad = "is empty"
	case len(name) > MaxNameBytes:
		bad = "is longer than 256 bytes"
	case !utf8.ValidString(name):
		bad = "is not valid UTF-8"
	case name == "." || name == "..", strings.ContainsAny(name, `/\`):
		bad = "must not be a path"
	case strings.TrimSpace(name) != name:
		bad = "has white space at its ends"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		bad = "holds characters that cannot be printed"
	}
	if bad == "" {
		return nil
	}
	return Invalid("check "+field, field+" "+bad, "use a short plain name, such as my-project")
}

// View is what a read may see: scopes in order of precedence, and the kind of session
// that asks. A read never considers anything outside its view. The zero View is invalid.
type View struct {
	Scopes  []Scope     `json:"scopes"`
	Session SessionKind `json:"session,omitempty"` // empty means main
}

// View returns the view that sees only s.
func (s Scope) View() View { return View{Scopes: []Scope{s}} }

// ViewOf returns the view of an agent in a workspace, in the default order of precedence:
// agent in workspace, agent, workspace, global. An empty name leaves its scopes out.
func ViewOf(workspace, agent string) View {
	var v View
	if workspace != "" && agent != "" {
		v.Scopes = append(v.Scopes, ForAgentIn(workspace, agent))
	}
	if agent != "" {
		v.Scopes = append(v.Scopes, ForAgent(agent))
	}
	if workspace != "" {
		v.Scopes = append(v.Scopes, InWorkspace(workspace))
	}
	v.Scopes = append(v.Scopes, Global())
	return v
}

// Hides reports whether v hides f: a group session does not see facts about the user.
func (v View) Hides(f Fact) bool { return v.Session == SessionGroup && f.Type == TypeUser }

// OnlySessions returns the only kind of session that v sees; empty means all. Private
// conversations stay out of groups: a group session sees only sessions of its own kind.
func (v View) OnlySessions() SessionKind {
	if v.Session == SessionGroup {
		return SessionGroup
	}
	return ""
}

// Validate reports whether v is a valid view.
func (v View) Validate() error {
	if len(v.Scopes) == 0 {
		return Invalid("check view", "the view names no scope",
			"pass at least one scope, such as strata.Global().View()")
	}
	seen := make(map[Scope]bool, len(v.Scopes))
	for _, s := range v.Scopes {
		if err := s.Validate(); err != nil {
			return err
		}
		if seen[s] {
			return Invalid("check view", "the view names "+s.Key()+" twice", "name each scope once")
		}
		seen[s] = true
	}
	return v.Session.Validate()
}

// quote quotes text from outside for an error message, shortened if it is long.
func quote(s string) string { return `"` + clipped(s, 40) + `"` }

// clipped returns text from outside for an error message: at most the given number of
// characters, with a question mark for each that is not printable.
func clipped(s string, most int) string {
	r := []rune(strings.ToValidUTF8(s[:min(len(s), (most+1)*utf8.UTFMax)], "?"))
	if len(r) > most {
		r = append(r[:most], '…')
	}
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, string(r))
}
