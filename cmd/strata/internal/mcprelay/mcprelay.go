// Package mcprelay passes messages of MCP between an agent and a server that may end
// before the agent does. Then another one takes over, and calls that were under way are
// made again if that is safe. Of others nobody knows what became, and they are answered
// with an error.
package mcprelay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
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
// agent as the first one was.
// Safe says of which tools calls may be made twice.
func Run(ctx context.Context, server Conversation, in io.Reader, out io.Writer, safe func(tool string) bool, next Serve) error {
	r := &relay{server: server, out: out, safe: safe, pending: make(map[string][]byte), lost: make(chan struct{})}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	rest, handOver := io.Pipe()
	defer rest.Close()
	go r.pass(in, handOver)
	r.answer()
	close(r.lost)
	server.Close()
	introduction, gone := r.handedOver()
	if gone || ctx.Err() != nil {
		return nil // the agent is, and everything is answered
	}
	again := r.giveUp()
	return next(io.MultiReader(bytes.NewReader(introduction), bytes.NewReader(again), rest), &withoutFirst{out: out, id: r.first})
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
	pending      map[string][]byte // calls without an answer, by id; nil for one that is not made again
	introduction []byte            // what the agent says before it calls: initialize and what follows
	first        string            // id of initialize
	gone         bool              // the agent said all
}

// message is what is looked at of one.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string `json:"name"` // of a tool
	} `json:"params"`
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
	call := false
	if json.Unmarshal(line, &m) == nil {
		call = m.Method != "" && len(m.ID) > 0
		switch {
		case m.Method == "initialize":
			r.first = string(m.ID)
			r.introduction = append(r.introduction, line...)
		case m.Method == "notifications/initialized":
			r.introduction = append(r.introduction, line...)
		}
		if call {
			r.pending[string(m.ID)] = nil
			if m.Method != "tools/call" || r.safe(m.Params.Name) {
				r.pending[string(m.ID)] = bytes.Clone(line)
			}
		}
	}
	r.mu.Unlock()
	// A server that does not take it is found to be gone where its answers are read, and a
	// call is answered there.
	_, err := r.server.Write(line)
	return err == nil || call
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
			delete(r.pending, string(m.ID))
		}
		_, err = r.out.Write(line)
		r.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// handedOver is how the next server is introduced, and whether the agent is gone.
func (r *relay) handedOver() (introduction []byte, gone bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.introduction, r.gone
}

// giveUp returns the calls that were under way and are made again, and answers the others.
// The first call is neither: whoever takes over answers it as it is introduced.
func (r *relay) giveUp() (again []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, line := range r.pending {
		if id == r.first {
			r.first = "" // not yet answered
			continue
		}
		if line != nil {
			again = append(again, line...)
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

// withoutFirst leaves out the answer to an introduction that was answered before.
type withoutFirst struct {
	out io.Writer
	id  string // empty once it was left out, or if nothing is to be
}

// Write writes a message.
func (w *withoutFirst) Write(p []byte) (int, error) {
	var m message
	if w.id != "" && json.Unmarshal(p, &m) == nil && m.Method == "" && string(m.ID) == w.id {
		w.id = ""
		return len(p), nil
	}
	return w.out.Write(p)
}
