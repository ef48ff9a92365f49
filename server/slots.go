package server

import (
	"context"
	"maps"
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

	mu sync.Mutex // guards of and the users in it
	of map[access.Digest]*ownSlots
}

// ownSlots are the slots of one named token. They exist while it has or wants one.
type ownSlots struct {
	taken chan struct{} // as slots.all
	users int           // calls that have a slot or wait for one
}

func newSlots(n int) *slots {
	return &slots{all: make(chan struct{}, n), of: make(map[access.Digest]*ownSlots)}
}

// queues returns the queues in which a caller needs a place, in order, and a function to
// be called when it needs none anymore.
func (s *slots) queues(grant *access.Grant) (queues []chan struct{}, leave func()) {
	if grant == nil {
		return []chan struct{}{s.all}, func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	token := grant.Digest()
	own, ok := s.of[token]
	if !ok {
		own = &ownSlots{taken: make(chan struct{}, max(1, cap(s.all)/2))}
		s.of[token] = own
	}
	own.users++
	return []chan struct{}{own.taken, s.all}, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if own.users--; own.users == 0 {
			delete(s.of, token)
		}
	}
}

// take waits for a slot for at most wait, and returns a function that releases it.
func (s *slots) take(ctx context.Context, grant *access.Grant, wait time.Duration) (release func(), err error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	queues, leave := s.queues(grant)
	var taken []chan struct{}
	release = func() {
		for _, q := range taken {
			<-q
		}
		leave()
	}
	for _, q := range queues {
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

	mu sync.Mutex                      // guards of
	of map[access.Digest]*rate.Limiter // of tokens that called within about a second
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
		// One that may call as often as at first is as good as none.
		maps.DeleteFunc(p.of, func(_ access.Digest, l *rate.Limiter) bool { return l.Tokens() >= float64(p.perSecond) })
		own = rate.NewLimiter(rate.Limit(p.perSecond), p.perSecond) // allows a burst of one second's requests
		p.of[grant.Digest()] = own
	}
	if own.Allow() {
		return nil
	}
	return &refusal{status: http.StatusTooManyRequests, err: &strata.Error{Code: strata.CodeBusy,
		Message: "this token calls too often", Hint: "wait a second between bursts of calls, or save in batches"}}
}
