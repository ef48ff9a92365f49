package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/documents/checkpoint"
	"github.com/strata-memory/strata/dream"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/store"
)

// dreamCheck is how often an open engine looks whether a scope is due.
const dreamCheck = 30 * time.Minute

// dreams has scopes dream in the background, never inside a call of a user.
type dreams struct {
	*dream.Dreamer
	work    *worker
	check   *time.Ticker // nil if dreams are left to calls
	looking sync.WaitGroup
	// session says that a session ended and nobody looked since whether a scope is due.
	session atomic.Bool
}

// openDreams opens what consolidates memory, in the background what is due.
func (e *Engine) openDreams() {
	e.dreams.Dreamer = dream.New(dream.Options{
		Store: e.store, IDs: &e.ids, Now: e.opts.Now, Logger: e.opts.Logger, Settings: e.opts.Dreams, Follow: e.followDream,
	})
	e.dreams.work = startWorker(e.opts.Logger, "dream", e.dreamDue)
	if !e.opts.DreamOnCall && !e.opts.Dreams.Disabled {
		e.dreams.check = time.NewTicker(dreamCheck)
		e.dreams.looking.Go(e.lookForDue)
	}
}

// lookForDue wakes the background at opening and now and then, until the engine closes.
func (e *Engine) lookForDue() {
	for {
		e.dreams.work.wake()
		select {
		case <-e.open.Done():
			return
		case <-e.dreams.check.C:
		}
	}
}

// ended notes that a session ended: a scope may be due.
func (d *dreams) ended() {
	d.session.Store(true)
	d.work.wake()
}

// drain has scopes dream that are due since a session ended.
func (d *dreams) drain(ctx context.Context) error {
	if !d.session.Load() {
		return nil
	}
	return d.work.drain(ctx)
}

// finish ends the background; what is due since a session ended is done first, as far
// as closing waits.
func (d *dreams) finish() {
	if d.check != nil {
		d.check.Stop()
		d.looking.Wait() // the engine is closing, so it ends
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	if err := d.drain(ctx); err != nil {
		d.work.log.Warn("a dream is not done", "error", err)
	}
	d.work.close()
}

// dreamDue has every scope dream that is due.
func (e *Engine) dreamDue(ctx context.Context) error {
	e.dreams.session.Store(false)
	due, err := e.dreams.Due(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, s := range due {
		_, err := e.Dream(ctx, s, strata.DreamScheduled)
		if strata.CodeOf(err) == strata.CodeReadOnly {
			return nil // others do it
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Dream has a scope dream now if the gates for the trigger are open.
func (e *Engine) Dream(ctx context.Context, scope strata.Scope, trigger strata.DreamTrigger) (dream.Result, error) {
	if err := e.recorder.flush(ctx); err != nil {
		return dream.Result{Scope: scope}, err
	}
	res, err := e.dreams.Dream(ctx, scope, trigger)
	if err == nil && res.Dream != nil && !res.Repeated {
		e.commitDream(ctx, res)
	}
	return res, err
}

// followDream has the files of a scope follow a dream.
func (e *Engine) followDream(ctx context.Context, scope strata.Scope) error {
	if !e.followed() {
		return nil
	}
	return e.projectNow(ctx, scope)
}

// commitDream records the files that a dream changed.
func (e *Engine) commitDream(ctx context.Context, res dream.Result) {
	if res.Waiting == nil {
		e.commitChanged(ctx, files.Message{Subject: checkpoint.SubjectDream, Body: "dream: " + res.Dream.ID, Agent: res.Scope.Agent})
	}
}

// DreamState says where a scope stands between two dreams.
type DreamState struct {
	Scope      strata.Scope
	Last       *strata.Dream // nil if there was none
	Closed     *dream.Gate   // that keeps it from dreaming by itself now; nil if none does
	Dreaming   bool          // one is under way
	Promotions int           // that stand in MEMORY.md
}

// DreamStates says where the scopes of a view stand.
func (e *Engine) DreamStates(ctx context.Context, view strata.View) ([]DreamState, error) {
	return store.ReadEach(ctx, e.store, view, func(r store.Reader, s strata.Scope) ([]DreamState, error) {
		out := DreamState{Scope: s}
		var err error
		if out.Last, out.Closed, err = e.dreams.Gates(ctx, r, s); err != nil {
			return nil, err
		}
		if out.Dreaming, err = e.dreams.UnderWay(ctx, r, s); err != nil {
			return nil, err
		}
		list, err := r.Promotions(ctx, s, false)
		out.Promotions = len(list)
		return []DreamState{out}, err
	})
}

// Dreams lists the newest dreams of each scope of a view, the newest first.
func (e *Engine) Dreams(ctx context.Context, view strata.View, limit int) ([]strata.Dream, error) {
	return store.ReadEach(ctx, e.store, view, func(r store.Reader, s strata.Scope) ([]strata.Dream, error) {
		return r.Dreams(ctx, s, store.DreamFilter{Limit: limit})
	})
}

// DreamOf returns a dream of a view by its id, which may be shortened.
func (e *Engine) DreamOf(ctx context.Context, view strata.View, dream string) (strata.Dream, error) {
	whole, err := e.WholeID(ctx, view, id.Dream, dream)
	if err != nil {
		return strata.Dream{}, err
	}
	return store.Read(ctx, e.store, func(r store.Reader) (strata.Dream, error) { return r.Dream(ctx, view.Scopes, whole) })
}

// Use counts what was asked of each scope of a view in a time until now, and its
// concept tags, up to a number of them.
func (e *Engine) Use(ctx context.Context, view strata.View, window time.Duration, tags int) ([]Use, error) {
	since := e.opts.Now().Add(-window)
	return store.ReadEach(ctx, e.store, view, func(r store.Reader, s strata.Scope) ([]Use, error) {
		out := Use{Scope: s}
		asked, err := r.Recalls(ctx, s, since)
		if err != nil {
			return nil, err
		}
		out.Recalls = len(asked)
		if out.Tags, err = r.TagCounts(ctx, s, tags); err != nil {
			return nil, err
		}
		last, err := r.Dreams(ctx, s, store.DreamFilter{Limit: 1})
		if len(last) > 0 {
			out.LastDream = &last[0].StartedAt
		}
		return []Use{out}, err
	})
}

// Use is how a scope is used.
type Use struct {
	Scope     strata.Scope
	Recalls   int              // hits shown to somebody who asked
	Tags      []store.TagCount // of current facts, the most frequent first
	LastDream *time.Time       // nil if there was none
}
