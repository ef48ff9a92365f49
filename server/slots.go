package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/access"
)

// slots bounds how much runs at once. Each named token has at most half of the slots, so
// that its holder cannot lock out the owner of the home.
type slots struct {
	all chan struct{} // holds an item for each slot taken

	mu sync.Mutex // guards of
	of map[access.Digest]chan struct{}
}

func newSlots(n int) *slots {
	return &slots{all: make(chan struct{}, n), of: make(map[access.Digest]chan struct{})}
}

// queues returns the queues in which a caller needs a place, in order.
func (s *slots) queues(grant *access.Grant) []chan struct{} {
	if grant == nil {
		return []chan struct{}{s.all}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	own, ok := s.of[grant.Digest()]
	if !ok {
		own = make(chan struct{}, max(1, cap(s.all)/2))
		s.of[grant.Digest()] = own
	}
	return []chan struct{}{own, s.all}
}

// take waits for a slot for at most wait, and returns a function that releases it.
func (s *slots) take(ctx context.Context, grant *access.Grant, wait time.Duration) (release func(), err error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	var taken []chan struct{}
	release = func() {
		for _, q := range taken {
			<-q
		}
	}
	for _, q := range s.queues(grant) {
		select {
		case q <- struct{}{}:
			taken = append(taken, q)
			continue
		default:
		}
		select {
		case q <- struct{}{}:
			taken = append(taken, q)
		case <-ctx.Done():
			release()
			return nil, ctx.Err()
		case <-timer.C:
			release()
			return nil, &strata.Error{Code: strata.CodeBusy, Message: "the server is busy", Hint: "try again in a second"}
		}
	}
	return release, nil
}

// tryTake takes a slot for a stream. It does not wait, because streams last long.
func (s *slots) tryTake(grant *access.Grant) (release func(), err error) {
	release, err = s.take(context.Background(), grant, 0)
	if err != nil {
		return nil, &refusal{status: http.StatusTooManyRequests, err: &strata.Error{Code: strata.CodeBusy,
			Message: "too many streams are open", Hint: "close one, or try again later"}}
	}
	return release, nil
}

// paces limits the request rate of each named token.
type paces struct {
	perSecond int

	mu sync.Mutex // guards of
	of map[access.Digest]*rate.Limiter
}

func newPaces(perSecond int) *paces {
	return &paces{perSecond: perSecond, of: make(map[access.Digest]*rate.Limiter)}
}

// check returns an error if the token exceeds its rate.
func (p *paces) check(grant *access.Grant) error {
	if grant == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	own, ok := p.of[grant.Digest()]
	if !ok {
		own = rate.NewLimiter(rate.Limit(p.perSecond), p.perSecond) // allows a burst of one second's requests
		p.of[grant.Digest()] = own
	}
	if own.Allow() {
		return nil
	}
	return &refusal{status: http.StatusTooManyRequests, err: &strata.Error{Code: strata.CodeBusy,
		Message: "this token calls too often", Hint: "wait a second between bursts of calls, or save in batches"}}
}
