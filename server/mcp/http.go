package mcp

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// idleSession is how long an HTTP session may be idle before it ends.
const idleSession = time.Hour

// maxSkipped is how many bytes of an overlong message are searched for its id.
const maxSkipped = 64 << 20

// Handler returns a handler for streamable HTTP. The caller must control access to it. A
// nil log discards messages.
func Handler(server *mcp.Server, log *slog.Logger) http.Handler {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Logger: log, SessionTimeout: idleSession, MaxRequestBodyBytes: maxLine,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &translated{ResponseWriter: w}
		defer out.end()
		if r.Method == http.MethodPost && r.Body != nil {
			body, err := io.ReadAll(io.LimitReader(r.Body, maxLine+1))
			if err != nil {
				http.Error(out, "the body could not be read", http.StatusBadRequest)
				return
			}
			if len(body) > maxLine {
				log.Warn("refused a message of a client", "reason", tooLong)
				refuseLong(w, body, r.Body)
				return
			}
			parts := readMessages(body, begun(r))
			if i := slices.IndexFunc(parts, func(p part) bool { return p.code != 0 }); i >= 0 {
				log.Warn("refused a message of a client", "reason", parts[i].reason)
				refuse(w, parts[i])
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		inner.ServeHTTP(out, r)
	})
}

// begun reports whether a request belongs to a session; nil for a protocol version
// without sessions.
func begun(r *http.Request) *bool {
	if r.Header.Get("Mcp-Protocol-Version") >= sessionless {
		return nil
	}
	named := r.Header.Get("Mcp-Session-Id") != ""
	return &named
}

// refuse answers an invalid message, or one with invalid parameters. The latter is an
// ordinary answer with status 200.
func refuse(w http.ResponseWriter, p part) {
	status := http.StatusBadRequest
	if p.code == jsonrpc.CodeInvalidParams {
		status = http.StatusOK
	}
	data, err := errorMessage(p.id, p.code, p.reason)
	if err != nil {
		http.Error(w, p.reason, status)
		return
	}
	writeJSON(w, status, data)
}

// writeJSON answers with JSON.
func writeJSON(w http.ResponseWriter, status int, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // an error means that the client is gone
}

// refuseLong answers an overlong message under its id. It uses status 200, because
// clients take an HTTP error for the end of the session.
func refuseLong(w http.ResponseWriter, begin []byte, rest io.Reader) {
	var scan idScanner
	scan.feed(begin)
	// A client that sends even more, or stops sending, is answered without an id.
	_, _ = io.Copy(&scan, io.LimitReader(rest, maxSkipped-maxLine))
	data, err := errorMessage(scan.id(), jsonrpc.CodeInvalidRequest, tooLong)
	if err != nil {
		http.Error(w, tooLong, http.StatusRequestEntityTooLarge)
		return
	}
	writeJSON(w, http.StatusOK, data)
}

// Write implements [io.Writer] by feed. It never fails.
func (s *idScanner) Write(data []byte) (int, error) {
	s.feed(data)
	return len(data), nil
}
