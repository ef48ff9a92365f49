// Package transcript reads conversations as agents and chat programs keep them.
package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"time"

	"github.com/strata-memory/strata"
)

// Message is one message of a transcript.
type Message struct {
	// Session is the transcript's own id of the conversation, ID that of the
	// message, unique in it; empty where it has none.
	Session, ID string
	// Turn is what was said. It has no id, scope or session.
	Turn strata.Turn
}

// Read returns the messages of a transcript, in its order.
func Read(r io.Reader) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		in := bufio.NewReader(r)
		for {
			line, err := in.ReadBytes('\n')
			if len(bytes.TrimSpace(line)) > 0 {
				var m struct {
					Role, Content, At, Name, ID, Session string
				}
				if json.Unmarshal(line, &m) != nil {
					if !yield(Message{}, strata.Invalid("read transcript", "not a message", "")) {
						return
					}
				} else {
					at, _ := time.Parse(time.RFC3339, m.At)
					if !yield(Message{Session: m.Session, ID: m.ID, Turn: strata.Turn{Role: strata.Role(m.Role), Speaker: m.Name, Text: m.Content, At: at}}, nil) {
						return
					}
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Message{}, err)
				return
			}
		}
	}
}
