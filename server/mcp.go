package server

import "net/http"

// mcpCall passes a message of MCP on, within the limits of calls.
func (s *Server) mcpCall(w *response, r *http.Request) error {
	h, err := s.mcp(w.grant)
	if err != nil {
		return err
	}
	release, err := s.calls.take(r.Context(), s.options.Limits.Wait)
	if err != nil {
		return err
	}
	defer release()
	h.ServeHTTP(w, r)
	return nil
}

// mcpStream passes on the connection by which a client of MCP listens. It lasts until the
// client goes or the server stops.
func (s *Server) mcpStream(w *response, r *http.Request) error {
	h, err := s.mcp(w.grant)
	if err != nil {
		return err
	}
	release, err := s.streams.tryTake()
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := s.untilStopped(r.Context(), w.grant)
	defer cancel()
	h.ServeHTTP(w, r.WithContext(ctx))
	return nil
}
