package server

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// response writes an answer and records what happens to it.
type response struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
	request string // its id
	log     *slog.Logger

	trusted bool          // the request has the home's token
	grant   *access.Grant // of the named token in the request; nil if it has none

	name   string // of the route
	status int    // 0 until the answer starts
	bytes  int64
	code   strata.Code // of the error that was answered; empty for none
}

// Unwrap supports [http.ResponseController].
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader starts the answer.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.hurry()
	w.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the answer. It gives up on a client that does not take it in
// time.
func (w *response) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.hurry()
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Flush sends what was written.
func (w *response) Flush() {
	w.hurry()
	_ = w.control.Flush() // the next write reports a client that is gone
}

// hurry bounds the time that the client may take for the next part. Connections without
// deadlines, as in tests, are not bounded.
func (w *response) hurry() { _ = w.control.SetWriteDeadline(time.Now().Add(w.stall)) }

// note records the error that a request ends with, for the log and metrics.
func (w *response) note(err error) {
	w.code = strata.CodeOf(err)
	if w.code == strata.CodeInternal || w.code == strata.CodeCorrupt {
		w.log.Error("request failed", "request", w.request, "operation", w.name, "error", err)
		return
	}
	w.log.Debug("request failed", "request", w.request, "operation", w.name, "code", w.code, "error", err)
}

// document answers with a JSON document.
func (w *response) document(status int, data []byte) {
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	// An error means that the client is gone.
	_, _ = w.Write(append(operation.Shown(data), '\n'))
}
