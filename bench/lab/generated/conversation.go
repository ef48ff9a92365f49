package generated

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// The kinds of questions.
const (
	KindUpdate     = "update"         // about a value that replaced others
	KindPreference = "preference"     // about a preference of the person, told once
	KindSaid       = "assistant said" // about what the assistant proposed
	KindCode       = "code"
	KindTool       = "tool" // about what a tool printed
	KindNote       = "note"
	KindGerman     = "german"
	KindPeople     = "two people"
	KindNoAnswer   = "no answer" // about what nobody ever said
)

// Message is a turn, or a note if it has no session.
type Message struct {
	ID      string
	Scope   string
	Session string
	Seq     int64 // place in the session, from 1
	Role    strata.Role
	Speaker string // set in conversations of two people
	Text    string
	At      time.Time
}

// Question asks for what one message of its scope says.
type Question struct {
	ID, Scope, Kind, Text string
	// Answer is the id of the message that answers it; empty for [KindNoAnswer].
	Answer string
	// Superseded holds the ids of the messages whose value the answer replaced.
	Superseded []string
}

// Corpus holds what was said and the questions about it.
type Corpus struct {
	Messages  []Message
	Questions []Question
}

// The size of the corpus: the scopes in which a person talks to an assistant, the scopes
// in which two people talk, and the sessions of each.
const (
	assistantScopes = 8
	peopleScopes    = 2
	sessions        = 40
)

// begin is the time from which the sessions of every scope are counted.
var begin = time.Date(2025, time.January, 6, 8, 0, 0, 0, time.UTC)

// Conversations returns the corpus of a seed: some 2,800 messages, 300 questions with an
// answer and 30 without.
func Conversations(seed uint64) Corpus {
	var out Corpus
	for n := range assistantScopes + peopleScopes {
		s := &scope{Rand: rand.New(rand.NewPCG(seed, uint64(n))), name: fmt.Sprintf("talk%02d", n+1), corpus: &out}
		if n < assistantScopes {
			s.withAssistant()
		} else {
			s.withPerson()
		}
		for _, i := range s.Perm(len(unknown))[:3] {
			s.ask(KindNoAnswer, ways(unknown[i]), Question{})
		}
	}
	return out
}

// scope writes the conversations of one scope.
type scope struct {
	*rand.Rand
	name    string
	corpus  *Corpus
	session int // number of the current session, from 1
	turns   int64
}

// open begins the next session, two days after the previous one.
func (s *scope) open() { s.session, s.turns = s.session+1, 0 }

// say adds a turn to the session and returns its id.
func (s *scope) say(role strata.Role, speaker, text string) string {
	s.turns++
	session := fmt.Sprintf("s%02d", s.session)
	m := Message{
		ID: fmt.Sprintf("%s/%s#%d", s.name, session, s.turns), Scope: s.name, Session: session, Seq: s.turns,
		Role: role, Speaker: speaker, Text: text, At: s.now(),
	}
	s.corpus.Messages = append(s.corpus.Messages, m)
	return m.ID
}

// note adds a note and returns its id.
func (s *scope) note(text string) string {
	m := Message{ID: fmt.Sprintf("%s/n%04d", s.name, len(s.corpus.Messages)+1), Scope: s.name, Text: text, At: s.now()}
	s.corpus.Messages = append(s.corpus.Messages, m)
	return m.ID
}

func (s *scope) now() time.Time {
	return begin.AddDate(0, 0, 2*s.session).Add(time.Duration(s.turns) * time.Minute)
}

// ask adds a question in one of the given wordings.
func (s *scope) ask(kind string, ways []string, q Question) {
	q.ID = fmt.Sprintf("%s/q%03d", s.name, len(s.corpus.Questions)+1)
	q.Scope, q.Kind, q.Text = s.name, kind, s.one(ways)
	s.corpus.Questions = append(s.corpus.Questions, q)
}

// one draws an element of a list.
func (s *scope) one(list []string) string { return list[s.IntN(len(list))] }

// ways splits a list at its bars, into values or wordings of the same thing.
func ways(list string) []string { return strings.Split(list, "|") }

// with replaces {v} in a text by a value.
func with(text, value string) string { return strings.ReplaceAll(text, "{v}", value) }
