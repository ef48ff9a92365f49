package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
)

// Writes that come while another is decided join the next one: they are decided
// one after the other in one transaction, as a batch is, which reads what all of
// them need once and stores the rows of all together. The store would let them
// share a transaction too, but each would pay for all of that itself.
//
// There is no goroutine of its own. The first decides for itself; when it is
// done, the first of those that wait decides for all of them. Where that fails,
// whoever's fault it is, each goes on alone.
//
// Without a pause groups would alternate: while one decides alone all others
// come to wait, and while those are decided only that one comes back. So who
// leads gives as many as wrote lately a moment to come. One writer alone never
// waits.
type joiner struct {
	mu      sync.Mutex // guards the fields below
	leading bool       // somebody decides
	waiting []*joined  // who waits, in order
	writers int        // how many were there when the last group was decided

	came chan struct{} // capacity 1: somebody began to wait
}

func newJoiner() *joiner { return &joiner{came: make(chan struct{}, 1)} }

// joined is a write that may be decided by another.
type joined struct {
	batch     *batch
	decisions []strata.Decision
	err       error
	told      chan verdict // capacity 1
}

// verdict is what a write that waited is told.
type verdict int

const (
	isDecided verdict = iota // it is decided and durable, or failed with all others
	goesAlone                // it is to go on alone
	leads                    // it is to decide for all that wait
)

// joinMost is how many candidates are decided together at most, and how many a
// write has at most to join.
const (
	joinMost  = 128
	joinBatch = vectorBatch
	// joinPause is how long who leads waits for others that wrote lately. To
	// decide and store eight facts takes several times as long.
	joinPause = time.Millisecond
)

// decideTogether is commit for a batch that may be decided together with others.
func (e *Engine) decideTogether(ctx context.Context, b *batch) ([]strata.Decision, error) {
	if b.ready != nil || len(b.proposals) > joinBatch {
		return e.commit(ctx, b)
	}
	j := &joined{batch: b, told: make(chan verdict, 1)}
	told, err := e.joiner.enter(ctx, j)
	switch {
	case err != nil:
		return nil, err
	case told == isDecided:
		return j.decisions, j.err
	case told == goesAlone:
		return e.commit(ctx, b)
	}
	return e.lead(ctx, j)
}

// lead decides for a write and for those that wait.
func (e *Engine) lead(ctx context.Context, own *joined) ([]strata.Decision, error) {
	e.joiner.await(ctx)
	group := append([]*joined{own}, e.joiner.gather(len(own.batch.proposals))...)
	if len(group) > 1 {
		ctx = context.WithoutCancel(ctx) // the others must not be canceled with it
	}
	if e.decideGroup(ctx, group) == goesAlone {
		return e.commit(ctx, own.batch)
	}
	return own.decisions, own.err
}

// decideGroup decides for a group of writes and tells all but the first, also
// where a decision panics.
func (e *Engine) decideGroup(ctx context.Context, group []*joined) (told verdict) {
	told = goesAlone
	defer func() { e.joiner.release(group[1:], told) }()
	batches := make([]*batch, len(group))
	for i, j := range group {
		batches[i] = j.batch
	}
	decided, err := e.commitAll(ctx, batches)
	// Where another process holds the store, each would wait as long again.
	if err != nil && len(group) > 1 && strata.CodeOf(err) != strata.CodeBusy {
		return goesAlone
	}
	for i, j := range group {
		if j.err = err; err == nil {
			j.decisions = decided[i]
		}
	}
	return isDecided
}

// enter returns when a write is to lead, is decided, or is to go on alone. A
// context that ends while nobody decides for the write takes it out.
func (q *joiner) enter(ctx context.Context, j *joined) (verdict, error) {
	q.mu.Lock()
	if !q.leading {
		q.leading = true
		q.mu.Unlock()
		return leads, nil
	}
	q.waiting = append(q.waiting, j)
	q.mu.Unlock()
	select {
	case q.came <- struct{}{}:
	default:
	}
	select {
	case told := <-j.told:
		return told, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	i := slices.Index(q.waiting, j)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	q.mu.Unlock()
	if i >= 0 {
		return 0, ctx.Err()
	}
	return <-j.told, nil // it is being decided, or is to lead
}

// await returns once as many wait as wrote lately, or after a pause.
func (q *joiner) await(ctx context.Context) {
	if q.complete() {
		return
	}
	pause := time.NewTimer(joinPause)
	defer pause.Stop()
	for !q.complete() {
		select {
		case <-q.came:
		case <-pause.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// complete reports whether as many wait, beside who leads, as wrote lately.
func (q *joiner) complete() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)+1 >= q.writers
}

// gather takes those that wait, as long as there is room beside so many
// candidates.
func (q *joiner) gather(candidates int) []*joined {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for ; n < len(q.waiting); n++ {
		if candidates += len(q.waiting[n].batch.proposals); candidates > joinMost {
			break
		}
	}
	taken := slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return taken
}

// release tells those that were taken what became of them, and has the first of
// those that came meanwhile lead.
func (q *joiner) release(taken []*joined, told verdict) {
	for _, j := range taken {
		j.told <- told
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.writers = 1 + len(taken) + len(q.waiting)
	if len(q.waiting) == 0 {
		q.leading = false
		return
	}
	next := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	next.told <- leads
}
