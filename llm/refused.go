package llm

import (
	"errors"
	"fmt"
	"time"
)

// Refused marks, inside an error, a request that the server turned away or
// never received: the connection was refused or reset before any answer, or
// the answer was "too many requests" or "not now". Such a request did no work,
// so asking again is safe. Adapters put it in the chain of the errors they
// return; the guard looks for it.
type Refused struct {
	// After is how long the server asks to be left alone; 0 means that it did
	// not say.
	After time.Duration
	Err   error
}

// Error returns the cause, and the wait if the server named one.
func (r *Refused) Error() string {
	text := "not processed"
	if r.Err != nil {
		text = r.Err.Error()
	}
	if r.After > 0 {
		return fmt.Sprintf("%s (the server asks to wait %s)", text, r.After)
	}
	return text
}

// Unwrap returns the cause.
func (r *Refused) Unwrap() error { return r.Err }

// refusedAfter reports whether err says that the request was not processed,
// and how long the server asks to wait.
func refusedAfter(err error) (after time.Duration, ok bool) {
	var r *Refused
	if !errors.As(err, &r) {
		return 0, false
	}
	return r.After, true
}
