package strata

import "time"

// SessionKind says who takes part in a session, and with it what may be shown.
type SessionKind string

// The kinds of session. The empty kind means main.
const (
	SessionMain   SessionKind = "main"   // the user and the agent alone
	SessionGroup  SessionKind = "group"  // others listen: the user's own items stay out
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
	ID        string      `json:"id"`
	Scope     Scope       `json:"scope"`
	Kind      SessionKind `json:"kind"`
	StartedAt time.Time   `json:"started_at"`
	ClosedAt  *time.Time  `json:"closed_at,omitempty"`
	// Turns counts the turns of the session.
	Turns int64 `json:"turns"`
}
