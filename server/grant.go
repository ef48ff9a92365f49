package server

import (
	"net/http"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// revokedWithin is how long a stream may outlive the token that it was opened with.
const revokedWithin = time.Second

// grantOf is what a named token grants; nil if it is none. Why the file of tokens cannot be
// used is for the log.
func (s *Server) grantOf(token string) *access.Grant {
	if s.options.Access == nil {
		return nil
	}
	grant, err := s.options.Access.Find(token)
	if err != nil {
		s.options.Logger.Warn("named tokens let nobody in", "error", err)
	}
	return grant
}

// holds reports whether a grant is still good. That of nobody in particular, nil, is.
func (s *Server) holds(grant *access.Grant) bool {
	if grant == nil {
		return true
	}
	now, err := s.options.Access.Holds(grant.Digest())
	return now != nil && err == nil
}

// caller is an environment with what a token permits.
func caller(grant *access.Grant) *operation.Env {
	if grant == nil {
		return &operation.Env{}
	}
	return &operation.Env{Confined: grant.Scopes, ReadOnly: grant.ReadOnly}
}

// unconfined refuses what is about the whole home to who is confined.
func unconfined(next handler) handler {
	return func(w *response, r *http.Request) error {
		if err := caller(w.grant).Permit(operation.Info{Name: w.name, ReadOnly: true, WholeHome: true}); err != nil {
			return err
		}
		return next(w, r)
	}
}

// grantedMCP keeps a handler for each named token in use, so that nobody can go on with the
// session of another. The zero value is ready.
type grantedMCP struct {
	mu       sync.Mutex // guards what follows
	handlers map[access.Digest]http.Handler
}

// mcp is what serves the Model Context Protocol to those with a token, or to everybody else.
func (s *Server) mcp(grant *access.Grant) (http.Handler, error) {
	if grant == nil {
		return s.options.MCP, nil
	}
	if s.options.MCPFor == nil {
		return nil, &strata.Error{Code: strata.CodeDenied, Message: "named tokens are not for MCP here", Hint: "use the token in the file server.token of the home"}
	}
	g := &s.granted
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.handlers == nil {
		g.handlers = make(map[access.Digest]http.Handler)
	}
	for digest := range g.handlers {
		if now, err := s.options.Access.Holds(digest); now == nil && err == nil {
			delete(g.handlers, digest) // its token was removed
		}
	}
	h, ok := g.handlers[grant.Digest()]
	if !ok {
		h = s.options.MCPFor(grant)
		g.handlers[grant.Digest()] = h
	}
	return h, nil
}
