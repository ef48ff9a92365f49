package server

import (
	"net/http"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/access"
	"golang.org/x/time/rate"
)

// paces bound how often each named token calls.
type paces struct {
	perSecond int

	mu sync.Mutex // guards of
	of map[access.Digest]*rate.Limiter
}

func newPaces(perSecond int) *paces {
	return &paces{perSecond: perSecond, of: make(map[access.Digest]*rate.Limiter)}
}

// check returns an error for a call too many.
func (p *paces) check(grant *access.Grant) error {
	if grant == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	own, ok := p.of[grant.Digest()]
	if !ok {
		own = rate.NewLimiter(rate.Limit(p.perSecond), p.perSecond) // at most those of a second at once
		p.of[grant.Digest()] = own
	}
	if own.Allow() {
		return nil
	}
	return &refusal{status: http.StatusTooManyRequests, err: &strata.Error{Code: strata.CodeBusy,
		Message: "this token calls too often", Hint: "wait a second between many calls, or save in batches"}}
}
