// Package transcript reads conversations in the formats of agents and chat programs.
//
// A [Reader] detects the format from the content, separately for each value in a file. It
// knows message lines, requests and responses of OpenAI's and Anthropic's protocols, the
// transcripts of Claude Code, Codex and opencode, exports of ChatGPT and claude.ai,
// Strata's own ledger, and plain text with labels such as "User:" and "Assistant:".
//
// A Reader holds one value of a file at a time and cuts long texts in the middle. A tool
// result of 100 MB takes no more memory than one of a megabyte.
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
	// Parent is the id of the session that started this one, if it belongs to a subagent.
	// Nothing in such a session was said by a person.
	Parent string
	// Dir is the working directory of the conversation; empty if it is not known.
	Dir string
	// ID is the transcript's own id of the message; empty if it has none. Unique means
	// that no other message in any conversation has the same id.
	ID     string
	Unique bool
	// First means that the message begins another conversation than the previous
	// message's. Restart means that the conversation starts over at this message: a log
	// of requests to a model repeats the conversation in every request, longer each time.
	First, Restart bool
	// Turn is the message. It has no id, scope or session. Its time is zero if the
	// transcript does not have one.
	Turn strata.Turn
}

// Reasons for leaving out parts of a transcript that are not messages somebody said or
// results of tools.
const (
	LeftNoMessage  = "not a message"          // internal notes of a program
	LeftProgram    = "written by the program" // and not by the named speaker
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
	out  []Message // messages of the current value, not yet returned
	left map[string]int64

	// What earlier values say about the next messages.
	session, parent, dir string
	first, restart       bool              // of the next message
	tools                map[string]string // names of called tools, by call id
	calls                []string          // call ids in order
}

// NewReader returns a reader of a transcript.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: &parser{in: newText(r)}, left: make(map[string]int64), tools: make(map[string]string), first: true}
}

// Left returns the number of things left out so far, by reason.
func (r *Reader) Left() map[string]int64 { return r.left }

// Messages returns the messages. It leaves out lines that it cannot read. The only errors
// are those of the underlying reader and [strata.CodeInvalid] for a file without any
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

// errStopped means that the consumer stopped the iteration.
var errStopped = errors.New("stopped")

// read reads the whole file, and calls give when there are messages to return.
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

// opens reports whether c may follow the "[" of an array of messages.
func opens(c byte) bool {
	return c == '{' || c == '[' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

// readValues reads a sequence of values, usually one per line.
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

// readArray reads the items of an array after its opening bracket, and what follows it.
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

// record reads a value in the first format that recognizes it.
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

// format is a transcript format: is recognizes a value, and read adds its messages.
type format struct {
	is   func(v value) bool
	read func(r *Reader, v value)
}

// formats lists the formats in the order in which they are tried.
var formats []format

func init() {
	// Set here to avoid an initialization cycle: a conversation reads other formats.
	formats = []format{claudeCode, codex, opencode, chatGPT, ledger, conversation, message}
}

// converse switches to another conversation.
func (r *Reader) converse(session, parent, dir string) {
	if session != "" && session == r.session {
		return
	}
	r.session, r.parent, r.dir, r.first = session, parent, dir, true
}

// retell starts a conversation from its beginning.
func (r *Reader) retell(session, parent, dir string) {
	r.session, r.parent, r.dir, r.first, r.restart = session, parent, dir, true, true
}

// add adds a message to the current conversation.
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

// called remembers the name of a called tool for the result, which follows soon.
func (r *Reader) called(c strata.ToolCall) {
	const most = 1024
	if len(r.calls) == most {
		delete(r.tools, r.calls[0])
		r.calls = r.calls[1:]
	}
	r.tools[c.ID] = c.Name
	r.calls = append(r.calls, c.ID)
}

// timeOf parses a time in any of the forms found in transcripts. It returns the zero time
// if there is none.
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

// parseTime parses a time as people and programs write it. It returns the zero time for
// anything else.
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
