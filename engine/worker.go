package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/strata-memory/strata/embedding"
	"github.com/strata-memory/strata/extract/queue"
)

// Bounds of the pause after a failed run: it doubles from the first to the last.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = time.Minute
)

// worker runs one job in the background whenever it is woken. What the job
// has to do stands in the store, so that nothing is lost with the process; a
// wake-up while the job runs leads to one more run. A job that fails is run
// again after a pause that doubles up to a minute.
type worker struct {
	name string
	job  func(context.Context) error
	log  *slog.Logger
	// rest says how long to wait after a run that took so long. Nil lets the worker go
	// on at once.
	rest func(run time.Duration) time.Duration

	cancel context.CancelFunc
	done   chan struct{}
	signal chan struct{} // capacity 1: a wake-up that is not yet served

	running chan struct{} // holds a token while the job runs, in the goroutine or in drain
}

func startWorker(log *slog.Logger, name string, job func(context.Context) error) *worker {
	return startResting(log, name, nil, job)
}

// startResting starts a worker that rests after each run. What it is woken for
// meanwhile it does in one run.
func startResting(log *slog.Logger, name string, rest func(time.Duration) time.Duration, job func(context.Context) error) *worker {
	ctx, cancel := context.WithCancel(context.Background())
	w := &worker{
		name: name, job: job, log: log, rest: rest,
		cancel: cancel, done: make(chan struct{}), signal: make(chan struct{}, 1), running: make(chan struct{}, 1),
	}
	go w.loop(ctx)
	return w
}

// wake asks for a run. It never blocks.
func (w *worker) wake() {
	select {
	case w.signal <- struct{}{}:
	default:
	}
}

// drain runs the job in the caller's goroutine until nothing is left, and
// returns its error.
func (w *worker) drain(ctx context.Context) error { return w.drainWith(ctx, w.job) }

// drainWith is drain with another job, while which the worker's own does not run.
func (w *worker) drainWith(ctx context.Context, job func(context.Context) error) error {
	select {
	case w.running <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.running }()
	return job(ctx)
}

// close stops the worker and waits for it. A run under way is canceled.
func (w *worker) close() {
	w.cancel()
	<-w.done
}

func (w *worker) loop(ctx context.Context) {
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
		err := w.drain(ctx)
		w.pause(ctx, time.Since(begun))
		if err == nil || ctx.Err() != nil {
			pause = firstPause
			continue
		}
		level := slog.LevelWarn
		if errors.Is(err, embedding.ErrElsewhere) || errors.Is(err, queue.ErrLater) {
			level = slog.LevelDebug
		}
		w.log.Log(ctx, level, "background work failed; it will be tried again", "work", w.name, "pause", pause, "error", err)
		retry.Reset(pause)
		pause = min(2*pause, lastPause)
	}
}

// pause rests after a run.
func (w *worker) pause(ctx context.Context, run time.Duration) {
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
