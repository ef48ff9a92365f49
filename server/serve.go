package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

const (
	headerTimeout = 10 * time.Second // for the header of a request
	idleTimeout   = 2 * time.Minute  // between requests of a connection
	maxHeader     = 16 << 10         // bytes of a header
	// grace is how long requests in progress may take when the server stops, before they
	// are canceled.
	grace = 10 * time.Second
)

// Endpoint is a listener with the handler for its requests.
type Endpoint struct {
	Listener net.Listener
	Handler  http.Handler
}

// Serve answers at all endpoints until the context ends, which is no error, one of them
// fails, or there was no request for Options.Idle. It closes the listeners, and returns
// when every request is answered or given up.
func (s *Server) Serve(ctx context.Context, endpoints ...Endpoint) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	servers := make([]*http.Server, len(endpoints))
	failed := make(chan error, len(endpoints))
	var working sync.WaitGroup
	working.Go(func() { s.readAhead(ctx) })
	for i, e := range endpoints {
		servers[i] = &http.Server{
			Handler: e.Handler, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
			ErrorLog: slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelDebug),
		}
		working.Go(func() {
			if err := servers[i].Serve(e.Listener); !errors.Is(err, http.ErrServerClosed) {
				failed <- &strata.Error{Code: strata.CodeUnavailable, Op: "serve", Message: "the server can no longer listen", Err: err}
			}
		})
	}
	var err error
	select {
	case <-ctx.Done():
	case <-s.active.quiet(ctx, s.options.Idle):
		s.options.Logger.Info("nothing was asked for a while: the server ends", "idle", s.options.Idle)
	case err = <-failed:
	}
	cancel() // stops reading ahead
	s.shutDown(servers)
	working.Wait()
	return err
}

// shutDown stops the servers: endless streams at once, other requests after a grace
// period.
func (s *Server) shutDown(servers []*http.Server) {
	s.endStreams()
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	var ending sync.WaitGroup
	for _, server := range servers {
		ending.Go(func() {
			if server.Shutdown(ctx) != nil {
				s.options.Logger.Warn("requests were given up at the end of the server")
				_ = server.Close() // anything it could not close ends with the process
			}
		})
	}
	ending.Wait()
	s.active.stop()
}

// activity counts requests in progress. The zero value is ready to use.
type activity struct {
	mu      sync.Mutex // guards the fields below
	n       int
	stopped bool
	ended   time.Time     // when the last request ended; zero for never
	idle    chan struct{} // closed when the last request ends; nil while nobody waits
}

// begin counts a request, or reports false if the server has stopped.
func (a *activity) begin() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return false
	}
	a.n++
	return true
}

func (a *activity) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = time.Now()
	if a.n--; a.n == 0 && a.idle != nil {
		close(a.idle)
	}
}

// quiet returns a channel that is closed after no request was in progress for long; never
// if long is 0 or the context ends first.
func (a *activity) quiet(ctx context.Context, long time.Duration) <-chan struct{} {
	quiet := make(chan struct{})
	if long <= 0 {
		return quiet
	}
	begun := time.Now()
	go func() {
		for left := long; left > 0; left = a.untilQuiet(begun, long) {
			timer := time.NewTimer(left)
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return
			}
		}
		close(quiet)
	}()
	return quiet
}

// untilQuiet returns the remaining time without requests until the server counts as idle.
func (a *activity) untilQuiet(begun time.Time, long time.Duration) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.n > 0:
		return long
	case a.ended.After(begun):
		begun = a.ended
	}
	return long - time.Since(begun)
}

// stop rejects further requests, and returns when the last one has ended.
func (a *activity) stop() {
	a.mu.Lock()
	a.stopped = true
	idle := make(chan struct{})
	if a.idle = idle; a.n == 0 {
		close(idle)
		a.idle = nil
	}
	a.mu.Unlock()
	<-idle
}

// askedAhead is how many queries are repeated: the first ones load the words and codes of
// a scope into memory, the later ones nearly everything that is read piecemeal.
const askedAhead = 8

// readAhead repeats the last queries of the home, so that the data for the next ones is
// in memory: with 100,000 facts the first answers of a process take 30 to 250 ms, later
// ones 1 to 10. Nothing is recorded, and nothing depends on it.
func (s *Server) readAhead(ctx context.Context) {
	if err := s.askAgain(ctx); err != nil && ctx.Err() == nil {
		s.options.Logger.Warn("memory was not read ahead", "error", err)
	}
}

func (s *Server) askAgain(ctx context.Context) error {
	memory := s.options.Env.Engine
	view, err := s.options.Env.Everything(ctx)
	if err != nil {
		return err
	}
	asked, err := memory.Traces(ctx, view, store.TraceFilter{Limit: askedAhead})
	if err != nil {
		return err
	}
	slices.SortFunc(asked, func(a, b store.Trace) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
	for _, t := range asked[:min(len(asked), askedAhead)] {
		if _, err := memory.Query(ctx, strata.Query{View: strata.View{Scopes: []strata.Scope{t.Scope}}, Text: t.Query, Quiet: true}); err != nil {
			return err
		}
	}
	return nil
}
