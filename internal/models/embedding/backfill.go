package embedding

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

const (
	// lease is how long a process holds the backfill exclusively. Each batch renews it;
	// if the process is killed, the next one takes over after that time.
	lease = time.Minute
	// staleBatch is how many vectors of an earlier model one transaction removes.
	staleBatch = 2000
	// maxIdle is how many times in a row a backfill may reach the end without being
	// complete.
	maxIdle = 100
	// progressSteps is how many times a backfill logs its progress.
	progressSteps = 10
)

// ErrElsewhere means that another process makes the vectors of the target. The caller
// should try again later, in case that process is gone by then.
var ErrElsewhere = worker.Later("another process is at it")

// errUnfinished means that the target lacks vectors of passages that do not exist.
var errUnfinished = errors.New("some passages have no vector of it")

// Backfill makes the vectors of the target for all passages, unless another process does
// so. It then lets the target serve and removes the vectors of models no longer in use.
func (ms *Models) Backfill(ctx context.Context) error {
	defer ms.release()
	return writable(ms.backfill(ctx, true))
}

// FinishBackfill is like Backfill for a caller that waits: it proceeds even if another
// process is making the same vectors.
func (ms *Models) FinishBackfill(ctx context.Context) error { return writable(ms.backfill(ctx, false)) }

func (ms *Models) backfill(ctx context.Context, alone bool) error {
	if err := ms.announce(ctx, false); err != nil {
		return err
	}
	st, err := ms.refreshNow(ctx)
	if err != nil {
		return err
	}
	if emb := ms.atHand.of(st.Target); emb != nil {
		b := backfiller{models: ms, target: st.Target, embedder: emb, exclusive: alone}
		if err := b.run(ctx); err != nil {
			return err
		}
	}
	return ms.dropStale(ctx)
}

// backfiller makes the vectors of one target.
type backfiller struct {
	models    *Models
	target    store.Model
	embedder  llm.Embedder
	exclusive bool  // whether it holds the lease while running
	reported  int64 // progress steps logged so far
}

// run continues until the target serves or is no longer wanted.
func (b *backfiller) run(ctx context.Context) error {
	for idle := 0; ; {
		st, batch, err := b.next(ctx)
		if err != nil || st.Target != b.target {
			return err
		}
		b.report(st)
		if batch.Through == 0 {
			done, err := b.finish(ctx)
			if err != nil || done {
				return err
			}
			// There are few concurrent writes, but a queued row for a missing passage
			// would keep this loop running forever.
			if idle++; idle > maxIdle {
				return errUnfinished
			}
			continue
		}
		idle = 0
		err = b.models.embedSome(ctx, b.target, b.embedder, batch.Missing, func(tx store.Writer) error {
			if err := b.acquire(ctx, tx); err != nil {
				return err
			}
			return tx.AdvanceBackfill(ctx, b.target, batch)
		})
		if err != nil {
			return err
		}
	}
}

// next reads the state and the next batch. If b is exclusive and lacks the lease, it
// takes the lease first.
func (b *backfiller) next(ctx context.Context) (st store.Embedding, batch store.BackfillBatch, err error) {
	ms := b.models
	read := func(r store.Reader) error {
		if st, err = ms.Refresh(ctx, r); err != nil {
			return err
		}
		batch, err = r.NextBackfill(ctx, b.target, embedBatch)
		return err
	}
	if err := ms.store.View(ctx, read); err != nil || !b.exclusive || st.Holder == ms.opts.Holder {
		return st, batch, err
	}
	err = ms.store.Update(ctx, func(tx store.Writer) error {
		if err := b.acquire(ctx, tx); err != nil {
			return err
		}
		return read(tx)
	})
	return st, batch, err
}

// acquire takes or renews the lease.
func (b *backfiller) acquire(ctx context.Context, tx store.Writer) error {
	if !b.exclusive {
		return nil
	}
	ours, err := tx.LeaseBackfill(ctx, b.models.opts.Holder, tx.Now().Add(lease))
	if err == nil && !ours {
		err = ErrElsewhere
	}
	return err
}

// release gives up the lease, so that other processes need not wait for it to expire.
func (ms *Models) release() {
	if ms.known.Load().Holder != ms.opts.Holder {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), ms.opts.CallTimeout)
	defer cancel()
	err := ms.store.Update(ctx, func(w store.Writer) error {
		_, err := w.LeaseBackfill(ctx, ms.opts.Holder, time.Time{})
		return err
	})
	if err == nil {
		_, err = ms.refreshNow(ctx)
	}
	if err != nil {
		ms.opts.Logger.Warn("the lease was not given back; it ends by itself", "error", err)
	}
}

// report logs the progress of the backfill from time to time.
func (b *backfiller) report(st store.Embedding) {
	step := st.Done * progressSteps / max(1, st.Total)
	if step > b.reported {
		b.reported = step
		b.models.opts.Logger.Info("vectors of another model are being made", "model", b.target.Name, "done", st.Done, "total", st.Total)
	}
}

// finish embeds what is still queued for the target and lets the target serve. It returns
// false if a concurrent write queued more.
func (b *backfiller) finish(ctx context.Context) (bool, error) {
	ms := b.models
	if err := ms.embedQueue(ctx, b.target, func(int) {}); err != nil {
		return false, err
	}
	var before store.Model
	var switched bool
	err := ms.store.Update(ctx, func(tx store.Writer) error {
		st, err := tx.Embedding(ctx)
		if err != nil {
			return err
		}
		before = st.Serving
		if switched, err = tx.SwitchModel(ctx, b.target); err != nil || !switched {
			return err
		}
		failpoint.Hit(failpoint.ModelSwitched)
		return tx.AppendEvent(ctx, strata.Event{Kind: strata.EventModelSwitched, Scope: strata.Global(), At: tx.Now(),
			Detail: fmt.Sprintf("%s serves in place of %s", b.target.Name, before.Name)})
	})
	if err != nil || !switched {
		return false, err
	}
	failpoint.Hit(failpoint.ModelServes)
	ms.opts.Logger.Info("another embedding model serves", "model", b.target.Name, "before", before.Name)
	_, err = ms.refreshNow(ctx)
	return true, err
}

// dropStale removes the vectors of models that are no longer wanted, and migrates those
// that an earlier version stored.
func (ms *Models) dropStale(ctx context.Context) error {
	known := ms.known.Load()
	for more := known.Stale > 0 || known.Earlier; more; {
		err := ms.store.Update(ctx, func(w store.Writer) error {
			var err error
			more, err = w.DropStale(ctx, staleBatch)
			return err
		})
		if err != nil {
			return err
		}
		failpoint.Hit(failpoint.StaleDropped)
	}
	st, err := ms.refreshNow(ctx)
	if err == nil && st.Stale == 0 && ms.opts.Words != nil {
		ms.opts.Words.Keep([]string{st.Serving.Name, st.Target.Name, st.Base.Name})
	}
	return err
}
