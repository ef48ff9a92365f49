package strata

import "time"

// Type says what a fact or note is about, which decides its default scope. The set of
// types is closed.
type Type string

// The types. User and feedback default to the global scope, project and
// reference to the workspace.
const (
	TypeUser      Type = "user"      // about the person: preferences, life, people, pets
	TypeFeedback  Type = "feedback"  // how the person wants the agent to work
	TypeProject   Type = "project"   // about the work at hand; the default
	TypeReference Type = "reference" // where something is found
)

// Types returns all types, in the order they are listed to people.
func Types() []Type { return []Type{TypeUser, TypeFeedback, TypeProject, TypeReference} }

// Validate reports whether t is one of the four types.
func (t Type) Validate() error {
	for _, known := range Types() {
		if t == known {
			return nil
		}
	}
	return Invalid("check type", "no such type: "+quote(string(t)), "use user, feedback, project or reference")
}

// OfProject reports whether memory of type t belongs to a project rather than to the user
// everywhere.
func (t Type) OfProject() bool { return t == TypeProject || t == TypeReference }

// Fact is one short statement that memory keeps.
type Fact struct {
	ID    string `json:"id"` // "fact_" and a ULID; stays the same through updates
	Scope Scope  `json:"scope"`
	Type  Type   `json:"type"`
	// Category groups facts by subject; the engine finds it unless it is given.
	Category string `json:"category"`
	Text     string `json:"text"`
	// Entity and Attribute are the slot the fact fills, such as ("user's cat", "name"). A
	// slot holds one value, and a new value supersedes the old. Both are empty when the
	// fact fills no slot.
	Entity    string `json:"entity,omitempty"`
	Attribute string `json:"attribute,omitempty"`
	// Sources are the ids of the turns the fact came from.
	Sources []string `json:"sources,omitempty"`
	// Tags are concept tags derived from the text.
	Tags []string `json:"tags,omitempty"`
	// Confidence, in [0,1], is that of the proposer of the fact.
	Confidence float64 `json:"confidence"`
	Origin     Origin  `json:"origin"`
	// Generation counts the versions of the fact from 1; an update adds one.
	Generation int64 `json:"generation"`
	// ValidFrom is when the statement starts to hold, if it says so itself.
	ValidFrom *time.Time `json:"valid_from,omitempty"`
	// ValidTo is when it stops holding, if it says so itself.
	ValidTo *time.Time `json:"valid_to,omitempty"`
	// Verbatim means that no rule could interpret the statement. It is kept in the
	// speaker's own words and gives way to a fact that says the same and was interpreted.
	Verbatim bool `json:"verbatim,omitempty"`
	// RecordedAt is when this version was committed.
	RecordedAt time.Time `json:"recorded_at"`
	// RetiredAt is when this version stopped being current (updated,
	// superseded or deleted); nil for a current fact.
	RetiredAt *time.Time `json:"retired_at,omitempty"`
	// SupersededBy is the id of the fact that replaced it, if any.
	SupersededBy string `json:"superseded_by,omitempty"`
	// Supersedes is the id of the fact that it replaced, if any.
	Supersedes string `json:"supersedes,omitempty"`
	// ConfirmedAt is when the fact was last repeated or agreed to; nil for never. It does
	// not confirm a version recorded later: see [Fact.Standing].
	ConfirmedAt *time.Time `json:"confirmed_at,omitempty"`
	// Accesses counts how often queries returned the fact.
	Accesses int `json:"accesses"`
	// LastAccess is when a query last returned it; zero for never.
	LastAccess time.Time `json:"last_access,omitzero"`
}

// Current reports whether f is the version that holds now.
func (f Fact) Current() bool { return f.RetiredAt == nil }

// Standing says how well established a fact is.
type Standing string

// The standings.
const (
	StandingOnce      Standing = "once"      // it was said once
	StandingConfirmed Standing = "confirmed" // it was said again in another session, or agreed to
)

// Standing returns the standing of this version. A confirmation of an earlier version
// does not count for a new text.
func (f Fact) Standing() Standing {
	if f.ConfirmedAt == nil || f.ConfirmedAt.Before(f.RecordedAt) {
		return StandingOnce
	}
	return StandingConfirmed
}

// FactFilter selects facts. The zero value selects every current fact.
type FactFilter struct {
	Type     Type       // empty: any
	Category string     // empty: any
	Retired  bool       // also versions that are no longer current
	AsOf     *time.Time // as recorded at that time; overrides Retired
	After    string     // id of the last fact of the previous page; empty: from the newest
	Limit    int        // 0: 100; at most 10,000
}
