package engine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// batch are the proposals of one write. Those of a large batch of facts are
// still being prepared, by other processors, while the first are decided.
type batch struct {
	proposals []proposal
	// ready has a channel for each aheadChunk proposals that is closed once they
	// are prepared; nil where all are.
	ready []chan struct{}
	begun int           // chunks of which the first proposal was asked for
	room  chan struct{} // holds one for each chunk that may be prepared
	done  chan struct{} // closed when no more are wanted

	workers sync.WaitGroup
	next    atomic.Int64 // the chunk that is prepared next
}

// aheadChunk is how many candidates are prepared at a time beside a
// transaction, which waits for the first of them.
const aheadChunk = 16

// aheadChunks is how many chunks may be prepared that nothing was asked of yet.
// Further ahead, what was analyzed of a text would be forgotten until it is
// decided, and analyzed again; and all of it would have to be kept.
const aheadChunks = 8

// prepared returns a batch of proposals that are prepared.
func prepared(proposals []proposal) *batch { return &batch{proposals: proposals} }

// at returns a proposal once it is prepared. Where that takes a while the store
// gets on with its work.
func (b *batch) at(ctx context.Context, w store.Writer, i int) (*proposal, error) {
	if b.ready == nil {
		return &b.proposals[i], nil
	}
	n := i / aheadChunk
	if n >= b.begun {
		b.begun = n + 1
		b.room <- struct{}{} // one place for each chunk: it never waits
	}
	select {
	case <-b.ready[n]:
	default:
		if err := w.Spare(ctx); err != nil {
			return nil, err
		}
		<-b.ready[n]
	}
	return &b.proposals[i], nil
}

// stop has no further candidates prepared and waits for those at hand.
func (b *batch) stop() {
	if b.done != nil {
		close(b.done)
	}
	b.workers.Wait()
}

// mayGoOn waits until another chunk may be prepared; false if no more are wanted.
func (b *batch) mayGoOn() bool {
	select {
	case <-b.done:
		return false
	default:
	}
	select {
	case <-b.room:
		return true
	case <-b.done:
		return false
	}
}

// canPrepareAhead reports whether candidates may be prepared beside the
// transaction that decides them: nothing but facts, and no embedder that could
// keep the transaction waiting.
func (e *Engine) canPrepareAhead(cs []strata.Candidate) bool {
	if len(cs) < 4*aheadChunk || runtime.GOMAXPROCS(0) < 2 {
		return false
	}
	for _, c := range cs {
		if c.Path != "" {
			return false
		}
	}
	return e.models.InProcess()
}

// prepareAhead begins to prepare candidates. The caller stops the batch.
func (e *Engine) prepareAhead(ctx context.Context, cs []strata.Candidate) (*batch, error) {
	if err := checkBatch(len(cs)); err != nil {
		return nil, err
	}
	for i, c := range cs { // what is wrong is told before anything begins
		if err := c.Validate(); err != nil {
			return nil, inBatch(err, i, len(cs))
		}
	}
	chunks := (len(cs) + aheadChunk - 1) / aheadChunk
	b := &batch{
		proposals: make([]proposal, len(cs)), ready: make([]chan struct{}, chunks),
		room: make(chan struct{}, aheadChunks+chunks), done: make(chan struct{}),
	}
	for i := range b.ready {
		b.ready[i] = make(chan struct{})
	}
	for range aheadChunks {
		b.room <- struct{}{}
	}
	// One processor is left to the transaction: it is what all wait for.
	for range min(runtime.GOMAXPROCS(0)-1, len(b.ready)) {
		b.workers.Go(func() {
			for b.mayGoOn() {
				n := int(b.next.Add(1) - 1)
				if n >= len(b.ready) {
					return
				}
				from := n * aheadChunk
				to := min(from+aheadChunk, len(cs))
				e.prepareChunk(ctx, cs[from:to], b.proposals[from:to], len(cs))
				close(b.ready[n])
			}
		})
	}
	return b, nil
}

// prepareChunk prepares a part of a batch of n valid candidates about facts.
func (e *Engine) prepareChunk(ctx context.Context, cs []strata.Candidate, out []proposal, n int) {
	for i := range cs {
		out[i] = proposeFact(cs[i])
		out[i].batch = n
	}
	e.embedProposals(ctx, out, nil)
}
