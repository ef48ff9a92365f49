// Package worker runs jobs in the background.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Bounds of the pause after a failed run, which doubles from the first to the last.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = time.Minute
)

// Later is an error for a job that left work for another time although nothing went
// wrong.
type Later string

// Error says what was left.
func (l Later) Error() string { return string(l) }

// Worker runs one job in the background whenever it is woken. The work to do is in the
// store, so that nothing is lost with the process. A wake-up during a run leads to one
// more run. A job that fails runs again after a pause that doubles up to a minute. A nil
// Worker runs nothing.
type Worker struct {
	name string
	job  func(context.Context) error
	log  *slog.Logger
	rest func(run time.Duration) time.Duration // nil: no rest

	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // nil until started
	signal chan struct{} // capacity 1: a pending wake-up

	running chan struct{} // holds a token while the job runs, in the goroutine or in DrainWith
}

// New returns a worker that is not started. A wake-up before Start takes effect after it.
func New(log *slog.Logger, name string, job func(context.Context) error) *Worker {
	return Resting(log, name, nil, job)
}

// Resting is like New, for a worker that rests after each run. rest returns how long,
// given how long the run took. All wake-ups during a rest lead to a single run.
func Resting(log *slog.Logger, name string, rest func(run time.Duration) time.Duration, job func(context.Context) error) *Worker {
	w := &Worker{name: name, job: job, log: log, rest: rest, signal: make(chan struct{}, 1), running: make(chan struct{}, 1)}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

// Start makes the worker run until it is closed, and returns it.
func (w *Worker) Start() *Worker {
	w.done = make(chan struct{})
	go w.loop(w.ctx)
	return w
}

// Wake asks for a run. It never blocks.
func (w *Worker) Wake() {
	if w == nil {
		return
	}
	select {
	case w.signal <- struct{}{}:
	default:
	}
}

// Run runs the job once, in the caller's goroutine. A job passed to [Worker.DrainWith]
// may call it.
func (w *Worker) Run(ctx context.Context) error { return w.job(ctx) }

// Drain runs the job in the caller's goroutine until nothing is left, and
// returns its error.
func (w *Worker) Drain(ctx context.Context) error { return w.DrainWith(ctx, w.job) }

// DrainWith runs another job in the caller's goroutine. Meanwhile the worker's own job
// does not run.
func (w *Worker) DrainWith(ctx context.Context, job func(context.Context) error) error {
	if w == nil {
		return job(ctx)
	}
	select {
	case w.running <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.running }()
	return job(ctx)
}

// Close stops the worker and waits for it. It cancels a run in progress.
func (w *Worker) Close() {
	w.cancel()
	if w.done != nil {
		<-w.done
	}
}

func (w *Worker) loop(ctx context.Context) {
	defer close(w.done)
	pause := firstPause
	retry := time.NewTimer(0)
	defer retry.Stop()
	<-retry.C
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.signal:
		case <-retry.C:
		}
		begun := time.Now()
		err := w.Drain(ctx)
		w.pause(ctx, time.Since(begun))
		if err == nil || ctx.Err() != nil {
			pause = firstPause
			continue
		}
		level := slog.LevelWarn
		if later := Later(""); errors.As(err, &later) {
			level = slog.LevelDebug
		}
		w.log.Log(ctx, level, "background work failed; it will be tried again", "work", w.name, "pause", pause, "error", err)
		retry.Reset(pause)
		pause = min(2*pause, lastPause)
	}
}

// pause rests after a run.
func (w *Worker) pause(ctx context.Context, run time.Duration) {
	if w.rest == nil {
		return
	}
	timer := time.NewTimer(w.rest(run))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
