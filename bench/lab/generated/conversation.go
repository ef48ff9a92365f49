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
	KindUpdate     = "update"         // of a value that replaced others
	KindPreference = "preference"     // of the person, told once
	KindSaid       = "assistant said" // of what the assistant proposed
	KindCode       = "code"
	KindTool       = "tool" // of what a tool printed
	KindNote       = "note"
	KindGerman     = "german"
	KindPeople     = "two people"
	KindNoAnswer   = "no answer" // nobody ever said it
)

// Message is a turn, or a note if it has no session.
type Message struct {
	ID      string
	Scope   string
	Session string
	Seq     int64 // place in the session, from 1
	Role    strata.Role
	Speaker string // of two people
	Text    string
	At      time.Time
}

// Question asks for what one message of its scope says.
type Question struct {
	ID, Scope, Kind, Text string
	// Answer is the message that answers it; empty for one of [KindNoAnswer].
	Answer string
	// Superseded are the messages whose value the answer replaced.
	Superseded []string
}

// Corpus is what was said, with the questions about it.
type Corpus struct {
	Messages  []Message
	Questions []Question
}

// How much there is: scopes in which a person talks to an assistant, and in
// which two people talk; sessions of each.
const (
	assistantScopes = 8
	peopleScopes    = 2
	sessions        = 40
)

// begin is when the first session of every scope took place.
var begin = time.Date(2025, time.January, 6, 8, 0, 0, 0, time.UTC)

// Conversations makes the corpus of a seed: some 2,800 messages, 300 questions
// that have an answer and 30 that have none.
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
	session int // number of the session that is written, from 1
	turns   int64
}

// open begins the next session, two days after the one before.
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

// ask adds a question, in one of the ways that are given.
func (s *scope) ask(kind string, ways []string, q Question) {
	q.ID = fmt.Sprintf("%s/q%03d", s.name, len(s.corpus.Questions)+1)
	q.Scope, q.Kind, q.Text = s.name, kind, s.one(ways)
	s.corpus.Questions = append(s.corpus.Questions, q)
}

// one draws from a list.
func (s *scope) one(list []string) string { return list[s.IntN(len(list))] }

// ways splits what is separated by bars: values, or ways to say the same.
func ways(list string) []string { return strings.Split(list, "|") }

// with puts a value where a text has {v}.
func with(text, value string) string { return strings.ReplaceAll(text, "{v}", value) }
