package server

import (
	"bytes"
	"io"
	"net/http"
)

// mcpCall passes a message of MCP on, within the limits of calls. It is read first: while a
// client sends, nobody else waits.
func (s *Server) mcpCall(w *response, r *http.Request) error {
	h, err := s.mcp(w.grant)
	if err != nil {
		return err
	}
	limit := s.options.Limits.Body
	message, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return notRead(err)
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(message), r.Body), r.Body}
	if int64(len(message)) <= limit { // what is longer runs nothing: it is refused when its id was read
		release, err := s.calls.take(r.Context(), w.grant, s.options.Limits.Wait)
		if err != nil {
			return err
		}
		defer release()
	}
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
	release, err := s.streams.tryTake(w.grant)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := s.untilStopped(r.Context(), w.grant)
	defer cancel()
	h.ServeHTTP(w, r.WithContext(ctx))
	return nil
}
