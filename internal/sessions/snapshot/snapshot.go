package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
)

// Parts are what a snapshot is made of. The caller has read them; they may be
// larger than the [Limits]. Everything is optional.
type Parts struct {
	Session string             // whose snapshot it is
	Kind    strata.SessionKind // decides what may be shown
	// Generation counts the snapshots of the session from 1; 0 means 1.
	Generation int
	// Guidance takes the place of the built-in [Guidance]. It is not fenced.
	Guidance string
	// Files are what people wrote for the agent: AGENTS.md, SOUL.md, USER.md.
	Files []File
	// Indexes hold the MEMORY.md of each scope of the view. Where the text is
	// empty, an index is made of the Facts of that scope.
	Indexes []Document
	// Facts are the current facts of the view. Those of type feedback are the
	// standing rules; from the others the top ones are chosen. Their order does not
	// matter.
	Facts []strata.Fact
	// Skills are those of the view, of one name the nearest first.
	Skills []Skill
	// Learnings are texts of learnings, newest last: tool failures, corrections.
	Learnings []File
	// Summaries hold the memory_summary.md of each scope of the view.
	Summaries []Document
	// Foreign are the paths of files of the view that came with a repository and are not
	// trusted. They are not among the others, and one line says that they are there.
	Foreign []string
}

// Document is a text that belongs to a scope.
type Document struct {
	Scope strata.Scope
	Text  string
	// At is when it was last changed; zero means unknown, and no age is shown.
	At time.Time
	// Categories, of an index that is made of facts, count the facts of the
	// scope where Parts.Facts does not hold all of them. They are not used in
	// group sessions, because they count what is not shown there.
	Categories []strata.Category
}

// Skill is a procedure that is offered by its name.
type Skill struct {
	Name        string // of its directory, by which it is opened
	Description string // when it is of use
	// Withheld says that it is not offered. It still stands before one of its name in a
	// scope farther away, which cannot be opened therefore.
	Withheld bool
}

// File is a text with a name.
type File struct {
	Name string // shown as a title, such as "AGENTS.md" or "Tool failures"
	// Of says in the title whose it is, such as "global"; empty: nothing. It
	// distinguishes files of one name in several scopes.
	Of   string
	Text string
}

// Snapshot is the part of memory that is in the prompt of a session. It never
// changes; [Snapshot.Next] makes another.
type Snapshot struct {
	Session string `json:"session"`
	// Parent is the session whose snapshot this is, where it was inherited.
	Parent string `json:"parent,omitempty"`
	// Generation counts the snapshots of the session from 1.
	Generation int `json:"generation"`
	// Text goes into the prompt as it is. It holds neither the generation nor a
	// time of day, so that memory which did not change gives the same bytes.
	Text string `json:"text"`
	// Hash is the SHA-256 of Text, in hexadecimal.
	Hash string `json:"hash"`
	// Tokens is what Text costs, in tokens of cl100k.
	Tokens    int       `json:"tokens"`
	CreatedAt time.Time `json:"created_at"`
	// ReadOnly says that there is no next generation: the snapshot was
	// inherited.
	ReadOnly bool `json:"read_only,omitempty"`
	// Parts are what was shown and what was left out, in order.
	Parts []Part `json:"parts"`
}

// Part reports what became of one part of a snapshot.
type Part struct {
	Kind PartKind `json:"kind"`
	Name string   `json:"name,omitempty"` // scope or title
	// Shown counts the lines, or the facts of top facts and the rules, that are in
	// the text, Total those there were to show.
	Shown int `json:"shown"`
	Total int `json:"total"`
	// Chars is the size of the part in the text, in characters, and Tokens in
	// tokens of cl100k.
	Chars  int `json:"chars"`
	Tokens int `json:"tokens"`
	// Redacted counts the secrets that were taken out.
	Redacted int `json:"redacted,omitempty"`
	// Threats name what in it reads like an instruction or hides something, in
	// the words of package secretscan.
	Threats []string `json:"threats,omitempty"`
	// Why says why something was left out; empty where nothing was.
	Why string `json:"why,omitempty"`
}

// PartKind says what a part of a snapshot is.
type PartKind string

// The kinds of part, in the order in which they are in the text.
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

// The reasons for which parts are left out.
const (
	whyPrivate = "not for a session with others"
	whyForeign = "not trusted"
	whyLimit   = "over the limit"
	whyEmpty   = "empty"
	whySaid    = "said twice, or hidden by a more specific scope"
)

// Check reports whether s is as it was made: corrupt where the hash does not
// match the text, as in a snapshot that was damaged on the disk.
func (s Snapshot) Check() error {
	switch {
	case s.Hash != hashOf(s.Text):
		return &strata.Error{Code: strata.CodeCorrupt, Op: "check snapshot", Message: "the text does not match its hash", Hint: "make a new generation"}
	case s.Generation < 1:
		return &strata.Error{Code: strata.CodeCorrupt, Op: "check snapshot", Message: "the generation is not a positive number", Hint: "make a new generation"}
	}
	return nil
}

// Next makes the snapshot of the next generation for the same session. It is
// read_only for a snapshot that was inherited.
func (s Snapshot) Next(p Parts, l Limits, now time.Time) (Snapshot, error) {
	if s.ReadOnly {
		return Snapshot{}, &strata.Error{Code: strata.CodeReadOnly, Op: "reload snapshot",
			Message: "the snapshot of session " + s.Session + " belongs to session " + s.Parent,
			Hint:    "reload the snapshot of that session; sub-sessions started later inherit it"}
	}
	p.Session, p.Generation = s.Session, s.Generation+1
	return Compose(p, l, now), nil
}

// Inherit returns the snapshot of parent for a session that works for it: the
// same text of the same generation, which cannot be reloaded. Parent names the
// session in which the text was made, also over several steps.
func Inherit(parent Snapshot, session string) Snapshot {
	s := parent
	if s.Parent == "" {
		s.Parent = parent.Session
	}
	s.Session, s.ReadOnly = session, true
	s.Parts = append([]Part(nil), parent.Parts...)
	return s
}

// Stored is a snapshot that was kept as its text. Its parts are not known any
// more.
func Stored(session, text string, generation int, at time.Time) Snapshot {
	return Snapshot{
		Session: session, Generation: generation, Text: text, Hash: hashOf(text), Tokens: token.Count(text), CreatedAt: at.UTC(),
	}
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// others reports whether people other than the user may listen. A kind that is not
// known counts as such, and so does a sub-session that did not inherit its
// snapshot: whom it works for is not known here.
func others(k strata.SessionKind) bool {
	switch k {
	case "", strata.SessionMain, strata.SessionSystem:
		return false
	}
	return true
}
