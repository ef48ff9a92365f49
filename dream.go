package strata

import "time"

// Dream is one run of consolidation in a scope: which memories it considered, promoted to
// MEMORY.md, archived from it or left in place, and why, and which facts gave way to
// others. It does not contain the text of any memory.
type Dream struct {
	ID         string       `json:"id"` // "dream_" and a ULID
	Scope      Scope        `json:"scope"`
	Trigger    DreamTrigger `json:"trigger"`
	StartedAt  time.Time    `json:"started_at"`
	FinishedAt time.Time    `json:"finished_at"`
	// Considered counts the memories that queries asked for.
	Considered int `json:"considered"`
	Promoted   int `json:"promoted"`
	Archived   int `json:"archived"`
	Merged     int `json:"merged"`  // facts merged into others that say the same
	Settled    int `json:"settled"` // facts that contradicted a later one
	Asked      int `json:"asked"`   // questions put to the user
	Tagged     int `json:"tagged"`  // facts whose concept tags changed
	// Items are the memories with an outcome other than left, and of those left the ones
	// closest to being promoted.
	Items []DreamItem `json:"items,omitempty"`
	// Failure says why the dream did nothing; empty if it succeeded.
	Failure string `json:"failure,omitempty"`
	// ProjectedAt is when its files were written; nil while they are outstanding.
	ProjectedAt *time.Time `json:"projected_at,omitempty"`
}

// Left counts the memories that were considered but not promoted.
func (d Dream) Left() int { return d.Considered - d.Promoted }

// DreamTrigger says what started a dream.
type DreamTrigger string

// The triggers.
const (
	DreamScheduled DreamTrigger = "scheduled" // it was due
	DreamAsked     DreamTrigger = "asked"     // somebody asked, and the gates were open
	DreamForced    DreamTrigger = "forced"    // ignores the gates of time and sessions
	DreamRetried   DreamTrigger = "retried"   // replaces a failed dream; ignores these gates too
)

// DreamItem is the outcome of a dream for one memory.
type DreamItem struct {
	Memory string `json:"memory"` // id
	// With is the fact that this one was merged into, gave way to or contradicts; empty
	// for other outcomes.
	With    string       `json:"with,omitempty"`
	Outcome DreamOutcome `json:"outcome"`
	// Reason says in a few words why, such as how far it was from the gate that stayed
	// closed.
	Reason    string  `json:"reason,omitempty"`
	Score     float64 `json:"score"`
	Recalls   int     `json:"recalls"`   // how often queries found it
	Questions int     `json:"questions"` // how many different questions these were
	Days      int     `json:"days"`      // number of UTC days on which they did
}

// DreamOutcome is the outcome of a dream for one memory.
type DreamOutcome string

// The outcomes.
const (
	DreamPromoted   DreamOutcome = "promoted"
	DreamArchived   DreamOutcome = "archived" // it was promoted, and gave way
	DreamLeft       DreamOutcome = "left"
	DreamMerged     DreamOutcome = "merged"  // merged into another fact that says the same
	DreamSettled    DreamOutcome = "settled" // it contradicted a later fact
	DreamQuestioned DreamOutcome = "asked"   // it contradicts a fact, and the user is asked
	DreamUnused     DreamOutcome = "unused"  // a skill that nobody opened, now archived
)

// Promotion records that a dream promoted a fact to MEMORY.md. It does not hold the
// fact's text.
type Promotion struct {
	Scope     Scope     `json:"scope"`
	Fact      string    `json:"fact"`  // id
	Dream     string    `json:"dream"` // id of the dream that promoted it
	At        time.Time `json:"at"`
	Score     float64   `json:"score"`
	Recalls   int       `json:"recalls"`
	Questions int       `json:"questions"`
	Days      int       `json:"days"`
	// ArchivedAt is when it gave way to other facts in MEMORY.md; nil while it stands
	// there.
	ArchivedAt *time.Time `json:"archived_at,omitempty"`
	// Archived says why it gave way.
	Archived string `json:"archived,omitempty"`
}

// Active reports whether the promotion stands in MEMORY.md.
func (p Promotion) Active() bool { return p.ArchivedAt == nil }
