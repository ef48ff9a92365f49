package server

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// requestHeader carries the id of a request. A caller may choose it; the answer and every
// log line about the request have it.
const requestHeader = "X-Request-Id"

// observe gives every request an id, a line in the log and a place in the metrics. A
// panic is a bug in Strata: the client gets an error without details, the log all of
// them.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		out := &response{
			ResponseWriter: w, control: http.NewResponseController(w), stall: s.options.Limits.Stall,
			request: s.requestID(r, begun), log: s.options.Logger, name: "none",
		}
		out.hurry() // the deadline of the previous answer is over
		h := out.Header()
		h.Set(requestHeader, out.request)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		if r.Body != nil && r.Body != http.NoBody {
			_ = out.control.SetReadDeadline(begun.Add(out.stall))
			r.Body = &timely{ReadCloser: r.Body, control: out.control}
		}
		if !s.active.begin() {
			out.fail(&strata.Error{Code: strata.CodeUnavailable, Message: "the server is shutting down"})
			return
		}
		defer s.active.end()
		s.metrics.begin()
		defer func() {
			fault := recover()
			aborted := fault == http.ErrAbortHandler
			if fault != nil && !aborted {
				s.options.Logger.Error("panic", "request", out.request, "operation", out.name, "panic", fmt.Sprint(fault), "stack", string(debug.Stack()))
				out.code = strata.CodeInternal
			}
			if fault != nil && !aborted && out.status == 0 {
				out.fail(errors.New("panic"))
				fault = nil
			}
			s.end(out, r, time.Since(begun))
			if fault != nil {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(out, r)
	})
}

// timely is a body with a deadline. The deadline applies until the end of the body, so it
// also bounds the reading of a body that nobody used. At the end it is removed, because
// the server would take its expiry for a disconnected client.
type timely struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read reads, and removes the deadline at the end of the body.
func (t *timely) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err == io.EOF {
		_ = t.control.SetReadDeadline(time.Time{}) // fails only if there are no deadlines
	}
	return n, err
}

// end logs a request and counts it. Paths and queries are left out: they may hold what a
// person said.
func (s *Server) end(w *response, r *http.Request, took time.Duration) {
	s.metrics.end(w.name, w.code, took)
	s.options.Logger.Info("request", "request", w.request, "method", fence.Neutral(r.Method, 10), "operation", w.name, "status", w.status,
		"code", w.code, "bytes", w.bytes, "took", took.Round(time.Microsecond))
}

// requestID returns the caller's id of a request if it is valid, otherwise a new one.
func (s *Server) requestID(r *http.Request, now time.Time) string {
	given := r.Header.Get(requestHeader)
	if given != "" && len(given) <= 64 && strata.ValidateName("request id", given) == nil && isPlain(given) {
		return given
	}
	return s.ids.New("req", now)
}

// isPlain reports whether an id consists of letters, digits, hyphens, underscores, dots
// and colons.
func isPlain(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' || c == ':') {
			return false
		}
	}
	return true
}
