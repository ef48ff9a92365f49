package strata

import "time"

// Type is the closed kind of a fact or note: what it is about decides where it
// lives when nobody says.
type Type string

// The types. User and feedback default to the global scope, project and
// reference to the workspace.
const (
	TypeUser      Type = "user"      // about the person: preferences, life, people, pets
	TypeFeedback  Type = "feedback"  // how the person wants the agent to work
	TypeProject   Type = "project"   // about the work at hand; the default
	TypeReference Type = "reference" // where something is found
)

// Types are all types, in the order they are listed to people.
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

// OfProject reports whether what is of the type belongs to a project, and not to
// the user wherever they are.
func (t Type) OfProject() bool { return t == TypeProject || t == TypeReference }

// Fact is one short statement that is remembered.
type Fact struct {
	ID    string `json:"id"` // "fact_" and a ULID; stays the same through updates
	Scope Scope  `json:"scope"`
	Type  Type   `json:"type"`
	// Category groups facts by subject; it is found by the engine unless given.
	Category string `json:"category"`
	Text     string `json:"text"`
	// Entity and Attribute are the slot the fact fills, as ("user's cat",
	// "name"): a slot holds one value, and a new value supersedes the old.
	// Both empty when the fact fills none.
	Entity    string `json:"entity,omitempty"`
	Attribute string `json:"attribute,omitempty"`
	// Sources are the ids of the turns the fact was learnt from.
	Sources []string `json:"sources,omitempty"`
	// Tags are concept tags derived from the text.
	Tags []string `json:"tags,omitempty"`
	// Confidence in [0,1] of whoever proposed the fact.
	Confidence float64 `json:"confidence"`
	Origin     Origin  `json:"origin"`
	// Generation counts the versions of the fact from 1; an update adds one.
	Generation int64 `json:"generation"`
	// ValidFrom is since when the statement holds, where it says so itself.
	ValidFrom *time.Time `json:"valid_from,omitempty"`
	// ValidTo is until when it holds, where it says so itself.
	ValidTo *time.Time `json:"valid_to,omitempty"`
	// Verbatim says that no rule could read the statement: it is kept in the
	// speaker's own words, and gives way to one that says the same and was read.
	Verbatim bool `json:"verbatim,omitempty"`
	// RecordedAt is when this version was committed.
	RecordedAt time.Time `json:"recorded_at"`
	// RetiredAt is when this version stopped being current (updated,
	// superseded or deleted); nil for a current fact.
	RetiredAt *time.Time `json:"retired_at,omitempty"`
	// SupersededBy is the id of the fact that took its place, if any.
	SupersededBy string `json:"superseded_by,omitempty"`
	// Supersedes is the id of the fact whose place it took, if any.
	Supersedes string `json:"supersedes,omitempty"`
	// ConfirmedAt is when the fact was said again last, or agreed to; nil for never. A
	// version that came later was not: see [Fact.Standing].
	ConfirmedAt *time.Time `json:"confirmed_at,omitempty"`
	// Accesses counts the times the fact was returned to somebody who asked.
	Accesses int `json:"accesses"`
	// LastAccess is when it was last returned; zero when never.
	LastAccess time.Time `json:"last_access,omitzero"`
}

// Current reports whether f is the version that is believed now.
func (f Fact) Current() bool { return f.RetiredAt == nil }

// Standing says how well a fact is vouched for.
type Standing string

// The standings.
const (
	StandingOnce      Standing = "once"      // it was said once
	StandingConfirmed Standing = "confirmed" // it was said again in another session, or agreed to
)

// Standing is that of this version: a new text is not confirmed by what the one before
// was.
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
	After    string     // id after which to go on, for paging; empty: from the newest
	Limit    int        // 0: 100; at most 10,000
}
