package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/strata-memory/strata"
)

// GuardOptions bound what a call to a model may cost the caller. The zero value suits
// local servers and most others.
type GuardOptions struct {
	// Limit bounds a whole call, including retries, waits and the streamed answer. 0
	// means 10 minutes.
	Limit time.Duration
	// Start bounds the silence before the first part of an answer, and a whole
	// embedding request, which has no parts. A local server may have to load
	// the model and read a long prompt first. 0 means 5 minutes.
	Start time.Duration
	// Idle bounds the silence between two parts. 0 means 2 minutes.
	Idle time.Duration
	// Attempts is how often a request that the server did not process is tried in all; 0
	// means 3, 1 means no retry.
	Attempts int
	// Pause is the wait before the second attempt; it doubles with each further one. 0
	// means 500 ms. If the server names a wait, that is used instead.
	Pause time.Duration
	// MaxPause bounds one wait. If a server asks for more, there is no further attempt. 0
	// means 20 s.
	MaxPause time.Duration
	// Failures is how many calls in a row must fail before calls are suspended; 0 means
	// 3.
	Failures int
	// Cooldown is how long calls are then suspended. 0 means 30 s.
	Cooldown time.Duration
	// Now is the clock of the breaker; nil means time.Now.
	Now func() time.Time
	// Wait waits for d or until ctx ends, and then returns the error of ctx; nil means a
	// timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// withDefaults returns a copy in which nothing is zero. Negative values count
// as zero.
func (o GuardOptions) withDefaults() GuardOptions {
	for _, d := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{
		{&o.Limit, 10 * time.Minute},
		{&o.Start, 5 * time.Minute},
		{&o.Idle, 2 * time.Minute},
		{&o.Pause, 500 * time.Millisecond},
		{&o.MaxPause, 20 * time.Second},
		{&o.Cooldown, 30 * time.Second},
	} {
		if *d.value <= 0 {
			*d.value = d.fallback
		}
	}
	if o.Attempts <= 0 {
		o.Attempts = 3
	}
	if o.Failures <= 0 {
		o.Failures = 3
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = sleep
	}
	return o
}

// fairWait is how long a server must have been silent before a deadline of the caller
// counts as its failure. An earlier deadline says nothing about the server. A caller that
// gives up after seconds, as a write does, must be able to open the breaker.
const fairWait = time.Second

// guard makes calls to one model within the limits of its options.
type guard struct {
	model   string
	o       GuardOptions
	breaker breaker
}

func newGuard(model string, o GuardOptions) *guard {
	o = o.withDefaults()
	return &guard{model: model, o: o, breaker: breaker{limit: o.Failures, cooldown: o.Cooldown, now: o.Now}}
}

// attempt makes one request. It calls beat for each sign of life of the server, with a
// function that delivers it (nil for nothing).
type attempt func(ctx context.Context, beat func(deliver func() error) error) error

// run makes a call: it asks the breaker, tries, retries if that is safe, and reports to
// the breaker.
func (g *guard) run(ctx context.Context, op string, try attempt) error {
	if ctx.Err() != nil {
		return canceled(ctx, op)
	}
	probe, err := g.breaker.enter(op, g.model)
	if err != nil {
		return err
	}
	attempts := g.o.Attempts
	if probe {
		attempts = 1 // one call tests whether the server is back
	}
	o := unknown // in case the adapter or the watcher panics
	defer func() { g.breaker.leave(probe, o, err) }()
	o, err = g.tryUpTo(ctx, op, attempts, try)
	return err
}

// tryUpTo makes up to n attempts and returns the outcome of the last one.
func (g *guard) tryUpTo(ctx context.Context, op string, n int, try attempt) (outcome, error) {
	limited, stop := context.WithTimeoutCause(ctx, g.o.Limit, overdue{what: "no end of the answer", after: g.o.Limit})
	defer stop()
	for i := 1; ; i++ {
		streamed, o, err := g.once(ctx, limited, op, try)
		after, safe := refusedAfter(err)
		if err == nil || streamed || !safe || i >= n {
			return o, err
		}
		pause := g.pause(i, after)
		if after > g.o.MaxPause || overruns(limited, pause) {
			return o, err
		}
		if g.o.Wait(limited, pause) != nil {
			if ctx.Err() != nil {
				return unknown, canceled(ctx, op)
			}
			return o, err
		}
	}
}

// once makes one attempt. streamed says that the server gave a sign of life.
func (g *guard) once(caller, limited context.Context, op string, try attempt) (streamed bool, o outcome, err error) {
	ctx, cut := context.WithCancelCause(limited)
	defer cut(nil)
	begin := time.Now()
	silence := time.AfterFunc(g.o.Start, func() { cut(overdue{what: "no answer", after: g.o.Start}) })
	defer silence.Stop()
	idle := overdue{what: "silence in the middle of the answer", after: g.o.Idle}

	var refusal error // error from the watcher of the parts
	err = try(ctx, func(deliver func() error) error {
		silence.Stop() // the watcher's time does not count as the server's
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		streamed = true
		if deliver != nil {
			if refusal = deliver(); refusal != nil {
				return refusal
			}
		}
		silence = time.AfterFunc(g.o.Idle, func() { cut(idle) })
		return nil
	})
	silence.Stop()

	var late overdue
	switch {
	case err == nil:
		return streamed, answered, nil
	case refusal != nil:
		return streamed, unknown, refusal
	case caller.Err() != nil:
		o = unknown
		gaveTime := time.Since(begin) >= fairWait
		if errors.Is(caller.Err(), context.DeadlineExceeded) && !streamed && gaveTime {
			o = failed
		}
		return streamed, o, canceled(caller, op)
	case errors.As(context.Cause(ctx), &late):
		return streamed, failed, &strata.Error{
			Code: strata.CodeUnavailable, Op: op,
			Message: fmt.Sprintf("model %s: %s", g.model, late.Error()),
			Hint:    "its server hangs or is too slow; look at its log, or allow more time", Err: late,
		}
	}
	return streamed, judge(err), err
}

// judge returns what a server's error means for the breaker: rejecting a request that it
// could read is not a failure of the server.
func judge(err error) outcome {
	switch strata.CodeOf(err) {
	case strata.CodeUnavailable, strata.CodeCorrupt, strata.CodeInternal:
		return failed
	case strata.CodeCanceled:
		return unknown
	}
	return answered
}

// pause returns the wait after attempt i: what the server asked for, or a random time
// between half and all of a doubling pause, so that clients rejected together do not
// return together.
func (g *guard) pause(i int, after time.Duration) time.Duration {
	if after > 0 {
		return after
	}
	d := g.o.Pause
	for ; i > 1 && d < g.o.MaxPause; i-- {
		d *= 2
	}
	d = min(d, g.o.MaxPause)
	return d/2 + rand.N(d/2+1)
}

// overruns reports whether a wait of d would end after the deadline of ctx.
func overruns(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= d
}

// overdue is the cause of a call that was cut off for taking too long.
type overdue struct {
	what  string
	after time.Duration
}

// Is makes an overdue call match context.DeadlineExceeded.
func (o overdue) Is(target error) bool { return target == context.DeadlineExceeded }

func (o overdue) Error() string { return fmt.Sprintf("%s for %s", o.what, o.after) }

// canceled returns the error of a call whose caller gave up.
func canceled(ctx context.Context, op string) error {
	text := "canceled"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		text = "the time allowed by the caller ran out"
	}
	return &strata.Error{Code: strata.CodeCanceled, Op: op, Message: text, Err: ctx.Err()}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
