package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
)

// dirtyFiles are files that changed since they were looked at.
type dirtyFiles struct {
	mu sync.Mutex // guards scopes
	// scopes has the paths of the files of each; nil where any may have changed.
	scopes map[strata.Scope]map[string]bool
}

func (u *dirtyFiles) add(c files.Changed) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.scopes == nil {
		u.scopes = make(map[strata.Scope]map[string]bool)
	}
	paths, ok := u.scopes[c.Scope]
	switch {
	case len(c.Paths) == 0:
		paths = nil
	case !ok:
		paths = make(map[string]bool)
	}
	if paths != nil {
		for _, path := range c.Paths {
			paths[path] = true
		}
	}
	u.scopes[c.Scope] = paths
}

// take returns the files, in the order of the keys of their scopes, and forgets
// them.
func (u *dirtyFiles) take() []files.Changed {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []files.Changed
	for _, s := range byKey(maps.Keys(u.scopes)) {
		out = append(out, files.Changed{Scope: s, Paths: slices.Sorted(maps.Keys(u.scopes[s]))})
	}
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
	err := e.opts.Tree.Watch(ctx, view.Scopes, func(c files.Changed) {
		e.dirty.add(c)
		e.scans.wake()
	})
	if err != nil {
		stop()
		return err
	}
	e.watches.Add(1)
	context.AfterFunc(ctx, func() { e.watches.Add(-1) })
	return nil
}

// syncUnseen looks at the files that changed.
func (e *Engine) syncUnseen(ctx context.Context) error {
	var errs []error
	for _, c := range e.dirty.take() {
		seen, err := e.syncFiles(ctx, c)
		if err == nil && !seen {
			_, err = e.Sync(ctx, c.Scope.View())
		}
		if err != nil {
			e.dirty.add(files.Changed{Scope: c.Scope}) // the next try
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// syncFew is how many files are looked at by name. For more, all are.
const syncFew = 64

// syncFiles is [Engine.Sync] for a few files that were written. It returns false
// where only a look at all files tells what happened: one is gone, or is still
// to follow a decision, or changes again and again.
func (e *Engine) syncFiles(ctx context.Context, c files.Changed) (seen bool, err error) {
	if len(c.Paths) == 0 || len(c.Paths) > syncFew {
		return false, nil
	}
	if err := e.followNow(ctx, c.Scope); err != nil {
		return false, err
	}
	for range syncTries {
		var found handEdits
		for _, path := range c.Paths {
			waits, err := e.lookAt(ctx, place{c.Scope, path}, &found)
			if err != nil || waits {
				return false, err
			}
		}
		if found.size() > syncBytes || found.removes() {
			return false, nil
		}
		_, overtaken, err := e.takeIn(ctx, found)
		if err != nil || !overtaken {
			return err == nil, err
		}
	}
	return false, nil
}
