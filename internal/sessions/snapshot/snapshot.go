package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
)

// Parts are the input of a snapshot, as read by the caller. They may exceed the [Limits].
// All fields are optional.
type Parts struct {
	Session string             // whose snapshot it is
	Kind    strata.SessionKind // decides what may be shown
	// Generation counts the snapshots of the session from 1; 0 means 1.
	Generation int
	// Guidance replaces the built-in [Guidance]. It is not fenced.
	Guidance string
	// Files are what people wrote for the agent: AGENTS.md, SOUL.md, USER.md.
	Files []File
	// Indexes hold the MEMORY.md of each scope of the view. If a text is empty, the index
	// is made from the Facts of that scope.
	Indexes []Document
	// Facts are the current facts of the view, in any order. Those of type feedback are
	// the standing rules; the top facts are chosen from the others.
	Facts []strata.Fact
	// Skills are the skills of the view. Of several with one name, the nearest comes
	// first.
	Skills []Skill
	// Learnings are texts of learnings, newest last: tool failures, corrections.
	Learnings []File
	// Summaries hold the memory_summary.md of each scope of the view.
	Summaries []Document
	// Foreign are the paths of files of the view that came with a repository and are not
	// trusted. They are not in the other fields; the snapshot only mentions in one line
	// that they exist.
	Foreign []string
}

// Document is a text that belongs to a scope.
type Document struct {
	Scope strata.Scope
	Text  string
	// At is when it was last changed; zero means unknown, so no age is shown.
	At time.Time
	// Categories count the facts of the scope, for an index made from facts if
	// Parts.Facts does not hold all of them. They are not used in group sessions, because
	// they also count facts that are not shown there.
	Categories []strata.Category
}

// Skill is a procedure that is offered by name.
type Skill struct {
	Name        string // name of its directory, by which it is opened
	Description string // when to use it
	// Withheld skills are not offered. They still hide a skill with the same name in a
	// farther scope, because that one cannot be opened by its name.
	Withheld bool
}

// File is a text with a name.
type File struct {
	Name string // shown as a title, such as "AGENTS.md" or "Tool failures"
	// Of says in the title where the file is from, such as "global"; empty: nothing. It
	// distinguishes files with the same name in several scopes.
	Of   string
	Text string
}

// Snapshot is the part of memory that is in the prompt of a session. It is immutable;
// [Snapshot.Next] makes another.
type Snapshot struct {
	Session string `json:"session"`
	// Parent is the session that the snapshot was inherited from, if any.
	Parent string `json:"parent,omitempty"`
	// Generation counts the snapshots of the session from 1.
	Generation int `json:"generation"`
	// Text goes into the prompt unchanged. It contains neither the generation nor a time
	// of day, so that unchanged memory gives the same bytes.
	Text string `json:"text"`
	// Hash is the SHA-256 of Text, in hexadecimal.
	Hash string `json:"hash"`
	// Tokens is the size of Text in tokens of cl100k.
	Tokens    int       `json:"tokens"`
	CreatedAt time.Time `json:"created_at"`
	// ReadOnly says that the snapshot was inherited and cannot have a next generation.
	ReadOnly bool `json:"read_only,omitempty"`
	// Parts report what was shown and what was left out, in order.
	Parts []Part `json:"parts"`
}

// Part reports on one part of a snapshot.
type Part struct {
	Kind PartKind `json:"kind"`
	Name string   `json:"name,omitempty"` // scope or title
	// Shown counts the lines (for top facts and rules, the facts) that are in the text,
	// and Total those that could have been shown.
	Shown int `json:"shown"`
	Total int `json:"total"`
	// Chars is the size of the part in the text in characters, and Tokens in tokens of
	// cl100k.
	Chars  int `json:"chars"`
	Tokens int `json:"tokens"`
	// Redacted counts the redacted secrets.
	Redacted int `json:"redacted,omitempty"`
	// Threats name what in it reads like an instruction or hides something, in the terms
	// of package secrets.
	Threats []string `json:"threats,omitempty"`
	// Why says why something was left out; empty if nothing was.
	Why string `json:"why,omitempty"`
}

// PartKind is the kind of a part of a snapshot.
type PartKind string

// The kinds of parts, in the order in which they appear in the text.
const (
	PartGuidance PartKind = "guidance"
	PartFile     PartKind = "file"
	PartRules    PartKind = "rules"
	PartIndex    PartKind = "index"
	PartFacts    PartKind = "facts"
	PartSkills   PartKind = "skills"
	PartLearning PartKind = "learning"
	PartSummary  PartKind = "summary"
)

// The reasons for leaving out parts.
const (
	whyPrivate = "not for a session with others"
	whyForeign = "not trusted"
	whyLimit   = "over the limit"
	whyEmpty   = "empty"
	whySaid    = "said twice, or hidden by a more specific scope"
)

// Check returns corrupt if s is damaged: its hash does not match its text, as after
// damage on the disk, or its generation is invalid.
func (s Snapshot) Check() error {
	switch {
	case s.Hash != hashOf(s.Text):
		return &strata.Error{Code: strata.CodeCorrupt, Op: "check snapshot", Message: "the text does not match its hash", Hint: "make a new generation"}
	case s.Generation < 1:
		return &strata.Error{Code: strata.CodeCorrupt, Op: "check snapshot", Message: "the generation is not a positive number", Hint: "make a new generation"}
	}
	return nil
}

// Next makes the next generation of the snapshot for the same session. It returns
// read_only if the snapshot was inherited.
func (s Snapshot) Next(p Parts, l Limits, now time.Time) (Snapshot, error) {
	if s.ReadOnly {
		return Snapshot{}, &strata.Error{Code: strata.CodeReadOnly, Op: "reload snapshot",
			Message: "the snapshot of session " + s.Session + " belongs to session " + s.Parent,
			Hint:    "reload the snapshot of that session; sub-sessions started later inherit it"}
	}
	p.Session, p.Generation = s.Session, s.Generation+1
	return Compose(p, l, now), nil
}

// Inherit returns the snapshot of parent for a session that works for it: the same text
// and generation, which cannot be reloaded. Parent names the session in which the text
// was made, even across several steps.
func Inherit(parent Snapshot, session string) Snapshot {
	s := parent
	if s.Parent == "" {
		s.Parent = parent.Session
	}
	s.Session, s.ReadOnly = session, true
	s.Parts = append([]Part(nil), parent.Parts...)
	return s
}

// Stored returns a snapshot that was stored as its text. Its parts are unknown.
func Stored(session, text string, generation int, at time.Time) Snapshot {
	return Snapshot{
		Session: session, Generation: generation, Text: text, Hash: hashOf(text), Tokens: token.Count(text), CreatedAt: at.UTC(),
	}
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// others reports whether people other than the user may listen. It returns true for an
// unknown kind, and for a sub-session that did not inherit its snapshot, because it is
// unknown whom that works for.
func others(k strata.SessionKind) bool {
	switch k {
	case "", strata.SessionMain, strata.SessionSystem:
		return false
	}
	return true
}
