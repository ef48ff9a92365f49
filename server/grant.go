package server

import (
	"net/http"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// revokedWithin is the maximum time a stream outlives the token it was opened with.
const revokedWithin = time.Second

// grantOf returns what a named token grants; nil if there is no such token. It logs why
// the token file is unusable.
func (s *Server) grantOf(token string) *access.Grant {
	if s.options.Access == nil {
		return nil
	}
	grant, err := s.options.Access.Find(token)
	if err != nil {
		s.options.Logger.Warn("named tokens cannot be used", "error", err)
	}
	return grant
}

// holds reports whether a grant is still valid. A nil grant is.
func (s *Server) holds(grant *access.Grant) bool {
	if grant == nil {
		return true
	}
	now, err := s.options.Access.Holds(grant.Digest())
	return now != nil && err == nil
}

// caller returns an environment with the permissions of a grant.
func caller(grant *access.Grant) *operation.Env {
	if grant == nil {
		return &operation.Env{}
	}
	return &operation.Env{Confined: grant.Scopes, ReadOnly: grant.ReadOnly}
}

// unconfined rejects confined callers from a handler about the whole home.
func unconfined(next handler) handler {
	return func(w *response, r *http.Request) error {
		if err := caller(w.grant).Permit(operation.Info{Name: w.name, ReadOnly: true, WholeHome: true}); err != nil {
			return err
		}
		return next(w, r)
	}
}

// grantedMCP keeps a separate handler for each named token in use, so that nobody can
// continue the session of another. The zero value is ready to use.
type grantedMCP struct {
	mu       sync.Mutex // guards the fields below
	handlers map[access.Digest]http.Handler
}

// mcp returns the MCP handler for a named token, or that for all other callers.
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
