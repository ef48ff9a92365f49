package sqlite

import (
	"context"
	"slices"
	"sync"
)

// commitQueue lets one function write at a time, and lets functions that arrive
// while others write share their transaction (a [commitGroup]), because a durable
// commit costs far more than most functions do.
//
// It has no goroutine of its own. The lead passes from caller to caller: the first
// begins a transaction and runs its function; while others wait, each runs its
// function in the same transaction and passes the lead on; the last commits for all
// and lets the next group begin. A lone function waits for nobody. Each function
// runs in the goroutine of its caller, so that a panic unwinds the caller's stack.
type commitQueue struct {
	mu      sync.Mutex          // guards the fields below
	led     bool                // whether a caller has the lead
	waiting []chan *commitGroup // callers waiting for the lead, in order; capacity 1
}

// wait returns when the caller has the lead: with a group to join, or with nil if
// the caller is to begin one. It returns an error if ctx ends first.
func (q *commitQueue) wait(ctx context.Context) (*commitGroup, error) {
	q.mu.Lock()
	if !q.led {
		q.led = true
		q.mu.Unlock()
		return nil, nil
	}
	lead := make(chan *commitGroup, 1)
	q.waiting = append(q.waiting, lead)
	q.mu.Unlock()
	select {
	case g := <-lead:
		return g, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	i := slices.Index(q.waiting, lead)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	q.mu.Unlock()
	if i >= 0 {
		return nil, ctx.Err()
	}
	return <-lead, nil // the lead was already on its way: take it
}

// tryLead takes the lead if nobody has it, and reports whether it did.
func (q *commitQueue) tryLead() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.led {
		return false
	}
	q.led = true
	return true
}

// join passes the lead to the next in the queue, to run in group g. If nobody waits,
// it reports false: the caller keeps the lead and must commit the group.
func (q *commitQueue) join(g *commitGroup) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next(g)
}

// leave passes the lead to the next in the queue, to begin a group of its own.
func (q *commitQueue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.led = q.next(nil)
}

// next passes the lead to the next in the queue, if any. The caller holds mu.
func (q *commitQueue) next(g *commitGroup) bool {
	if len(q.waiting) == 0 {
		return false
	}
	q.waiting[0] <- g
	q.waiting = q.waiting[1:]
	return true
}

// busy reports whether anyone is writing or waiting to write.
func (q *commitQueue) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.led
}
