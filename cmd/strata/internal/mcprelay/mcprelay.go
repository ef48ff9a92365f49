// Package mcprelay passes MCP messages between an agent and a server that may end before
// the agent does. Then another server takes over: it notifies the agent of its
// subscriptions as before, and repeats pending calls if that is safe. The outcome of
// other pending calls is unknown, and they are answered with an error.
package mcprelay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/strata-memory/strata"
)

// Conversation is a connection to a server.
type Conversation interface {
	io.ReadWriteCloser
	CloseWrite() error // tells the server that the agent is gone
}

// Serve serves the messages that it reads from in, until in ends.
type Serve func(in io.Reader, out io.Writer) error

// Run passes messages on until the agent closes in and everything is answered, or ctx
// ends. If the server ends before that, next takes its place: Run repeats the agent's
// initialization and subscriptions to it. The agent is notified once for each
// subscription, because nobody knows what changed in between. safe reports whether calls
// of a tool may be repeated.
func Run(ctx context.Context, server Conversation, in io.Reader, out io.Writer, safe func(tool string) bool, next Serve) error {
	r := &relay{server: server, out: out, safe: safe, lost: make(chan struct{}),
		pending: make(map[string]call), subscribed: make(map[string]call)}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	rest, handOver := io.Pipe()
	defer rest.Close()
	go r.pass(in, handOver)
	r.answer()
	close(r.lost)
	server.Close()
	if r.isGone() || ctx.Err() != nil {
		return nil // the agent is gone, and everything is answered
	}
	introduction, answered := r.handOver()
	again := r.giveUp()
	return next(io.MultiReader(bytes.NewReader(introduction), bytes.NewReader(again), rest), &withoutAnswered{out: out, answered: answered})
}

// maxLine is the longest line that is parsed, in bytes. If the server ends during a
// longer call, the agent gets no answer to it.
const maxLine = 1 << 20

// relay is the state of a conversation.
type relay struct {
	server Conversation
	safe   func(tool string) bool
	lost   chan struct{} // closed when the server is gone

	mu           sync.Mutex // guards the fields below
	out          io.Writer
	pending      map[string]call // calls without an answer, by id
	introduction []byte          // what the agent sends before its first call: initialize and initialized
	first        string          // id of initialize
	subscribed   map[string]call // active subscriptions, by URI
	gone         bool            // the agent has sent everything
}

// call is a request of the agent.
type call struct {
	message
	line []byte // nil if it must not be repeated
}

// message is the part of a message that is parsed.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name    string          `json:"name"`      // of a tool
		URI     string          `json:"uri"`       // of the resource subscribed to
		Request json.RawMessage `json:"requestId"` // id of a canceled call
	} `json:"params"`
	Error json.RawMessage `json:"error"`
}

// pass passes on what the agent sends: to the server and, once that is gone, to its
// successor.
func (r *relay) pass(in io.Reader, handOver *io.PipeWriter) {
	lines := bufio.NewReaderSize(in, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 && !r.say(line) {
			if _, err := handOver.Write(line); err != nil {
				return // there is no successor
			}
		}
		if err != nil && err != bufio.ErrBufferFull {
			r.mu.Lock()
			r.gone = true
			r.mu.Unlock()
			_ = r.server.CloseWrite() // no matter if the server is already gone
			handOver.CloseWithError(err)
			return
		}
	}
}

// say sends a line to the server. It returns false if the server is gone and the line
// must go to its successor.
func (r *relay) say(line []byte) bool {
	var m message
	r.mu.Lock()
	select {
	case <-r.lost:
		r.mu.Unlock()
		return false
	default:
	}
	isCall := false
	if json.Unmarshal(line, &m) == nil {
		isCall = m.Method != "" && len(m.ID) > 0
		switch m.Method {
		case "initialize":
			r.first = string(m.ID)
			r.introduction = append(r.introduction, line...)
		case "notifications/initialized":
			r.introduction = append(r.introduction, line...)
		case "notifications/cancelled":
			delete(r.pending, string(m.Params.Request))
		case "resources/unsubscribe":
			delete(r.subscribed, m.Params.URI)
		}
		if isCall {
			c := call{message: m}
			if m.Method != "tools/call" || r.safe(m.Params.Name) {
				c.line = bytes.Clone(line)
			}
			r.pending[string(m.ID)] = c
		}
	}
	r.mu.Unlock()
	// If the write fails, reading the answers finds that the server is gone, and deals
	// with a pending call.
	_, err := r.server.Write(line)
	return err == nil || isCall
}

// answer passes on what the server sends, until it is gone.
func (r *relay) answer() {
	lines := bufio.NewReaderSize(r.server, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return // drop an incomplete line
		}
		r.mu.Lock()
		var m message
		if json.Unmarshal(line, &m) == nil && m.Method == "" {
			r.answered(m)
		}
		_, err = r.out.Write(line)
		r.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// answered records the answer to a call.
func (r *relay) answered(m message) {
	c, ok := r.pending[string(m.ID)]
	if ok && c.Method == "resources/subscribe" && m.Error == nil {
		r.subscribed[c.Params.URI] = c
	}
	delete(r.pending, string(m.ID))
}

// isGone reports whether the agent is gone.
func (r *relay) isGone() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gone
}

// handOver returns the messages that introduce the agent to the next server: its
// initialization and subscriptions. answered has the ids of those that the agent already
// has an answer to, with the URI of a subscription, empty for the first call.
func (r *relay) handOver() (introduction []byte, answered map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	introduction, answered = r.introduction, make(map[string]string)
	if _, waits := r.pending[r.first]; r.first != "" && !waits {
		answered[r.first] = ""
	}
	for _, uri := range slices.Sorted(maps.Keys(r.subscribed)) {
		c := r.subscribed[uri]
		introduction = append(introduction, c.line...)
		answered[string(c.ID)] = uri
	}
	return introduction, answered
}

// giveUp returns the pending calls to repeat, and answers the others with an error. It
// leaves out the first call, which the next server answers as part of the introduction.
func (r *relay) giveUp() (again []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, c := range r.pending {
		if id == r.first {
			continue
		}
		if c.line != nil {
			again = append(again, c.line...)
			continue
		}
		data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "error": map[string]any{
			"code": strata.CodeUnavailable.MCPError(), "message": "the server ended during the call, which may have been done: look before you call again",
		}})
		if err == nil {
			_, _ = r.out.Write(append(data, '\n')) // the next server notices if the agent is gone
		}
	}
	return again
}

// withoutAnswered drops answers that the agent already has. It replaces the answer to a
// subscription by a notification of a change.
type withoutAnswered struct {
	out      io.Writer
	answered map[string]string // answers still to be dropped, see handOver
}

// Write writes a message.
func (w *withoutAnswered) Write(p []byte) (int, error) {
	var m message
	if len(w.answered) == 0 || json.Unmarshal(p, &m) != nil || m.Method != "" {
		return w.out.Write(p)
	}
	uri, ok := w.answered[string(m.ID)]
	delete(w.answered, string(m.ID))
	switch {
	case !ok:
		return w.out.Write(p)
	case uri == "":
		return len(p), nil
	}
	told, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": map[string]string{"uri": uri}})
	if err == nil {
		_, err = w.out.Write(append(told, '\n'))
	}
	return len(p), err
}
