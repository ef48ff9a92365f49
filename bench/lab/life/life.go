package life

import (
	"time"

	"github.com/strata-memory/strata"
)

// Kind is what a statement is about.
type Kind string

// The kinds of what is true.
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
	Leisure    Kind = "leisure"  // hobbies, and what one owns
	Negation   Kind = "negation" // what is not so
	Rule       Kind = "rule"     // how the assistant shall behave
	Decision   Kind = "decision" // of a project
	Plan       Kind = "plan"     // true until its day
)

// The kinds of what is not to be kept.
const (
	SmallTalk    Kind = "small talk"
	Task         Kind = "task"
	Code         Kind = "code"
	Log          Kind = "log"
	Quote        Kind = "quote"        // what somebody else says of themselves
	Hypothetical Kind = "hypothetical" // what might be
	Passing      Kind = "passing"      // how it is right now
	Question     Kind = "question"
	Explanation  Kind = "explanation" // of the assistant
	Secret       Kind = "secret"
)

// Act is what a turn does with something that is true.
type Act string

// The acts.
const (
	Tell    Act = "tell"
	Repeat  Act = "repeat"  // say it again
	Change  Act = "change"  // say the value that takes the place of another
	Correct Act = "correct" // say that the value before was a slip
	End     Act = "end"     // say that it is no longer so
	Asked   Act = "asked"   // the person asks for it, and the assistant says it
)

// Home is the project of what belongs to none.
const Home = 0

// Projects is how many projects there are, numbered from 1.
const Projects = 2

// Truth is one value of a slot and when it was true.
type Truth struct {
	ID   int    `json:"id"` // place in [Life.Truths]
	Kind Kind   `json:"kind"`
	Slot string `json:"slot"` // holds one value at a time
	// Subject is who or what it is about, where that is not the person; else empty.
	Subject string `json:"subject,omitempty"`
	// Value are the words by which a text that says it is known.
	Value string `json:"value"`
	// Negative says that it denies the value.
	Negative bool `json:"negative,omitempty"`
	// Project is whose it is; [Home] if it is about the person.
	Project int `json:"project"`
	// From is when it was told, To when it ended; zero if it holds at the end of the
	// year.
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
	// Next is the truth that took its place, else -1.
	Next int `json:"next"`
	// Slip says that it was never so: the next one corrects it.
	Slip bool `json:"slip,omitempty"`
	// Question asks for the value of the slot.
	Question string `json:"question"`
}

// Holds reports whether it is true at the end of the year.
func (t Truth) Holds() bool { return t.To.IsZero() }

// Mention is that a turn speaks of a truth.
type Mention struct {
	Truth int
	Act   Act
}

// Turn is one message.
type Turn struct {
	Role strata.Role
	Text string
	At   time.Time
	// Tool names what a turn of a tool is the output of.
	Tool string
	// About are the truths that it speaks of; none if nothing in it is to be kept.
	About []Mention
	// Noise is the kind of what else is in it; empty for nothing else.
	Noise Kind
	// Asks says that memory is to be asked for the text.
	Asks bool
}

// Session is one conversation.
type Session struct {
	Project int // [Home] for none
	At      time.Time
	Turns   []Turn
}

// End is when the session was over.
func (s Session) End() time.Time { return s.Turns[len(s.Turns)-1].At.Add(time.Minute) }

// Life is a year.
type Life struct {
	Sessions []Session
	Truths   []Truth
	// Secrets are the bytes that must not reach a disk, with the form they had.
	Secrets []Hidden
}

// Hidden is a secret that was said.
type Hidden struct {
	Form string
	Text string // the bytes that are secret
	// Session is in which it was said.
	Session int
}

// Begin is when the year begins, and Length how long it is.
var Begin = time.Date(2025, time.January, 6, 0, 0, 0, 0, time.UTC)

// Length is how long the year is.
const Length = 365 * 24 * time.Hour
