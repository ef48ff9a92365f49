package queue

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// defaultLease is how long a session is left to the worker that reads it. It is
	// renewed four times as often, so that one that is late three times keeps it.
	defaultLease = 2 * time.Minute
	// mostAttempts is after how many failures a session is given up, some 15 minutes
	// after the first.
	mostAttempts = 5
	// firstPause follows the first failure, and doubles up to lastPause.
	firstPause, lastPause = time.Minute, time.Hour
	// partLimit bounds the reading of one part, whatever the model's own limits are: a
	// model that hangs must not hold its lease for ever.
	partLimit = 10 * time.Minute
	// errorChars is how much of an error is kept, in characters.
	errorChars = 300
)

// ErrLater says that sessions wait, for the time of another attempt or for a worker of
// another process that may have been killed.
var ErrLater = worker.Later("sessions wait for their facts until another attempt")

// errLost says that another worker reads the session.
var errLost = errors.New("the lease ran out, and another worker reads the session")

// Due reports whether sessions wait for an extractor whose time has come.
func (q *Queue) Due(ctx context.Context, by store.Extractor) (bool, error) {
	list, err := q.list(ctx, store.ExtractionFilter{Extractor: by, Due: true, Limit: 1})
	return len(list) > 0, err
}

// later returns [ErrLater] if sessions wait for an extractor that failed with them, or
// that another worker has. Those that wait for their quiet do not count: they are looked
// for now and then.
func (q *Queue) later(ctx context.Context, by store.Extractor) error {
	list, err := q.list(ctx, store.ExtractionFilter{Extractor: by, Limit: mostDrained})
	if err == nil && slices.ContainsFunc(list, func(x store.Extraction) bool { return x.Attempts > 0 || x.Owner != "" }) {
		return ErrLater
	}
	return err
}

// Waits reports whether there is work for the background: sessions whose time has come,
// or that are to be tried again.
func (q *Queue) Waits(ctx context.Context, by store.Extractor) (bool, error) {
	if due, err := q.Due(ctx, by); err != nil || due {
		return due, err
	}
	err := q.later(ctx, by)
	if errors.Is(err, ErrLater) {
		return true, nil
	}
	return false, err
}

// claim takes the next session that waits for the model, or only the one that is given;
// not_found if there is none.
func (q *Queue) claim(ctx context.Context, only *store.Extraction) (x store.Extraction, err error) {
	c := store.ExtractionClaim{Extractor: store.ByModel, Owner: rand.Text(), Lease: q.lease, Only: only}
	err = q.store.Update(ctx, func(w store.Writer) (err error) {
		x, err = w.ClaimExtraction(ctx, c)
		return err
	})
	return x, err
}

// renew extends the lease of a session; errLost if another has it.
func (q *Queue) renew(ctx context.Context, x store.Extraction) error {
	err := q.store.Update(ctx, func(w store.Writer) error { return w.HoldExtraction(ctx, x, q.lease) })
	if strata.CodeOf(err) == strata.CodeConflict {
		return errLost
	}
	return err
}

// hold renews the lease of a session in the background until stop is called. Once it is
// lost the context it returns ends, with errLost as its cause.
func (q *Queue) hold(ctx context.Context, x store.Extraction) (held context.Context, stop func()) {
	held, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		beat := time.NewTicker(q.lease / 4)
		defer beat.Stop()
		for {
			select {
			case <-held.Done():
				return
			case <-beat.C:
			}
			if err := q.renew(held, x); errors.Is(err, errLost) {
				cancel(errLost)
				return
			} else if err != nil && held.Err() == nil {
				q.log.Warn("a lease could not be renewed", "session", x.Session, "error", err)
			}
		}
	}()
	return held, func() {
		cancel(nil)
		<-done
	}
}

// release gives a session back as it is, with what kept it from being read.
func (q *Queue) release(ctx context.Context, x store.Extraction, cause error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	x.LastError = reason(cause)
	err := q.store.Update(ctx, func(w store.Writer) error { return w.ReleaseExtraction(ctx, x) })
	if err != nil && strata.CodeOf(err) != strata.CodeConflict {
		q.log.Warn("a lease was not given back; it runs out", "session", x.Session, "error", err)
	}
}

// fail records that an attempt failed: after a pause that doubles another follows, or
// the session is given up. A worker that lost its lease records nothing.
func (q *Queue) fail(ctx context.Context, x store.Extraction, cause error) error {
	err := q.store.Update(ctx, func(w store.Writer) error {
		x := x
		x.Attempts++
		x.LastError = reason(cause)
		x.RetryAt = w.Now().Add(min(firstPause<<min(x.Attempts-1, 10), lastPause))
		if x.Attempts >= mostAttempts {
			at := w.Now()
			x.DeadAt = &at
		}
		if err := w.ReleaseExtraction(ctx, x); err != nil {
			return err
		}
		next := "it is tried again"
		if x.DeadAt != nil {
			next = "it is given up"
		}
		return w.AppendEvent(ctx, strata.Event{
			Kind: strata.EventExtractionFailed, Scope: x.Scope, Ref: x.Session,
			Detail: fmt.Sprintf("%s: attempt %d of %d after turn %d failed (%s); %s", x.Extractor, x.Attempts, mostAttempts, x.After, strata.CodeOf(cause), next),
		})
	})
	if strata.CodeOf(err) == strata.CodeConflict {
		return nil
	}
	if err == nil {
		q.log.Warn("facts could not be extracted", "session", x.Session, "by", x.Extractor, "after", x.After, "attempt", x.Attempts+1, "error", cause)
	}
	return err
}

// reason is what is kept of an error: a model may have repeated what it was given.
func reason(cause error) string {
	if cause == nil {
		return ""
	}
	clean, _ := secrets.Redact(text.Clip(cause.Error(), errorChars))
	return clean
}

// unanswered is the error of a server that does not answer now. It says nothing of the
// session that was to be read.
type unanswered struct{ error }

func (u unanswered) Unwrap() error { return u.error }

// passing reports whether an error will be over without the session being read in
// another way: it is no failure of an attempt.
func passing(err error) bool {
	var down unanswered
	if errors.As(err, &down) {
		return true
	}
	switch strata.CodeOf(err) {
	case strata.CodeBusy, strata.CodeFull, strata.CodeReadOnly, strata.CodeUnavailable, strata.CodeDenied:
		return !errors.Is(err, context.DeadlineExceeded)
	}
	return false
}
