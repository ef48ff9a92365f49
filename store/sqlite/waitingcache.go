package sqlite

import (
	"sync"
	"sync/atomic"
)

// maxWaitingScopes bounds the scopes of which the terms that wait are kept, some
// 50 KB each. What was not used for longest goes first.
const maxWaitingScopes = 32

// waitingCache keeps the terms that wait, of the scopes that were searched last,
// so that a search reads only what changed since. Every change of a passage has a
// number, and a removal leaves a record: a reader sees at once whether what is
// kept is what its transaction sees.
type waitingCache struct {
	mu     sync.Mutex
	scopes map[int64]*cachedWaiting
	turn   int64 // counts the uses
}

// cachedWaiting is what is kept of one scope.
type cachedWaiting struct {
	set atomic.Pointer[waitingTerms]

	mu sync.Mutex // held while it catches up

	used int64 // the turn of the last use
}

// scope returns the place where the terms of a scope are kept.
func (wc *waitingCache) scope(no int64) *cachedWaiting {
	wc.mu.Lock()
	defer wc.mu.Unlock()
	c := wc.scopes[no]
	if c == nil {
		if wc.scopes == nil {
			wc.scopes = make(map[int64]*cachedWaiting)
		}
		if len(wc.scopes) >= maxWaitingScopes {
			delete(wc.scopes, wc.oldest())
		}
		c = new(cachedWaiting)
		wc.scopes[no] = c
	}
	wc.turn++
	c.used = wc.turn
	return c
}

// oldest is the scope that was not used for longest.
func (wc *waitingCache) oldest() (no int64) {
	var first *cachedWaiting
	for n, c := range wc.scopes {
		if first == nil || c.used < first.used {
			no, first = n, c
		}
	}
	return no
}

// drop gives up all that is kept.
func (wc *waitingCache) drop() {
	wc.mu.Lock()
	defer wc.mu.Unlock()
	wc.scopes = nil
}
