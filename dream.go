package strata

import "time"

// Dream is one run of consolidation in a scope: what it looked at, what rose
// into MEMORY.md, what sank out of it, what stayed where it was and why, and which
// facts gave way to others. It holds no text of any memory.
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
	Merged     int `json:"merged"`  // facts that went into others that say as much
	Settled    int `json:"settled"` // facts that contradicted one that was said later
	Asked      int `json:"asked"`   // questions put to the user
	Tagged     int `json:"tagged"`  // facts that got other concept tags
	// Items are the promoted, the archived, the merged, the settled, the asked about and
	// the unused, and of the others those that were closest to being promoted.
	Items []DreamItem `json:"items,omitempty"`
	// Failure says why the dream did nothing; empty for one that was carried out.
	Failure string `json:"failure,omitempty"`
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
	DreamRetried   DreamTrigger = "retried"   // in place of one that failed, past these gates too
)

// DreamItem is what a dream made of one memory.
type DreamItem struct {
	Memory string `json:"memory"` // id
	// With is the fact that a merged one went into, that a settled one gave way to, or
	// that another cannot hold with; empty for other outcomes.
	With    string       `json:"with,omitempty"`
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
	DreamPromoted   DreamOutcome = "promoted"
	DreamArchived   DreamOutcome = "archived" // it was promoted, and gave way
	DreamLeft       DreamOutcome = "left"
	DreamMerged     DreamOutcome = "merged"  // a fact went into another that says as much
	DreamSettled    DreamOutcome = "settled" // it contradicted a fact that was said later
	DreamQuestioned DreamOutcome = "asked"   // it contradicts a fact, and the user is asked
	DreamUnused     DreamOutcome = "unused"  // a skill that nobody opened, and that was archived
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
