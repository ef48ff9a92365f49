// Package scripted provides a model server with scripted answers. It speaks the real
// protocols of Ollama (/api) and OpenAI (/v1) over loopback HTTP, in every shape that
// real servers send, and misbehaves on demand. Tests of clients, of the context manager
// and of the program use it. It does not import package testing, so a program can serve
// it too.
//
//	s, err := scripted.Start("", func(r scripted.Request) scripted.Reply {
//		return scripted.Say("You said: " + r.Last().Text)
//	})
//	defer s.Close()
//	// point the client at s.URL(scripted.Ollama)
package scripted

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// Protocol is the protocol between a client and the server.
type Protocol string

// The protocols.
const (
	Ollama Protocol = "ollama"
	OpenAI Protocol = "openai"
)

// Script answers one request. The server calls it concurrently for concurrent requests.
type Script func(Request) Reply

// Reply is the server's answer. The zero value is an empty answer; for an embedding
// request, it has vectors made from the texts.
type Reply struct {
	Parts []Part
	// Usage is reported in the form of the protocol.
	Usage llm.Usage
	// Stop is the reason given for the end; empty means StopTools if there are calls,
	// otherwise StopEnd.
	Stop llm.Stop
	// Shape is how tool calls are encoded; empty means as the protocol says.
	Shape Shape

	// A Status other than 0 and 200 makes the answer an error, with Error and Code in its
	// body and RetryAfter in its header.
	Status     int
	Error      string
	Code       string
	RetryAfter string

	// Hang sends nothing until the client goes away; Cut closes the connection. Both act
	// before any header is sent.
	Hang, Cut bool
	// Body replaces the whole body of the answer, with the given ContentType, or that of
	// the protocol if it is empty.
	Body        string
	ContentType string
	// Split sends the stream in pieces of this many bytes; 0 sends each part
	// whole.
	Split int

	// Vectors answer an embedding request; nil makes vectors from the texts.
	Vectors [][]float32
	// Window is the context length reported for a model; 0 reports none.
	Window int
}

// Part is a step of a streamed answer.
type Part struct {
	Text      string
	Reasoning string
	Calls     []strata.ToolCall
	// Raw is sent as is, without any framing.
	Raw string
	// Error is reported inside the stream, which then ends.
	Error string
	// Hang keeps silent until the client goes away; Cut closes the connection.
	Hang, Cut bool
}

// Say answers with a text.
func Say(text string) Reply { return Reply{Parts: []Part{{Text: text}}} }

// Call answers with tool calls.
func Call(calls ...strata.ToolCall) Reply { return Reply{Parts: []Part{{Calls: calls}}} }

// Fail answers with an error.
func Fail(status int, message string) Reply { return Reply{Status: status, Error: message} }

// Server is a running scripted server.
type Server struct {
	script   Script
	listener net.Listener
	http     *http.Server
	stop     context.CancelFunc // ends hanging answers
	served   chan struct{}      // closed when the server has stopped

	mu       sync.Mutex // guards the fields below
	requests []Request
	closed   bool
	handlers sync.WaitGroup // grows only while not closed
}

// Start serves on addr; empty means a free port of the loopback interface.
func Start(addr string, script Script) (*Server, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{script: script, listener: listener, stop: stop, served: make(chan struct{})}
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
	}
	go func() {
		defer close(s.served)
		// Serve returns ErrServerClosed after Close. There is nobody to report another
		// error to, and clients see it.
		_ = s.http.Serve(listener)
	}()
	return s, nil
}

// URL returns the base URL for a client of protocol p.
func (s *Server) URL(p Protocol) string {
	base := "http://" + s.listener.Addr().String()
	if p == OpenAI {
		return base + "/v1"
	}
	return base
}

// Requests returns the requests so far, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Close ends all answers in progress and waits for the server's goroutines.
func (s *Server) Close() error {
	s.stop()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	err := s.http.Close()
	<-s.served
	s.handlers.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		panic(http.ErrAbortHandler)
	}
	s.handlers.Add(1)
	s.mu.Unlock()
	defer s.handlers.Done()
	req, d, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if d == nil {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	req.N = len(s.requests) + 1
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	out := &writer{w: w, r: r}
	out.answer(d, req, s.script(req))
}

// writer sends one answer.
type writer struct {
	w     http.ResponseWriter
	r     *http.Request
	split int
}

// dialect encodes answers in one protocol.
type dialect interface {
	contentType() string
	failure(reply Reply) string
	// part encodes a step of a streamed answer, as strings to send one after the other.
	part(req Request, reply Reply, p Part) []string
	// end frames what follows the last part.
	end(req Request, reply Reply) []string
	// whole encodes an answer that is not streamed, including vectors and model
	// information.
	whole(req Request, reply Reply) string
}

func (o *writer) answer(d dialect, req Request, reply Reply) {
	switch {
	case reply.Hang:
		o.hang()
	case reply.Cut:
		panic(http.ErrAbortHandler) // makes net/http close the connection without logging
	case reply.Body != "":
		o.send(first(reply.ContentType, d.contentType()), reply.Body, reply.Split)
	case reply.Status != 0 && reply.Status != http.StatusOK:
		if reply.RetryAfter != "" {
			o.w.Header().Set("Retry-After", reply.RetryAfter)
		}
		o.w.Header().Set("Content-Type", "application/json")
		o.w.WriteHeader(reply.Status)
		o.write(d.failure(reply))
	case req.Kind != KindChat || reply.Shape == NotStreamed:
		o.send("application/json", d.whole(req, reply), reply.Split)
	default:
		o.stream(d, req, reply)
	}
}

func (o *writer) stream(d dialect, req Request, reply Reply) {
	o.split = reply.Split
	o.w.Header().Set("Content-Type", d.contentType())
	o.flush()
	for _, p := range reply.Parts {
		switch {
		case p.Hang:
			o.hang()
		case p.Cut:
			panic(http.ErrAbortHandler)
		case p.Raw != "":
			o.write(p.Raw)
			continue
		}
		for _, piece := range d.part(req, reply, p) {
			o.write(piece)
		}
		if p.Error != "" {
			return
		}
	}
	for _, piece := range d.end(req, reply) {
		o.write(piece)
	}
}

func (o *writer) send(contentType, body string, split int) {
	o.split = split
	o.w.Header().Set("Content-Type", contentType)
	o.write(body)
}

// write sends text in pieces and flushes each. It ignores errors of clients that went
// away.
func (o *writer) write(text string) {
	size := o.split
	if size <= 0 {
		size = max(1, len(text))
	}
	for piece := range slices.Chunk([]byte(text), size) {
		if _, err := o.w.Write(piece); err != nil {
			return
		}
		o.flush()
	}
}

func (o *writer) flush() { _ = http.NewResponseController(o.w).Flush() }

// hang waits until the client goes away or the server is closed.
func (o *writer) hang() {
	<-o.r.Context().Done()
	panic(http.ErrAbortHandler)
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
