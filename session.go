package strata

import "time"

// SessionKind says who takes part in a session, which decides what may be shown.
type SessionKind string

// The kinds of session. The empty kind means main.
const (
	SessionMain   SessionKind = "main"   // the user and the agent alone
	SessionGroup  SessionKind = "group"  // others are present: facts about the user stay hidden
	SessionSub    SessionKind = "sub"    // an agent working for another
	SessionSystem SessionKind = "system" // Strata's own runs
)

// Validate reports whether k is a known kind; the empty kind is main.
func (k SessionKind) Validate() error {
	switch k {
	case "", SessionMain, SessionGroup, SessionSub, SessionSystem:
		return nil
	}
	return Invalid("check session kind", "no such kind of session: "+quote(string(k)), "use main, group, sub or system")
}

// Session is one conversation.
type Session struct {
	ID    string      `json:"id"`
	Scope Scope       `json:"scope"`
	Kind  SessionKind `json:"kind"`
	// Parent is the id of the session that started this one, whose rights and
	// snapshot it shares; empty for none.
	Parent    string     `json:"parent,omitempty"`
	StartedAt time.Time  `json:"started_at"`
	ClosedAt  *time.Time `json:"closed_at,omitempty"`
	// Turns counts the turns of the session.
	Turns int64 `json:"turns"`
}

// Validate reports whether s can be opened. Kind and times may be missing.
func (s Session) Validate() error {
	if err := ValidateName("session", s.ID); err != nil {
		return err
	}
	if err := s.Kind.Validate(); err != nil {
		return err
	}
	if s.Parent == "" {
		return nil
	}
	if s.Parent == s.ID {
		return Invalid("check session", "the session is its own parent", "name the session that started it, or none")
	}
	return ValidateName("parent session", s.Parent)
}

// Snapshot is the text about memory that a session was given when it began. It does not
// change, except that forgotten text is removed; a later generation replaces it.
type Snapshot struct {
	Scope   Scope  `json:"scope"`
	Session string `json:"session"`
	// Generation counts the snapshots of the session from 1.
	Generation int64     `json:"generation"`
	Text       string    `json:"text"`
	CreatedAt  time.Time `json:"created_at"`
}

// Validate reports whether s can be stored. A missing generation means the next one. An
// empty text means that nothing was known.
func (s Snapshot) Validate() error {
	if err := ValidateName("session", s.Session); err != nil {
		return err
	}
	if s.Generation < 0 {
		return Invalid("check snapshot", "the generation is negative", "count from 1, or leave it 0 for the next")
	}
	if len(s.Text) > MaxSnapshotBytes {
		return &Error{Code: CodeTooLarge, Op: "check snapshot", Message: "the snapshot is longer than 1 MiB", Hint: "give it a smaller budget"}
	}
	return validateBytes("snapshot", s.Text)
}
