package server

import (
	"context"
	"net/http"
	"time"

	"github.com/strata-memory/strata"
)

// slots bound how much runs at once: each holds an item.
type slots chan struct{}

func newSlots(n int) slots { return make(slots, n) }

// take takes a slot, for which it waits so long, and returns what gives it back.
func (s slots) take(ctx context.Context, wait time.Duration) (release func(), err error) {
	select {
	case s <- struct{}{}:
		return s.release, nil
	default:
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case s <- struct{}{}:
		return s.release, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, &strata.Error{Code: strata.CodeBusy, Message: "the server has its hands full", Hint: "try again in a second"}
	}
}

// tryTake takes a slot for a stream. Streams last, so that there is nothing to wait for.
func (s slots) tryTake() (release func(), err error) {
	select {
	case s <- struct{}{}:
		return s.release, nil
	default:
		return nil, &refusal{status: http.StatusTooManyRequests, err: &strata.Error{Code: strata.CodeBusy,
			Message: "too many streams are open", Hint: "close one, or try again later"}}
	}
}

func (s slots) release() { <-s }
