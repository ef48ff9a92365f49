// Package server serves the operations of package ops over HTTP, on a Unix socket in the
// home and, if asked for, on a TCP address.
//
// POST /v1/NAME runs the operation of that name, as in ops, with underscores. The input
// is a JSON object with the operation's fields and three more: scope names the one scope
// that the call sees and writes, above makes reads also see the scopes above it, and yes
// confirms what a command line would ask about before it removes or undoes anything. The
// answer is the operation's output as JSON, or an error with a permanent code;
// docs/server.md has the details.
//
// # Trust
//
// Whoever can open the socket can also read the files of the home, so the socket needs no
// token. Over TCP every request must show a token, and is rejected if its Host could
// belong to another site or its Origin does. See [Server.Open] and [Server.Guarded].
//
// # Commands
//
// Runs of the command strata use paths of their own, only over the socket, at which the
// server does their work: see [Attachment] and package internal/home/attach.
//
// # Ownership
//
// A server does not own the engine or the MCP handler. [Server.Serve] returns when its
// context ends and the requests in progress are answered or given up; the caller then
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

// Options say what a server serves and within which limits. Only Env.Engine is required.
type Options struct {
	// Env is the environment of operations. Every request gets a copy with the scope that
	// it names. Without one it reads and writes the global scope, and operations on the
	// whole home use all of it. A Scope in Env replaces the global one, and requests may
	// not name another. That guards against mistakes, not against attackers: import, for
	// example, writes to the scopes that an export came from.
	Env Env
	// MCP serves the Model Context Protocol at /mcp; nil disables it.
	MCP http.Handler
	// Access are the named tokens that are accepted besides the home's token; nil for
	// none.
	Access *Grants
	// MCPFor returns the MCP handler for a named token, limited to what it grants. nil
	// means no MCP for named tokens.
	MCPFor func(*Grant) http.Handler
	// Attached lets commands run in the server, only through the handler of
	// [Server.Open]; nil disables that.
	Attached *Attachment
	// Idle ends [Server.Serve] after that long without a request; 0 means never.
	Idle time.Duration
	// Version is the version shown to clients; empty means "dev".
	Version string
	// Logger receives a line for each request, without its input or output; nil discards
	// it.
	Logger *slog.Logger
	// Limits bound the resources of requests.
	Limits Limits
}

// Limits bound the resources of requests. The zero value of each field means its default.
type Limits struct {
	// Body is the longest JSON body in bytes; default 8 MiB. Streams have no limit.
	Body int64
	// Timeout bounds an operation whose answer is one JSON document; default 2 minutes.
	// Streams may take as long as they make progress.
	Timeout time.Duration
	// Stall is how long a client may take to send a JSON body or the next part of a
	// stream, or to read the next part of an answer; default 30 s.
	Stall time.Duration
	// Calls is how many operations run at once; default 16. Further ones wait for at most
	// Wait (default 5 s) and are then told to retry.
	Calls int
	Wait  time.Duration
	// Streams is how many streams are open at once: imports, exports, events, and long
	// work whose progress is followed; default 64.
	Streams int
	// Rate is how many requests per second each named token may send; default 100. A
	// named token may use at most half of Calls and of Streams.
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
	own     *http.ServeMux // mux and the routes for commands
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

// New returns a server. It does not listen yet.
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

// Open returns the handler for callers who may read the home anyway, such as over a
// socket that only its owner can open.
func (s *Server) Open() http.Handler { return s.observe(sameOrigin(s.own)) }

// Guarded returns the handler for everybody else. Requests need a token in the header
// Authorization; if token is empty, none is accepted. Browsers enter by [Server.Door] and
// may then call operations. Besides IP addresses and localhost, hosts are the accepted
// host names.
func (s *Server) Guarded(token string, hosts ...string) http.Handler {
	return s.observe(ownHost(hosts, sameOrigin(s.admitted(token, s.mux))))
}

// endStreams ends what would otherwise not end: event streams and standing connections.
func (s *Server) endStreams() { s.stop.Do(func() { close(s.stopping) }) }

// untilStopped returns a context that also ends when the server stops or the grant is
// revoked.
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
