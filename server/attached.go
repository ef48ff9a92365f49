package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/attach"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// Attachment lets a server run operations for commands of its own program. Commands are
// not authenticated: whoever can open the socket could also run the command.
type Attachment struct {
	// Env returns the environment for the operations of a caller. Any error means that the
	// caller must do without the server.
	Env func(ctx context.Context, c Caller) (*Env, error)
	// Begin is called before an operation runs.
	Begin func(ctx context.Context, env *Env)
	// Settle is called after an operation has run, before its answer is sent.
	Settle func(ctx context.Context, env *Env, info OperationInfo)
	// Converse speaks MCP with a caller until the caller is gone.
	Converse func(ctx context.Context, c Caller, env *Env, in io.Reader, out io.Writer) error
}

// attachedRoutes returns the routes for commands.
func (s *Server) attachedRoutes() []*route {
	list := []*route{{path: attach.Path(attach.MCP), name: "mcp", by: map[string]handler{http.MethodPost: s.converse}}}
	for _, op := range ops.All() {
		info := op.About()
		list = append(list, &route{path: attach.Path(info.Name), name: info.Name, by: map[string]handler{http.MethodPost: s.attached(op)}})
	}
	return list
}

// caller returns who sent a request and the environment for it.
func (s *Server) caller(r *http.Request) (attach.Caller, *operation.Env, error) {
	c, err := attach.ParseCaller(r.Header.Get(attach.Header))
	if err != nil {
		return c, nil, strata.Invalid("", "the header "+attach.Header+" names no caller", "programs call "+version+"NAME")
	}
	env, err := s.options.Attached.Env(r.Context(), c)
	return c, env, err
}

// attached answers calls of an operation by commands. Refusals come before the input is
// read, and the command then does the work itself.
func (s *Server) attached(op operation.Operation) handler {
	info := op.About()
	return func(w *response, r *http.Request) error {
		_, env, err := s.caller(r)
		if err != nil {
			return err
		}
		release, err := s.calls.take(r.Context(), w.grant, s.options.Limits.Wait)
		if err != nil {
			return err
		}
		defer release()
		data, err := s.body(w, r)
		if err != nil {
			return err
		}
		stream := w.events()
		env.Progress = stream.progress()
		s.options.Attached.Begin(r.Context(), env)
		out, err := runAttached(r.Context(), op, env, data)
		if err == nil {
			s.options.Attached.Settle(r.Context(), env, info)
			data, err = schema.Marshal(out)
		}
		if err != nil {
			w.note(err)
			data, err = schema.Marshal(attach.FailureOf(err))
			return errors.Join(err, stream.sendRaw("error", data))
		}
		return stream.sendRaw("result", data)
	}
}

// runAttached decodes the input of an operation and runs it.
func runAttached(ctx context.Context, op operation.Operation, env *operation.Env, data []byte) (any, error) {
	in, err := op.Decode(data)
	if err != nil {
		return nil, err
	}
	return op.Run(ctx, env, in)
}

// converse turns a connection over to MCP until the command is gone or the server stops.
func (s *Server) converse(w *response, r *http.Request) error {
	c, env, err := s.caller(r)
	if err != nil {
		return err
	}
	release, err := s.streams.tryTake(w.grant)
	if err != nil {
		return err
	}
	defer release()
	conn, buffered, err := w.control.Hijack()
	if err != nil {
		return err
	}
	defer conn.Close()
	w.status = http.StatusSwitchingProtocols
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil // the command is gone
	}
	if _, err := fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n", attach.Protocol); err != nil {
		return nil
	}
	ctx, cancel := s.untilStopped(context.WithoutCancel(r.Context()), nil)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Now()) })() // interrupts a blocked read
	if err := s.options.Attached.Converse(ctx, c, env, unread(buffered.Reader, conn), conn); err != nil && ctx.Err() == nil {
		w.note(err)
	}
	return nil
}

// unread returns a reader of what came with the request, followed by the connection.
func unread(buffered *bufio.Reader, conn io.Reader) io.Reader {
	if buffered.Buffered() == 0 {
		return conn
	}
	return buffered
}
