package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// retryAfter is the value of Retry-After, in seconds, in answers that mean "not now".
const retryAfter = 1

// refusal is an error of the transport with its own status. The status of other errors
// follows from their code.
type refusal struct {
	status int
	err    *strata.Error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// failure is an error as sent to clients.
type failure struct {
	operation.Failure
	// Request is the id under which the log has more.
	Request string `json:"request_id"`
	// Output is the output of an operation that did its work with a result that counts as
	// a failure.
	Output json.RawMessage `json:"output,omitempty"`
}

// failureOf returns what a client is told about an error.
func failureOf(err error, request string) failure {
	out := failure{Failure: operation.FailureOf(err), Request: request}
	var known *strata.Error
	if errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &known) {
		out.Hint = "ask with the header Accept: text/event-stream, which has no time limit"
	}
	var done *doneBut
	if errors.As(err, &done) {
		out.Output = done.output
	}
	return out
}

// statusOf returns the HTTP status of an error.
func statusOf(err error) int {
	var r *refusal
	if errors.As(err, &r) {
		return r.status
	}
	return strata.CodeOf(err).HTTPStatus()
}

// doneBut is the error of an operation that did its work with a result that counts as a
// failure.
type doneBut struct {
	err    error
	output json.RawMessage
}

func (d *doneBut) Error() string { return d.err.Error() }
func (d *doneBut) Unwrap() error { return d.err }

// amountsTo returns the failure that an output amounts to; nil for most.
func amountsTo(out any, encoded []byte) error {
	f, ok := out.(interface{ Failure() error })
	if !ok {
		return nil
	}
	if err := f.Failure(); err != nil {
		return &doneBut{err: err, output: encoded}
	}
	return nil
}

// fail answers with an error. If the answer has already begun, it aborts the connection,
// so that the client does not take a part for the whole.
func (w *response) fail(err error) {
	w.note(err)
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	status := statusOf(err)
	switch status {
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	data, jsonErr := schema.Marshal(failureOf(err, w.request))
	if jsonErr != nil { // cannot happen: texts, and an output that was encoded before
		data = []byte(`{"code":"internal","message":"the error cannot be written"}`)
	}
	w.document(status, data)
}
