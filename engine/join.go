package engine

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
)

// Writes that come while another is decided join it: they are decided one after
// the other in one transaction, as a batch is, which reads what all of them need
// once and stores the rows of all together. The store would let them share a
// transaction too, but each would pay for all of that itself.
//
// There is no goroutine of its own. The first decides for itself, then for those
// that have come, until nobody waits; while it commits, others come to wait, of
// which the first leads next. Where that fails, whoever's fault it is, each goes
// on alone.
//
// Without a pause groups would alternate: while one is committed all others come
// to wait, and while those are decided only those of that one come back. So who
// leads gives as many as wrote lately a moment to come, those that have come
// being decided meanwhile. One writer alone never waits.
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
	// joinPause is how long who leads waits for others that wrote lately, once
	// nobody is left to decide for. To decide and store eight facts takes several
	// times as long. The store is held meanwhile.
	joinPause = 400 * time.Microsecond
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

// lead decides for a write, for those that wait, and for those that come until
// all are decided.
func (e *Engine) lead(ctx context.Context, own *joined) ([]strata.Decision, error) {
	if e.joiner.expects() {
		ctx = context.WithoutCancel(ctx) // the others must not be canceled with it
	}
	told := e.decideGroup(ctx, own)
	// Those it decided for can run now, but only behind it where the other
	// processors are busy, with the garbage collector say: a writer that saves again
	// at once would decide for itself alone, ten milliseconds long.
	runtime.Gosched()
	if told == goesAlone {
		return e.commit(ctx, own.batch)
	}
	return own.decisions, own.err
}

// decideGroup decides for a write and those that join it, and tells these, also
// where a decision panics.
func (e *Engine) decideGroup(ctx context.Context, own *joined) (told verdict) {
	g := &joinedGroup{joiner: e.joiner}
	g.add(own)
	// Where another process holds the store, who waits already waits no longer.
	g.add(g.joiner.gather(g.room())...)
	told = goesAlone
	defer func() { e.joiner.release(g.members[1:], told) }()
	decided, err := e.commitAll(ctx, g.batches(ctx))
	// Where another process holds the store, each would wait as long again.
	if err != nil && len(g.members) > 1 && strata.CodeOf(err) != strata.CodeBusy {
		return goesAlone
	}
	for i, j := range g.members {
		if j.err = err; err == nil {
			j.decisions = decided[i]
		}
	}
	return isDecided
}

// joinedGroup is the writes that are decided in one transaction.
type joinedGroup struct {
	joiner     *joiner
	members    []*joined // the first leads
	candidates int       // of all of them
	pause      *time.Timer
}

func (g *joinedGroup) add(writes ...*joined) {
	for _, j := range writes {
		g.members = append(g.members, j)
		g.candidates += len(j.batch.proposals)
	}
}

// room is how many candidates more there may be.
func (g *joinedGroup) room() int { return joinMost - g.candidates }

// batches yields what there is to decide: after the members those that came
// meanwhile, as they become members. If none is left but as many wrote lately,
// these are given a moment to come.
func (g *joinedGroup) batches(ctx context.Context) iter.Seq[*batch] {
	return func(yield func(*batch) bool) {
		for decided := 0; ; decided++ {
			if decided == len(g.members) && !g.grow(ctx) || !yield(g.members[decided].batch) {
				return
			}
		}
	}
}

// grow adds the writes that wait, or come in time. It reports false when the
// group is complete.
func (g *joinedGroup) grow(ctx context.Context) bool {
	for {
		if came := g.joiner.gather(g.room()); len(came) > 0 {
			g.add(came...)
			return true
		}
		if g.joiner.complete(len(g.members), g.room()) || !g.await(ctx) {
			return false
		}
	}
}

// await returns when a write has come, or false when the pause is over.
func (g *joinedGroup) await(ctx context.Context) bool {
	if g.pause == nil {
		g.pause = time.NewTimer(joinPause)
	}
	select {
	case <-g.joiner.came:
		return true
	case <-g.pause.C:
	case <-ctx.Done():
	}
	return false
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

// expects reports whether others wrote lately or wait.
func (q *joiner) expects() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.writers > 1 || len(q.waiting) > 0
}

// gather takes those that wait, as long as there is room for so many candidates.
func (q *joiner) gather(room int) []*joined {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for ; n < len(q.waiting); n++ {
		if room -= len(q.waiting[n].batch.proposals); room < 0 {
			break
		}
	}
	taken := slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return taken
}

// complete reports whether a group of so many members has all that wrote lately,
// or no room for the candidates of the first that waits.
func (q *joiner) complete(members, room int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) > 0 {
		return len(q.waiting[0].batch.proposals) > room
	}
	return members >= q.writers
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
