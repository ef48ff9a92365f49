package handedit

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
)

// changedScopes holds the scopes in which files have changed since they were last
// scanned.
type changedScopes struct {
	mu     sync.Mutex
	scopes map[strata.Scope]bool
}

func (c *changedScopes) add(s strata.Scope) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.scopes == nil {
		c.scopes = make(map[strata.Scope]bool)
	}
	c.scopes[s] = true
}

// take removes and returns the scopes, sorted by key.
func (c *changedScopes) take() []strata.Scope {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := documents.ByKey(maps.Keys(c.scopes))
	c.scopes = nil
	return list
}

// Watch records what people do to the files of a view, shortly after they do it, until
// ctx is done or the engine is closed. It returns once the watch is active. [Intake.Sync]
// finds what was done before.
//
// Watch returns [strata.CodeUnsupported] or [strata.CodeUnavailable] if files cannot be
// watched. If there is no tree, it does nothing.
func (in *Intake) Watch(ctx context.Context, view strata.View) error {
	if err := view.Validate(); err != nil || in.o.Tree == nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	forget := context.AfterFunc(in.o.Open, stop)
	context.AfterFunc(ctx, func() { forget() })
	err := in.o.Tree.Watch(ctx, view.Scopes, func(s strata.Scope) {
		in.changed.add(s)
		in.o.Work.Wake()
	})
	if err != nil {
		stop()
		return err
	}
	in.o.Projector.Wrote(view.Scopes...)
	in.watches.Add(1)
	context.AfterFunc(ctx, func() { in.watches.Add(-1) })
	return nil
}

// SyncChanged scans the files of the scopes in which some changed.
func (in *Intake) SyncChanged(ctx context.Context) error {
	var errs []error
	for _, s := range in.changed.take() {
		if _, err := in.Sync(ctx, s.View()); err != nil {
			in.changed.add(s) // the next try
			errs = append(errs, err)
		}
		in.o.Projector.Wrote(s)
	}
	return errors.Join(errs...)
}
