package sqlite

import (
	"context"
	"slices"
	"sync"
)

// commitQueue lets one function at a time write, and lets functions that come
// while others write share their transaction (a [commitGroup]), because a
// durable commit costs far more than most functions do.
//
// There is no goroutine of its own. The lead goes from caller to caller: the
// first begins a transaction and runs its function; as long as others wait,
// each runs its own inside the same transaction and hands the lead on; the
// last commits for all and lets the next group begin. A function alone waits
// for nobody. Each runs in the goroutine of its caller, so that a panic takes
// its natural way.
type commitQueue struct {
	mu      sync.Mutex          // guards the fields below
	led     bool                // somebody leads
	waiting []chan *commitGroup // of those that wait to lead, in order; capacity 1
}

// wait returns when the caller leads: with a group to join, or with nil when it
// is to begin one. A context that ends before takes the caller out of the queue.
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
	return <-lead, nil // it was on its way: go on
}

// tryLead makes the caller lead, if nobody does.
func (q *commitQueue) tryLead() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.led {
		return false
	}
	q.led = true
	return true
}

// join hands the lead to the next in the queue, to run in a group. It reports
// false, and the caller leads on, if nobody waits: then the group is to be
// committed.
func (q *commitQueue) join(g *commitGroup) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next(g)
}

// leave hands the lead to the next in the queue, to begin a group of its own.
func (q *commitQueue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.led = q.next(nil)
}

// next hands the lead to the next in the queue, if there is one. The caller holds mu.
func (q *commitQueue) next(g *commitGroup) bool {
	if len(q.waiting) == 0 {
		return false
	}
	q.waiting[0] <- g
	q.waiting = q.waiting[1:]
	return true
}

// busy reports whether anybody writes or waits to.
func (q *commitQueue) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.led
}
