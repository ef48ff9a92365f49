package operation

import (
	"context"
	"errors"

	"github.com/strata-memory/strata"
)

// Failure is an error as clients read it.
type Failure struct {
	Code    strata.Code       `json:"code"`
	Message string            `json:"message"`
	Hint    string            `json:"hint,omitempty"`
	Details map[string]string `json:"details,omitempty"`
}

// FailedInside is all that a client is told of an error that says nothing to anybody else.
const FailedInside = "it failed; the server's log says why"

// FailureOf is what a client is told of an error. The cause is for the log: it may hold
// anything.
func FailureOf(err error) Failure {
	out := Failure{Code: strata.CodeOf(err), Message: FailedInside}
	var known *strata.Error
	switch {
	case errors.As(err, &known):
		out.Hint, out.Details = known.Hint, known.Details
		if known.Message != "" {
			out.Message = known.Message
		}
	case errors.Is(err, context.DeadlineExceeded):
		out.Message = "time ran out"
	case errors.Is(err, context.Canceled):
		out.Message = "the call was canceled"
	}
	return out
}
