package life

import (
	"time"

	"github.com/strata-memory/strata"
)

// Kind is the subject of a statement.
type Kind string

// The kinds of true statements.
const (
	Family     Kind = "family"
	People     Kind = "people" // friends, neighbors
	Health     Kind = "health"
	Food       Kind = "food"
	Work       Kind = "work"
	Tools      Kind = "tools"
	Preference Kind = "preference"
	Place      Kind = "place"
	Date       Kind = "date"
	Leisure    Kind = "leisure"  // hobbies and possessions
	Negation   Kind = "negation" // something that is not so
	Rule       Kind = "rule"     // how the assistant should behave
	Decision   Kind = "decision" // about a project
	Plan       Kind = "plan"     // true until its day
)

// The kinds of statements that memory should not keep.
const (
	SmallTalk    Kind = "small talk"
	Task         Kind = "task"
	Code         Kind = "code"
	Log          Kind = "log"
	Quote        Kind = "quote"        // what other people say about themselves
	Hypothetical Kind = "hypothetical" // something that might be
	Passing      Kind = "passing"      // something that is true only right now
	Question     Kind = "question"
	Explanation  Kind = "explanation" // by the assistant
	Secret       Kind = "secret"
)

// Act is what a turn does with a truth.
type Act string

// The acts.
const (
	Tell    Act = "tell"
	Repeat  Act = "repeat"  // says it again
	Change  Act = "change"  // says the value that replaces another
	Correct Act = "correct" // says that the previous value was a slip
	End     Act = "end"     // says that it is no longer so
	Asked   Act = "asked"   // the person asks for it and
)

// Home is the project number of what belongs to no project.
const Home = 0

// Projects is the number of projects, which are numbered from 1.
const Projects = 2

// Truth is one value of a slot, with the time for which it was true.
type Truth struct {
	ID   int    `json:"id"` // index in [Life.Truths]
	Kind Kind   `json:"kind"`
	Slot string `json:"slot"` // holds one value at a time
	// Subject is whom or what it is about; empty if that is the person.
	Subject string `json:"subject,omitempty"`
	// Value holds the words that identify a text that says it.
	Value string `json:"value"`
	// Negative means that the truth is the denial of the value.
	Negative bool `json:"negative,omitempty"`
	// Project is the project that it belongs to; [Home] if it is about the person.
	Project int `json:"project"`
	// From is when it was told, and To when it ended; To is zero if it still holds at the
	// end of the year.
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
	// Next is the ID of the truth that replaced it, or -1.
	Next int `json:"next"`
	// Slip means that it was never so; the next truth corrects it.
	Slip bool `json:"slip,omitempty"`
	// Question is a question that asks for the value of the slot.
	Question string `json:"question"`
}

// Holds reports whether it is true at the end of the year.
func (t Truth) Holds() bool { return t.To.IsZero() }

// Mention says that a turn refers to a truth.
type Mention struct {
	Truth int
	Act   Act
}

// Turn is one message.
type Turn struct {
	Role strata.Role
	Text string
	At   time.Time
	// Tool is the name of the tool if the turn is a tool's output.
	Tool string
	// About lists the truths that the turn refers to; empty if memory should keep nothing
	// of it.
	About []Mention
	// Noise is the kind of other content in the turn; empty if there is none.
	Noise Kind
	// Asks means that memory is queried with the text.
	Asks bool
}

// Session is one conversation.
type Session struct {
	Project int // [Home] if none
	At      time.Time
	Turns   []Turn
}

// End returns when the session was over.
func (s Session) End() time.Time { return s.Turns[len(s.Turns)-1].At.Add(time.Minute) }

// Life is a simulated year.
type Life struct {
	Sessions []Session
	Truths   []Truth
	// Secrets lists the secrets that must not reach a disk.
	Secrets []Hidden
}

// Hidden is a secret that was said.
type Hidden struct {
	Form string
	Text string // the secret itself
	// Session is the index of the session in which it was said.
	Session int
}

// Begin is the beginning of the year.
var Begin = time.Date(2025, time.January, 6, 0, 0, 0, 0, time.UTC)

// Length is the length of the year.
const Length = 365 * 24 * time.Hour
