package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/failpoint"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

const (
	// walkLease is for how long a process has the walk for itself. It is
	// renewed with every batch; after a kill the next process takes over.
	walkLease = time.Minute
	// staleBatch is how many vectors of an earlier model are removed in one
	// transaction.
	staleBatch = 2000
	// maxIdle is how often in a row the walk is over and yet not complete.
	maxIdle = 100
	// progressSteps is how often the log tells how far a walk is.
	progressSteps = 10
)

// errElsewhere says that another process makes the vectors of the target. The
// worker looks again later: that process may be gone by then.
var errElsewhere = errors.New("another process is at it")

// errUnfinished says that the target lacks vectors and nobody can tell of what.
var errUnfinished = errors.New("some passages have no vector of it")

// walkInBackground makes the target's vectors unless another process does,
// switches, and removes the vectors of models that came out of use.
func (e *Engine) walkInBackground(ctx context.Context) error {
	defer e.giveBack()
	return writable(e.walk(ctx, true))
}

// walkToTheEnd is the same for a caller who waits: it does not mind who else
// is at it.
func (e *Engine) walkToTheEnd(ctx context.Context) error {
	return writable(e.walks.drainWith(ctx, func(ctx context.Context) error { return e.walk(ctx, false) }))
}

func (e *Engine) walk(ctx context.Context, alone bool) error {
	if err := e.announce(ctx, false); err != nil {
		return err
	}
	st, err := e.lookNow(ctx)
	if err != nil {
		return err
	}
	if emb := e.embedders.of(st.Target); emb != nil {
		w := walker{engine: e, target: st.Target, embedder: emb, alone: alone}
		if err := w.run(ctx); err != nil {
			return err
		}
	}
	return e.dropStale(ctx)
}

// walker makes the vectors of one target.
type walker struct {
	engine   *Engine
	target   store.Model
	embedder llm.Embedder
	alone    bool // holds the lease while it walks
	told     int64
}

// run walks until the target serves or is wanted no more.
func (w *walker) run(ctx context.Context) error {
	for idle := 0; ; {
		st, stretch, err := w.next(ctx)
		if err != nil || st.Target != w.target {
			return err
		}
		w.tell(st)
		if stretch.Through == 0 {
			done, err := w.finish(ctx)
			if err != nil || done {
				return err
			}
			// Writes that came in between are few; a row that waits for a
			// passage which is not there would keep us here for ever.
			if idle++; idle > maxIdle {
				return errUnfinished
			}
			continue
		}
		idle = 0
		err = w.engine.embedSome(ctx, w.target, w.embedder, stretch.Missing, func(tx store.Writer) error {
			if err := w.hold(ctx, tx); err != nil {
				return err
			}
			return tx.Advance(ctx, w.target, stretch)
		})
		if err != nil {
			return err
		}
	}
}

// next reads what comes next, after taking the lease where it is not held.
func (w *walker) next(ctx context.Context) (st store.Embedding, stretch store.Stretch, err error) {
	e := w.engine
	read := func(r store.Reader) error {
		if st, err = e.look(ctx, r); err != nil {
			return err
		}
		stretch, err = r.Stretch(ctx, w.target, embedBatch)
		return err
	}
	if err := e.store.View(ctx, read); err != nil || !w.alone || st.Holder == e.holder {
		return st, stretch, err
	}
	err = e.store.Update(ctx, func(tx store.Writer) error {
		if err := w.hold(ctx, tx); err != nil {
			return err
		}
		return read(tx)
	})
	return st, stretch, err
}

// hold takes or renews the lease.
func (w *walker) hold(ctx context.Context, tx store.Writer) error {
	if !w.alone {
		return nil
	}
	ours, err := tx.LeaseEmbedding(ctx, w.engine.holder, tx.Now().Add(walkLease))
	if err == nil && !ours {
		err = errElsewhere
	}
	return err
}

// giveBack ends the lease, so that another process need not wait for its end.
func (e *Engine) giveBack() {
	if e.known.Load().Holder != e.holder {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), e.opts.EmbedTimeout)
	defer cancel()
	err := e.store.Update(ctx, func(w store.Writer) error {
		_, err := w.LeaseEmbedding(ctx, e.holder, time.Time{})
		return err
	})
	if err == nil {
		_, err = e.lookNow(ctx)
	}
	if err != nil {
		e.opts.Logger.Warn("the lease was not given back; it ends by itself", "error", err)
	}
}

// tell logs how far the walk is, now and then.
func (w *walker) tell(st store.Embedding) {
	step := st.Done * progressSteps / max(1, st.Total)
	if step > w.told {
		w.told = step
		w.engine.opts.Logger.Info("vectors of another model are being made", "model", w.target.Name, "done", st.Done, "total", st.Total)
	}
}

// finish embeds what still waits for the target and has it serve. It reports
// false where a write came in between.
func (w *walker) finish(ctx context.Context) (bool, error) {
	e := w.engine
	if err := e.embedQueue(ctx, w.target, func(int) {}); err != nil {
		return false, err
	}
	var before store.Model
	var switched bool
	err := e.store.Update(ctx, func(tx store.Writer) error {
		st, err := tx.Embedding(ctx)
		if err != nil {
			return err
		}
		before = st.Serving
		if switched, err = tx.SwitchModel(ctx, w.target); err != nil || !switched {
			return err
		}
		failpoint.Hit(failpoint.ModelSwitched)
		return tx.AppendEvent(ctx, strata.Event{Kind: strata.EventModelSwitched, Scope: strata.Global(), At: tx.Now(),
			Detail: fmt.Sprintf("%s serves in place of %s", w.target.Name, before.Name)})
	})
	if err != nil || !switched {
		return false, err
	}
	failpoint.Hit(failpoint.ModelServes)
	e.opts.Logger.Info("another embedding model serves", "model", w.target.Name, "before", before.Name)
	_, err = e.lookNow(ctx)
	return true, err
}

// dropStale removes the vectors of models that are wanted no more.
func (e *Engine) dropStale(ctx context.Context) error {
	for more := e.known.Load().Stale > 0; more; {
		err := e.store.Update(ctx, func(w store.Writer) error {
			var err error
			more, err = w.DropStale(ctx, staleBatch)
			return err
		})
		if err != nil {
			return err
		}
		failpoint.Hit(failpoint.StaleDropped)
	}
	_, err := e.lookNow(ctx)
	return err
}
