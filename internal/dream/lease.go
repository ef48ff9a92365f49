package dream

import (
	"context"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

const (
	leaseName = "dream"
	// leaseTime is how long a process that was killed prevents others from dreaming.
	leaseTime = time.Minute
	// heartbeat is how often the lease is extended.
	heartbeat = leaseTime / 3
)

// errLost means that another process took the lease, because this one was suspended for
// longer than leaseTime.
var errLost = &strata.Error{Code: strata.CodeConflict, Op: "dream", Message: "another process took the dream over", Hint: "it does what is to do"}

func orLost(err error) error {
	if err != nil {
		return err
	}
	return errLost
}

// hold calls fn while holding the lease of a scope, and reports whether it got the lease.
// The context of fn is canceled when the lease is lost.
func (d *Dreamer) hold(ctx context.Context, scope strata.Scope, fn func(context.Context, store.Lease) error) (held bool, err error) {
	l := store.Lease{Scope: scope, Name: leaseName, Owner: d.o.IDs.New("lease", d.o.Now())}
	if held, err = d.take(ctx, l); err != nil || !held {
		return false, err
	}
	working, stop := context.WithCancelCause(ctx)
	var beating sync.WaitGroup
	beating.Go(func() { d.beat(working, l, stop) })
	err = fn(working, l)
	if cause := context.Cause(working); err != nil && cause != nil {
		err = cause
	}
	stop(nil)
	beating.Wait()
	if err != nil {
		d.release(ctx, l)
	}
	return true, err
}

// take acquires or extends the lease.
func (d *Dreamer) take(ctx context.Context, l store.Lease) (taken bool, err error) {
	err = d.o.Store.Update(ctx, func(w store.Writer) error {
		l.Until = w.Now().Add(leaseTime)
		taken, err = w.TakeLease(ctx, l)
		return err
	})
	return taken, err
}

// beat extends the lease until ctx is done, and calls lost when another process has it.
func (d *Dreamer) beat(ctx context.Context, l store.Lease, lost context.CancelCauseFunc) {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if taken, err := d.take(ctx, l); err == nil && !taken {
			lost(errLost)
			return
		}
	}
}

// release releases the lease after a dream that failed or was canceled.
func (d *Dreamer) release(ctx context.Context, l store.Lease) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), heartbeat)
	defer cancel()
	err := d.o.Store.Update(ctx, func(w store.Writer) error { return w.ReleaseLease(ctx, l) })
	if err != nil {
		d.o.Logger.Debug("a lease is not given back, it ends by itself", "scope", l.Scope.Key(), "error", err)
	}
}

// underWay reports whether any process is running a dream of a scope.
func (d *Dreamer) underWay(ctx context.Context, r store.Reader, scope strata.Scope) (bool, error) {
	l, err := r.Lease(ctx, scope, leaseName)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return false, nil
	}
	now := d.o.Now()
	return err == nil && l.Until.After(now) && !l.Until.After(now.Add(2*leaseTime)), err
}
