package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answerTimeout is how long calls in progress may still answer after the end of the
// input. A script in a pipe gets its answers; a client that is gone for good does not
// keep the process alive.
const answerTimeout = 10 * time.Second

// Serve runs a server over a pair of streams, one JSON message per line, until the input
// or ctx ends, which is no error. It closes the input if that is an [io.Closer]. An
// invalid message is answered with an error and does not end the connection. Only
// messages are written to out.
func Serve(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer, log *slog.Logger) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return serve(ctx, server, &stdio{in: in, out: out, log: log, timeout: answerTimeout})
}

// serve is Serve over a given transport.
func serve(ctx context.Context, server *mcp.Server, t *stdio) error {
	session, err := server.Connect(ctx, t, nil)
	if err != nil {
		return fmt.Errorf("serve MCP: %w", err)
	}
	// The session's own Close would wait for calls in progress; the end of the input
	// cancels them.
	stop := context.AfterFunc(ctx, func() { _ = t.Close() })
	defer stop()
	if err := session.Wait(); err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("serve MCP: %w", err)
	}
	return nil
}

// stdio is a transport for one connection over a pair of streams. The SDK's own transport
// ends the connection at the first line that is not a message, and with it a whole
// session; this one does not.
type stdio struct {
	in      io.Reader
	log     *slog.Logger
	timeout time.Duration // see answerTimeout
	begun   bool          // initialize was called; used only by the reading goroutine

	incoming chan incoming
	answered chan struct{} // holds an item if a call was answered since the last check
	closed   chan struct{}
	once     sync.Once // closes closed

	mu      sync.Mutex // guards the fields below
	out     io.Writer
	pending map[jsonrpc.ID]bool // calls without an answer
}

// incoming is a message or the end of the input.
type incoming struct {
	msg jsonrpc.Message
	err error
}

var (
	_ mcp.Transport  = (*stdio)(nil)
	_ mcp.Connection = (*stdio)(nil)
)

// Connect starts reading. It must be called only once.
func (s *stdio) Connect(context.Context) (mcp.Connection, error) {
	s.incoming, s.closed = make(chan incoming), make(chan struct{})
	s.answered, s.pending = make(chan struct{}, 1), make(map[jsonrpc.ID]bool)
	go s.read()
	return s, nil
}

// SessionID returns the empty string: one process serves one session.
func (s *stdio) SessionID() string { return "" }

// Read returns the next message.
func (s *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case in := <-s.incoming:
		return in.msg, in.err
	case <-s.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write writes a message on its own line.
func (s *stdio) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	s.mu.Lock()
	_, err = s.out.Write(append(data, '\n'))
	s.mu.Unlock()
	if answer, ok := msg.(*jsonrpc.Response); ok {
		s.done(answer.ID)
	}
	return err
}

// Close stops reading. It may be called more than once.
func (s *stdio) Close() error {
	s.once.Do(func() {
		close(s.closed)
		if c, ok := s.in.(io.Closer); ok {
			// The process is about to end, so an input that cannot be closed does not
			// matter.
			_ = c.Close()
		}
	})
	return nil
}

// read delivers the messages of the input until it ends.
func (s *stdio) read() {
	lines := bufio.NewReaderSize(s.in, 64<<10)
	for {
		line, err := readLine(lines)
		for _, msg := range s.decode(line) {
			s.track(msg)
			if !s.deliver(incoming{msg: msg}) {
				return
			}
		}
		if err != nil {
			s.awaitAnswers()
			s.deliver(incoming{err: err})
			return
		}
	}
}

// deliver passes a message to Read. It reports false if the connection was closed.
func (s *stdio) deliver(in incoming) bool {
	select {
	case s.incoming <- in:
		return true
	case <-s.closed:
		return false
	}
}

// refuse answers an invalid message.
func (s *stdio) refuse(id json.RawMessage, code int, message string) {
	s.log.Warn("refused a line of the client", "reason", message)
	data, err := errorMessage(id, code, message)
	if err == nil {
		s.mu.Lock()
		_, err = s.out.Write(append(data, '\n'))
		s.mu.Unlock()
	}
	if err != nil {
		s.log.Warn("the refusal was not written", "error", err)
	}
}

// errorMessage returns an answer with an error. id is nil if the message has none or it
// is unreadable.
func errorMessage(id json.RawMessage, code int, message string) ([]byte, error) {
	if id == nil {
		id = json.RawMessage("null")
	}
	return json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message},
	})
}

// track records calls as pending until they are answered or the client cancels
// them.
func (s *stdio) track(msg jsonrpc.Message) {
	req, ok := msg.(*jsonrpc.Request)
	switch {
	case !ok:
	case req.IsCall():
		s.mu.Lock()
		s.pending[req.ID] = true
		s.mu.Unlock()
	case req.Method == "notifications/cancelled":
		var params struct {
			RequestID any `json:"requestId"`
		}
		if json.Unmarshal(req.Params, &params) != nil {
			return
		}
		if id, err := jsonrpc.MakeID(params.RequestID); err == nil {
			s.done(id)
		}
	}
}

// done notes that a call needs no answer anymore.
func (s *stdio) done(id jsonrpc.ID) {
	s.mu.Lock()
	delete(s.pending, id)
	s.mu.Unlock()
	select {
	case s.answered <- struct{}{}:
	default: // it holds an item already
	}
}

// awaitAnswers returns when no call is pending, or after the timeout.
func (s *stdio) awaitAnswers() {
	end := time.NewTimer(s.timeout)
	defer end.Stop()
	for {
		s.mu.Lock()
		waiting := len(s.pending)
		s.mu.Unlock()
		if waiting == 0 {
			return
		}
		select {
		case <-s.answered:
		case <-end.C:
			return
		case <-s.closed:
			return
		}
	}
}
