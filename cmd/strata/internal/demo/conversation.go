// Package demo contains a conversation for trying out a memory: one person and her
// assistant, over eight sessions and seven weeks, and ten questions that a new session
// should be able to answer. The command strata demo runs it.
package demo

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

//go:embed conversation.jsonl
var turnLines []byte

//go:embed questions.jsonl
var questionLines []byte

// secretMark stands in the data for a secret that somebody pastes by accident. The data
// contains no such literal, so that secret scanners stay quiet.
const secretMark = "{{fake_secret}}"

// FakeSecret returns what the loader substitutes for the mark: a string with the shape of
// a GitHub token that never was one.
func FakeSecret() string { return "ghp_" + "n0tAt0ken" + "JustF0rThe" + "DemoRun" + "4f7Qz9Kd2X" }

// Conversation is the data, in the order in which it was said.
type Conversation struct {
	Sessions  []Session
	Questions []Question
}

// Session is one session. Its turns have session, sequence number, role, text and time;
// the engine adds ids and scope.
type Session struct {
	ID    string
	Kind  strata.SessionKind
	Turns []strata.Turn
}

// Question is asked in a new session after the last one.
type Question struct {
	Text string `json:"text"`
	// Expect are strings that must all occur in the recalled memories together.
	Expect []string `json:"expect"`
	// Turns are the turns that contain the answer, as session#sequence.
	Turns []string `json:"turns"`
}

// line is one line of conversation.jsonl.
type line struct {
	Session string             `json:"session"`
	Kind    strata.SessionKind `json:"kind"`
	Time    time.Time          `json:"time"`
	Role    strata.Role        `json:"role"`
	Text    string             `json:"text"`
}

// Load returns the conversation. An error names the faulty line.
func Load() (Conversation, error) {
	var c Conversation
	err := each(turnLines, func(l line) error {
		n := len(c.Sessions)
		if n == 0 || c.Sessions[n-1].ID != l.Session {
			c.Sessions = append(c.Sessions, Session{ID: l.Session, Kind: l.Kind})
			n++
		}
		s := &c.Sessions[n-1]
		t := strata.Turn{
			Session: l.Session, Seq: int64(len(s.Turns) + 1), Role: l.Role, At: l.Time,
			Text: strings.ReplaceAll(l.Text, secretMark, FakeSecret()),
		}
		s.Turns = append(s.Turns, t)
		return t.Validate()
	})
	if err != nil {
		return Conversation{}, fmt.Errorf("read conversation.jsonl: %w", err)
	}
	err = each(questionLines, func(q Question) error {
		c.Questions = append(c.Questions, q)
		if q.Text == "" || len(q.Expect) == 0 {
			return errors.New("the question lacks its text or what to expect")
		}
		return nil
	})
	if err != nil {
		return Conversation{}, fmt.Errorf("read questions.jsonl: %w", err)
	}
	return c, nil
}

// each decodes JSON values one after the other and passes them to f.
func each[T any](data []byte, f func(T) error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	for n := 1; ; n++ {
		var v T
		err := d.Decode(&v)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(v)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}
