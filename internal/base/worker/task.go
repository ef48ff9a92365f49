package worker

import (
	"context"
	"time"
)

// Task is a function that is called periodically. The zero value never calls any.
type Task struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// Start calls fn periodically, for the first time after one period. It must be called
// only once.
func (t *Task) Start(every time.Duration, fn func(context.Context)) {
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

// Close stops the calls, cancels the context of a running one, and waits for it.
func (t *Task) Close() {
	if t.cancel != nil {
		t.cancel()
		<-t.done
	}
}
