package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/strata-memory/strata"
)

// Failure is an error with its causes, so that a command reports the same as if it had
// done the work itself. Nothing is left out, because only the owner can use the socket.
type Failure struct {
	// Known holds a [strata.Error]; nil for another error.
	Known *Known `json:"known,omitempty"`
	// Text is the message of any other error. Ended says whether it is a context error,
	// and which.
	Text  string `json:"text,omitempty"`
	Ended string `json:"ended,omitempty"`
	// Cause is the wrapped error.
	Cause *Failure `json:"cause,omitempty"`
}

// Known holds the fields of a [strata.Error].
type Known struct {
	Code    strata.Code       `json:"code"`
	Op      string            `json:"op,omitempty"`
	Message string            `json:"message,omitempty"`
	Hint    string            `json:"hint,omitempty"`
	Details map[string]string `json:"details,omitempty"`
}

// Values of Ended.
const (
	canceled = "canceled"
	late     = "late"
)

// FailureOf converts an error for transport. It returns nil for nil.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	if known, ok := err.(*strata.Error); ok {
		return &Failure{Known: &Known{known.Code, known.Op, known.Message, known.Hint, known.Details}, Cause: FailureOf(known.Err)}
	}
	f := &Failure{Text: err.Error()}
	switch {
	case errors.Is(err, context.Canceled):
		f.Ended = canceled
	case errors.Is(err, context.DeadlineExceeded):
		f.Ended = late
	}
	var known *strata.Error
	if errors.As(err, &known) {
		f.Cause = FailureOf(known)
	}
	return f
}

// ReadFailure decodes an error from JSON.
func ReadFailure(data []byte) error {
	var f Failure
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("read an error of the server: %w", err)
	}
	return f.Err()
}

// Err converts a failure back to an error.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	cause := f.Cause.Err()
	if k := f.Known; k != nil {
		return &strata.Error{Code: k.Code, Op: k.Op, Message: k.Message, Hint: k.Hint, Details: k.Details, Err: cause}
	}
	switch {
	case cause != nil:
	case f.Ended == canceled:
		cause = context.Canceled
	case f.Ended == late:
		cause = context.DeadlineExceeded
	}
	return &told{f.Text, cause}
}

// told is an error that occurred in another process.
type told struct {
	text  string
	cause error
}

func (t *told) Error() string { return t.text }
func (t *told) Unwrap() error { return t.cause }
