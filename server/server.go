// Package server serves the operations of package ops over HTTP, on a Unix socket in the
// home and, if asked for, on a TCP address.
//
// POST /v1/NAME runs the operation of that name, as in ops, with underscores. Its input
// is a JSON object with the operation's fields, and two more: scope, which names the one
// scope that the call sees and writes, and yes, without which nothing is removed or
// undone that a command line would ask about. The answer is the operation's output as
// JSON, or an error with a permanent code; docs/server.md has the details.
//
// # Trust
//
// Whoever can open the socket can read the files of the home, so it asks for nothing.
// Over TCP every request shows the token of the home, and is refused if its Host could be
// that of another site or its Origin is one. See [Server.Open] and [Server.Guarded].
//
// # Commands
//
// Runs of the command strata have paths of their own, over the socket alone, at which the
// server works in their place: see [Attachment] and package internal/home/attach.
//
// # Ownership
//
// A server owns neither the engine nor the handler of MCP. [Server.Serve] returns when
// its context ends and the requests under way are answered or given up; the caller then
// closes the engine.
package server

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/page"
)

// Options say what a server serves and within which limits. Env.Engine is required; all
// else may be zero.
type Options struct {
	// Env is what operations work with. Every request gets a copy with the scope that
	// it names: without one it sees the global scope and writes to it, and operations on
	// the whole home take all of it. A Scope in it takes the place of the global one, and
	// no request may name another. That guards against mistakes, not between people:
	// import, for one, writes to where an export came from.
	Env Env
	// MCP serves the Model Context Protocol at /mcp; nil: nothing is there.
	MCP http.Handler
	// Access are the named tokens that let programs in beside that of the home; nil: none.
	Access *Grants
	// MCPFor serves the Model Context Protocol to those with a named token, who see and
	// write what it grants. Nil: they get none.
	MCPFor func(*Grant) http.Handler
	// Attached has the server work in the place of commands, over the handler of
	// [Server.Open] alone; nil: they do without it.
	Attached *Attachment
	// Idle ends [Server.Serve] when nothing was asked for so long; 0: never.
	Idle time.Duration
	// Version is what clients are shown; empty means "dev".
	Version string
	// Logger receives a line for each request, without anything of what was asked or
	// answered; nil discards it.
	Logger *slog.Logger
	// Limits bound what a request may take.
	Limits Limits
}

// Limits bound what requests may take. The zero value of each means its default.
type Limits struct {
	// Body is the longest JSON body in bytes; default 8 MiB. Streams have no limit.
	Body int64
	// Timeout bounds an operation whose answer is one JSON document; default 2 minutes.
	// Streams may take as long as they move.
	Timeout time.Duration
	// Stall is how long a client may take to send a JSON body, or the next part of a
	// stream, or to take the next part of an answer; default 30 s.
	Stall time.Duration
	// Calls is how many operations run at once; default 16. More wait for Wait
	// (default 5 s) and are then told to come back.
	Calls int
	Wait  time.Duration
	// Streams is how many streams are open at once: imports, exports, long work whose
	// progress is followed, events; default 64.
	Streams int
	// Rate is how many requests a second a named token may send; default 100. Of calls
	// and of streams it has half at most.
	Rate int
}

func (o Options) withDefaults() Options {
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	l := &o.Limits
	if l.Body <= 0 {
		l.Body = 8 << 20
	}
	if l.Timeout <= 0 {
		l.Timeout = 2 * time.Minute
	}
	if l.Stall <= 0 {
		l.Stall = 30 * time.Second
	}
	if l.Calls <= 0 {
		l.Calls = 16
	}
	if l.Wait <= 0 {
		l.Wait = 5 * time.Second
	}
	if l.Streams <= 0 {
		l.Streams = 64
	}
	if l.Rate <= 0 {
		l.Rate = 100
	}
	return o
}

// Server serves the operations over HTTP. It is safe for concurrent use.
type Server struct {
	options Options
	mux     *http.ServeMux
	own     *http.ServeMux // mux, and what is for commands
	calls   *slots
	streams *slots
	paces   *paces
	metrics metrics
	ids     id.Maker
	active  activity
	page    *page.Page
	door    *page.Door
	granted grantedMCP

	stop     sync.Once // closes stopping
	stopping chan struct{}
}

// New returns a server. Nothing listens yet.
func New(o Options) *Server {
	o = o.withDefaults()
	s := &Server{
		options: o, mux: http.NewServeMux(), own: http.NewServeMux(),
		calls: newSlots(o.Limits.Calls), streams: newSlots(o.Limits.Streams),
		paces: newPaces(o.Limits.Rate),
		page:  page.NewPage(), door: page.NewDoor(),
		stopping: make(chan struct{}),
	}
	for _, r := range s.routes() {
		s.mux.Handle(r.path, r)
	}
	s.own.Handle("/", s.mux)
	if o.Attached != nil {
		for _, r := range s.attachedRoutes() {
			s.own.Handle(r.path, r)
		}
	}
	return s
}

// Open is the handler for those who may read the home anyway, such as over a socket that
// only its owner can open.
func (s *Server) Open() http.Handler { return s.observe(sameOrigin(s.own)) }

// Guarded is the handler for everybody else. They show a token in the header
// Authorization; an empty token is nobody's. Browsers come in by [Server.Door] and may
// call operations. Beside IP addresses and localhost the server may be called by the given
// host names.
func (s *Server) Guarded(token string, hosts ...string) http.Handler {
	return s.observe(ownHost(hosts, sameOrigin(s.admitted(token, s.mux))))
}

// endStreams ends what would go on for ever: streams of events and standing connections.
func (s *Server) endStreams() { s.stop.Do(func() { close(s.stopping) }) }

// untilStopped is a context that also ends when the server stops, and with the token that
// was shown.
func (s *Server) untilStopped(ctx context.Context, grant *access.Grant) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		tick := time.NewTicker(revokedWithin)
		defer tick.Stop()
		for s.holds(grant) {
			select {
			case <-s.stopping:
				return
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return ctx, cancel
}
