package engine

import (
	"context"
	"time"
)

// ticker calls a function now and then, until it is closed. The zero value never does.
type ticker struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// start begins to call fn, for the first time after one period.
func (t *ticker) start(every time.Duration, fn func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel, t.done = cancel, make(chan struct{})
	go func() {
		defer close(t.done)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				fn(ctx)
			}
		}
	}()
}

// close stops the calls, and waits for one that is under way.
func (t *ticker) close() {
	if t.cancel != nil {
		t.cancel()
		<-t.done
	}
}
