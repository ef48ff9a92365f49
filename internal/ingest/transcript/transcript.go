// Package transcript reads conversations as agents and chat programs keep them.
//
// A [Reader] tells the format by the content, and each value of a file by itself:
// lines of messages, requests and answers of OpenAI's and Anthropic's protocols, the
// transcripts of Claude Code, Codex and opencode, exports of ChatGPT and claude.ai,
// Strata's own ledger, and plain text with "User:" and "Assistant:".
//
// It holds one value of a file at a time, of which long texts are cut in the middle:
// a result of 100 MB takes as little memory as one of a megabyte.
package transcript

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/strata-memory/strata"
)

// Message is one message of a transcript.
type Message struct {
	// Session is the transcript's own id of the conversation; empty if it has none.
	Session string
	// Parent is the id of the session that started it, as an agent does for a part of
	// its work: then nothing in it was said by a person.
	Parent string
	// Dir is the working directory of the conversation; empty if it is not known.
	Dir string
	// ID is the transcript's own id of the message; empty if it has none. Unique says
	// that no other message of any conversation has it.
	ID     string
	Unique bool
	// First says that the message begins another conversation than the one before, and
	// Restart that the conversation is told from its beginning, perhaps again: a log of
	// requests to a model holds it once for each, longer every time.
	First, Restart bool
	// Turn is what was said. It has no id, scope or session. The time is zero where the
	// transcript does not say it.
	Turn strata.Turn
}

// What of a transcript is no message that somebody said or that a tool returned.
const (
	LeftNoMessage  = "not a message"          // notes of a program to itself
	LeftProgram    = "written by the program" // not by the one in whose name it stands
	LeftThinking   = "thinking"
	LeftSummary    = "a summary of what was said before"
	LeftBranch     = "an answer that was replaced"
	LeftUnread     = "a line that cannot be read"
	LeftUnfinished = "an answer that is not finished yet"
	LeftUnended    = "the last line, which has no end yet"
	LeftUnlabeled  = "text before the first speaker"
)

// Reader reads the messages of a transcript, in its order. It is not safe for
// concurrent use.
type Reader struct {
	in   *parser
	out  []Message // of the value under way, not given yet
	left map[string]int64

	// What values of the format say about those that follow.
	session, parent, dir string
	first, restart       bool              // the next message is that
	tools                map[string]string // names of the tools that were called, by call
	calls                []string          // in the order they were called
}

// NewReader returns a reader of a transcript.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: &parser{in: newText(r)}, left: make(map[string]int64), tools: make(map[string]string), first: true}
}

// Left counts what was left out so far, by reason.
func (r *Reader) Left() map[string]int64 { return r.left }

// Messages returns the messages. A line that cannot be read is left out; the only
// errors are those of the underlying reader and invalid for a file that holds no
// conversation.
func (r *Reader) Messages() iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		any := false
		give := func() bool {
			for i, m := range r.out {
				any = true
				if !yield(m, nil) {
					r.out = r.out[i+1:]
					return false
				}
			}
			r.out = r.out[:0]
			return true
		}
		err := r.read(give)
		switch {
		case errors.Is(err, errStopped):
		case err != nil:
			yield(Message{}, fmt.Errorf("read transcript: %w", err))
		case !any && len(r.left) == 0:
			yield(Message{}, strata.Invalid("read transcript", "the file is empty", "name the file of a conversation"))
		case !any && r.left[LeftUnread]+r.left[LeftUnlabeled] > 0:
			yield(Message{}, strata.Invalid("read transcript", "no conversation is found in the file",
				`write lines of {"role", "content", "at"}; docs/ingest.md has the other formats`))
		}
	}
}

// errStopped ends the reading when nobody wants more.
var errStopped = errors.New("stopped")

// read reads the whole file and calls give whenever messages are there.
func (r *Reader) read(give func() bool) error {
	c, err := r.in.space()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	_ = r.in.in.UnreadByte()
	switch next, _ := r.in.in.Peek(2); {
	case c == '{':
		return r.readValues(give)
	case c == '[' && len(next) == 2 && opens(next[1]):
		_, _ = r.in.in.Discard(1)
		return r.readArray(give)
	}
	return r.readText(give)
}

// opens reports whether an array can go on like this where it is one of messages.
func opens(c byte) bool {
	return c == '{' || c == '[' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

// readValues reads values that follow each other, most often one a line.
func (r *Reader) readValues(give func() bool) error {
	for {
		v, err := r.in.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.left[LeftUnended]++
			return nil
		case errors.Is(err, errSyntax):
			r.left[LeftUnread]++
			if err := r.in.skipLine(); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		r.record(v)
		if !give() {
			return errStopped
		}
	}
}

// readArray reads the items of an array, whose opener was read.
func (r *Reader) readArray(give func() bool) error {
	for {
		c, err := r.in.space()
		if err == nil && c == ',' {
			c, err = r.in.space()
		}
		if err == nil && c == ']' {
			return r.readValues(give)
		}
		var v value
		if err == nil {
			r.in.bytes, r.in.values = 0, 0
			v, err = r.in.value(c, 1)
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			r.left[LeftUnended]++
			return nil
		case errors.Is(err, errSyntax):
			r.left[LeftUnread]++
			return nil
		case err != nil:
			return err
		}
		r.record(v)
		if !give() {
			return errStopped
		}
	}
}

// record reads one value by the first format that knows it.
func (r *Reader) record(v value) {
	for _, f := range formats {
		if f.is(v) {
			f.read(r, v)
			return
		}
	}
	for _, item := range v.items() {
		r.record(item)
	}
	if v.kind != '[' {
		r.left[LeftUnread]++
	}
}

// format is a kind of transcript: which values are of it, and what they say.
type format struct {
	is   func(v value) bool
	read func(r *Reader, v value)
}

// formats are those there are; the first that knows a value reads it.
var formats []format

func init() {
	// Set here because a conversation holds messages of the other kinds.
	formats = []format{claudeCode, codex, opencode, chatGPT, ledger, conversation, message}
}

// converse begins another conversation.
func (r *Reader) converse(session, parent, dir string) {
	if session != "" && session == r.session {
		return
	}
	r.session, r.parent, r.dir, r.first = session, parent, dir, true
}

// retell begins a conversation that is told whole.
func (r *Reader) retell(session, parent, dir string) {
	r.session, r.parent, r.dir, r.first, r.restart = session, parent, dir, true, true
}

// add gives a message of the conversation under way.
func (r *Reader) add(id string, unique bool, t strata.Turn) {
	switch {
	case t.Role == "":
		r.left[LeftNoMessage]++
		return
	case t.Text == "" && len(t.Calls) == 0 && t.Role != strata.RoleTool:
		return
	}
	for _, c := range t.Calls {
		r.called(c)
	}
	if t.Role == strata.RoleTool && t.Tool == "" {
		t.Tool = r.tools[t.CallID]
	}
	r.out = append(r.out, Message{
		Session: r.session, Parent: r.parent, Dir: r.dir, ID: id, Unique: unique && id != "", First: r.first, Restart: r.restart, Turn: t,
	})
	r.first, r.restart = false, false
}

// called remembers the name of the tool of a call, for its result. Results follow soon.
func (r *Reader) called(c strata.ToolCall) {
	const most = 1024
	if len(r.calls) == most {
		delete(r.tools, r.calls[0])
		r.calls = r.calls[1:]
	}
	r.tools[c.ID] = c.Name
	r.calls = append(r.calls, c.ID)
}

// timeOf reads a time in any of the forms that transcripts have; zero if there is none.
func timeOf(v value) time.Time {
	if n, ok := v.number(); ok {
		switch {
		case n > 1e17 || n <= 0:
			return time.Time{}
		case n > 1e14:
			return time.UnixMicro(int64(n)).UTC()
		case n > 1e11:
			return time.UnixMilli(int64(n)).UTC()
		}
		return time.UnixMicro(int64(n * 1e6)).UTC()
	}
	return parseTime(v.name())
}

// parseTime reads a time as people and programs write it; zero for anything else.
func parseTime(s string) time.Time {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly, time.RFC1123Z, time.RFC1123,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
