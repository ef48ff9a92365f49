package output

import (
	"context"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// An Error is an error as scripts read it.
type Error struct {
	Code    strata.Code       `json:"code"`
	Message string            `json:"message"`
	Hint    string            `json:"hint"`
	Details map[string]string `json:"details,omitempty"`
}

// ErrorOf returns err as scripts read it.
func ErrorOf(err error) Error {
	out := Error{Code: strata.CodeOf(err), Message: Message(err)}
	var known *strata.Error
	if errors.As(err, &known) {
		out.Hint, out.Details = known.Hint, known.Details
	}
	return out
}

// Report writes an error to standard error in the output format.
func (p *Printer) Report(err error) {
	out := ErrorOf(err)
	if !p.ForPeople() {
		// If writing to standard error fails, there is nowhere to report it.
		_ = writeJSON(p.Stderr, out, "")
		return
	}
	p.warn(p.Style(p.Stderr).Red("strata:") + " " + terminal.Clean(out.Message))
	if out.Hint != "" {
		p.warn("  hint: " + terminal.Clean(out.Hint))
	}
}

// Message returns the text of err for a person, without the names of internal operations,
// which are in the log.
func Message(err error) string {
	known, ok := err.(*strata.Error)
	switch {
	case errors.Is(err, context.Canceled) && !ok:
		return "interrupted"
	case errors.Is(err, context.DeadlineExceeded) && !ok:
		return "time ran out"
	case !ok:
		return err.Error()
	case known.Err == nil:
		return known.Message
	case known.Message == "":
		return Message(known.Err)
	}
	return known.Message + ": " + Message(known.Err)
}

// Reported is an error that was already shown: only its exit code still matters.
type Reported struct{ error }

// AsReported marks err as shown.
func AsReported(err error) error { return &Reported{err} }

// Unwrap returns the error that was shown.
func (r *Reported) Unwrap() error { return r.error }
