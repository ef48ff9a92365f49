package handedit

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
)

// changedScopes are scopes of which files changed since they were looked at.
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

// take returns the scopes, in the order of their keys, and forgets them.
func (c *changedScopes) take() []strata.Scope {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := documents.ByKey(maps.Keys(c.scopes))
	c.scopes = nil
	return list
}

// Watch takes in what people do to the files of a view from now on, soon after
// they did it, until the context ends or the engine is closed. It returns once
// the watch is in place. What was done before is found by [Intake.Sync].
//
// Errors: unsupported or unavailable where files cannot be watched. Without a
// tree there is nothing to watch.
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

// SyncChanged looks at the files of the scopes where some changed.
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
