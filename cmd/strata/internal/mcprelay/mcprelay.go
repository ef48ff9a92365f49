// Package mcprelay passes messages of MCP between an agent and a server that may end
// before the agent does. Then another one takes over: what the agent subscribed to it is
// told of as before, and calls that were under way are made again if that is safe. Of others
// nobody knows what became, and they are answered with an error.
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
	CloseWrite() error // says that the agent is gone
}

// Serve serves what it reads from in, until that ends.
type Serve func(in io.Reader, out io.Writer) error

// Run passes messages on until the agent closes in and everything is answered, or ctx
// ends. If the server ends before, next goes on in its place: it is introduced to the
// agent as the first one was, and hears of its subscriptions. The agent is told once of each
// of them, because what changed in between nobody has seen.
// Safe says of which tools calls may be made twice.
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
		return nil // the agent is, and everything is answered
	}
	introduction, answered := r.handOver()
	again := r.giveUp()
	return next(io.MultiReader(bytes.NewReader(introduction), bytes.NewReader(again), rest), &withoutAnswered{out: out, answered: answered})
}

// maxLine is the longest line that is looked into, in bytes. Of a call that is longer the
// agent hears nothing if the server ends over it.
const maxLine = 1 << 20

// relay is a conversation under way.
type relay struct {
	server Conversation
	safe   func(tool string) bool
	lost   chan struct{} // closed when the server is gone

	mu           sync.Mutex // guards what follows
	out          io.Writer
	pending      map[string]call // calls without an answer, by id
	introduction []byte          // what the agent says before it calls: initialize and what follows
	first        string          // id of initialize
	subscribed   map[string]call // subscriptions that hold, by address
	gone         bool            // the agent said all
}

// call is a call of the agent.
type call struct {
	message
	line []byte // nil for one that is not made again
}

// message is what is looked at of one.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name    string          `json:"name"`      // of a tool
		URI     string          `json:"uri"`       // of what is subscribed to
		Request json.RawMessage `json:"requestId"` // of a call that is canceled
	} `json:"params"`
	Error json.RawMessage `json:"error"`
}

// pass passes on what the agent says: to the server, and when that is gone to the one that
// takes over.
func (r *relay) pass(in io.Reader, handOver *io.PipeWriter) {
	lines := bufio.NewReaderSize(in, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 && !r.say(line) {
			if _, err := handOver.Write(line); err != nil {
				return // nobody takes over
			}
		}
		if err != nil && err != bufio.ErrBufferFull {
			r.mu.Lock()
			r.gone = true
			r.mu.Unlock()
			_ = r.server.CloseWrite() // a server that is gone needs no telling
			handOver.CloseWithError(err)
			return
		}
	}
}

// say passes a line on to the server; false if that is gone, and the line with it.
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
	// A server that does not take it is found to be gone where its answers are read, and a
	// call is answered there.
	_, err := r.server.Write(line)
	return err == nil || isCall
}

// answer passes on what the server says, until it is gone.
func (r *relay) answer() {
	lines := bufio.NewReaderSize(r.server, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return // what was said of a line is not said: half of one is none
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

// answered notes the answer to a call.
func (r *relay) answered(m message) {
	c, ok := r.pending[string(m.ID)]
	if ok && c.Method == "resources/subscribe" && m.Error == nil {
		r.subscribed[c.Params.URI] = c
	}
	delete(r.pending, string(m.ID))
}

// isGone reports whether the agent is.
func (r *relay) isGone() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gone
}

// handOver is how the next server is introduced: what the agent said, and its subscriptions.
// The agent has an answer to those of answered, by their ids: with the address of a
// subscription, empty for the first call. One that has none is answered by the next server.
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

// giveUp returns the calls that were under way and are made again, and answers the others.
// The first call is neither: whoever takes over answers it as it is introduced.
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
			_, _ = r.out.Write(append(data, '\n')) // an agent that is gone is noticed by who takes over
		}
	}
	return again
}

// withoutAnswered leaves out answers that the agent has. In place of that to a subscription
// it tells of a change.
type withoutAnswered struct {
	out      io.Writer
	answered map[string]string // see handOver; those yet to be left out
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
