package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/topics/category"
)

// regroupAtClose bounds how long Close regroups categories. New facts make the rest due
// again.
const regroupAtClose = 2 * time.Second

// regrouper regroups the categories of scopes in the background once there are enough new
// facts. A write can only use what exists at the time; only all facts together show which
// topics deserve a category.
type regrouper struct {
	engine *Engine
	work   *worker.Worker

	mu  sync.Mutex
	due []strata.Scope
}

func (r *regrouper) start(e *Engine) {
	r.engine = e
	r.work = worker.New(e.opts.Logger, "group", r.run).Start()
}

// Regroup assigns the facts of the given scopes (all, if none are named) to categories
// again, in the background. [Engine.Drain] waits for it.
func (e *Engine) Regroup(ctx context.Context, scopes ...strata.Scope) error {
	if len(scopes) == 0 {
		var err error
		if scopes, err = e.Scopes(ctx); err != nil {
			return err
		}
	}
	e.regrouper.add(scopes)
	return nil
}

// add queues scopes for regrouping.
func (r *regrouper) add(scopes []strata.Scope) {
	if len(scopes) == 0 || r.work == nil {
		return
	}
	r.mu.Lock()
	r.due = append(r.due, scopes...)
	r.mu.Unlock()
	r.work.Wake()
}

// next removes and returns a scope that is due.
func (r *regrouper) next() (scope strata.Scope, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.due) == 0 {
		return scope, false
	}
	scope, r.due = r.due[0], r.due[1:]
	return scope, true
}

// run regroups all scopes that are due. If one fails it waits for more facts; its facts
// still have categories.
func (r *regrouper) run(ctx context.Context) error {
	for ctx.Err() == nil {
		scope, ok := r.next()
		if !ok {
			return nil
		}
		if err := category.Regroup(ctx, r.engine.store, scope); err != nil {
			return fmt.Errorf("group the facts of %s: %w", scope, err)
		}
	}
	return ctx.Err()
}

func (r *regrouper) drain(ctx context.Context) error { return r.work.Drain(ctx) }

// close regroups what is due, within its time limit, and stops the worker.
func (r *regrouper) close() {
	ctx, cancel := context.WithTimeout(context.Background(), regroupAtClose)
	defer cancel()
	if err := r.drain(ctx); err != nil && strata.CodeOf(err) != strata.CodeReadOnly {
		r.engine.opts.Logger.Warn("facts are not grouped", "error", err)
	}
	r.work.Close()
}
