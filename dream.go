package strata

import "time"

// Dream is one run of consolidation in a scope: what it looked at, what rose
// into MEMORY.md, what sank out of it, and what stayed where it was and why. It
// holds no text of any memory.
type Dream struct {
	ID         string       `json:"id"` // "dream_" and a ULID
	Scope      Scope        `json:"scope"`
	Trigger    DreamTrigger `json:"trigger"`
	StartedAt  time.Time    `json:"started_at"`
	FinishedAt time.Time    `json:"finished_at"`
	// Considered counts the memories that somebody had asked for.
	Considered int `json:"considered"`
	Promoted   int `json:"promoted"`
	Archived   int `json:"archived"`
	// Items are the promoted and the archived, and of the others those that were
	// closest to being promoted.
	Items []DreamItem `json:"items,omitempty"`
	// ProjectedAt is when the files had followed; nil while they are outstanding.
	ProjectedAt *time.Time `json:"projected_at,omitempty"`
}

// Left counts the memories that were considered and stayed where they were.
func (d Dream) Left() int { return d.Considered - d.Promoted }

// DreamTrigger says what began a dream.
type DreamTrigger string

// The triggers.
const (
	DreamScheduled DreamTrigger = "scheduled" // it was due
	DreamAsked     DreamTrigger = "asked"     // somebody asked, and the gates were open
	DreamForced    DreamTrigger = "forced"    // past the gates of time and sessions
)

// DreamItem is what a dream made of one memory.
type DreamItem struct {
	Memory  string       `json:"memory"` // id
	Outcome DreamOutcome `json:"outcome"`
	// Reason says in a few words why: the distance to the gate that was closed.
	Reason    string  `json:"reason,omitempty"`
	Score     float64 `json:"score"`
	Recalls   int     `json:"recalls"`   // how often it was found by somebody who asked
	Questions int     `json:"questions"` // different ones among these
	Days      int     `json:"days"`      // in UTC, on which it was
}

// DreamOutcome is what became of a memory in a dream.
type DreamOutcome string

// The outcomes.
const (
	DreamPromoted DreamOutcome = "promoted"
	DreamArchived DreamOutcome = "archived" // it was promoted, and gave way
	DreamLeft     DreamOutcome = "left"
)

// Promotion says that a fact rose into MEMORY.md. The text is the fact's own.
type Promotion struct {
	Scope     Scope     `json:"scope"`
	Fact      string    `json:"fact"`  // id
	Dream     string    `json:"dream"` // id of the dream that it rose in
	At        time.Time `json:"at"`
	Score     float64   `json:"score"`
	Recalls   int       `json:"recalls"`
	Questions int       `json:"questions"`
	Days      int       `json:"days"`
	// ArchivedAt is when it gave way in MEMORY.md; nil while it stands there.
	ArchivedAt *time.Time `json:"archived_at,omitempty"`
	// Archived says why it gave way.
	Archived string `json:"archived,omitempty"`
}

// Active reports whether the promotion stands in MEMORY.md.
func (p Promotion) Active() bool { return p.ArchivedAt == nil }
