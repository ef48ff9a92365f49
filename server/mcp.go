package server

import (
	"bytes"
	"io"
	"net/http"
)

// mcpCall passes on an MCP message, within the limits on calls. It reads the message
// before it takes a slot, so that slow clients do not block others.
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
	if int64(len(message)) <= limit { // a longer message runs nothing: it is rejected once its id is read
		release, err := s.calls.take(r.Context(), w.grant, s.options.Limits.Wait)
		if err != nil {
			return err
		}
		defer release()
	}
	h.ServeHTTP(w, r)
	return nil
}

// mcpStream passes on the connection on which an MCP client listens, until the client
// disconnects or the server stops.
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
