package engine

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/strata-memory/strata"
)

// dirtyScopes are scopes whose files changed since they were looked through.
type dirtyScopes struct {
	mu     sync.Mutex // guards scopes
	scopes map[strata.Scope]bool
}

func (u *dirtyScopes) add(scopes ...strata.Scope) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.scopes == nil {
		u.scopes = make(map[strata.Scope]bool)
	}
	for _, s := range scopes {
		u.scopes[s] = true
	}
}

// take returns the scopes, in the order of their keys, and forgets them.
func (u *dirtyScopes) take() []strata.Scope {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := byKey(maps.Keys(u.scopes))
	u.scopes = nil
	return out
}

// Watch takes in what people do to the files of a view from now on, soon after
// they did it, until the context ends or the engine is closed. It returns once
// the watch is in place. What was done before is found by [Engine.Sync].
//
// Errors: unsupported or unavailable where files cannot be watched. Without a
// tree there is nothing to watch.
func (e *Engine) Watch(ctx context.Context, view strata.View) error {
	if err := view.Validate(); err != nil || e.opts.Tree == nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	forget := context.AfterFunc(e.open, stop)
	context.AfterFunc(ctx, func() { forget() })
	err := e.opts.Tree.Watch(ctx, view.Scopes, func(s strata.Scope) {
		e.dirty.add(s)
		e.scans.wake()
	})
	if err != nil {
		stop()
	}
	return err
}

// syncUnseen looks through the files of the scopes that changed.
func (e *Engine) syncUnseen(ctx context.Context) error {
	var errs []error
	for _, s := range e.dirty.take() {
		if _, err := e.Sync(ctx, s.View()); err != nil {
			e.dirty.add(s) // the next try
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
