package handedit

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/documents"
	"github.com/strata-memory/strata/files"
)

// changedFiles are files that changed since they were looked at.
type changedFiles struct {
	mu sync.Mutex // guards scopes
	// scopes has the paths of the files of each; nil where any may have changed.
	scopes map[strata.Scope]map[string]bool
}

func (f *changedFiles) add(c files.Changed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.scopes == nil {
		f.scopes = make(map[strata.Scope]map[string]bool)
	}
	paths, ok := f.scopes[c.Scope]
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
	f.scopes[c.Scope] = paths
}

// take returns the files, in the order of the keys of their scopes, and forgets
// them.
func (f *changedFiles) take() []files.Changed {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []files.Changed
	for _, s := range documents.ByKey(maps.Keys(f.scopes)) {
		out = append(out, files.Changed{Scope: s, Paths: slices.Sorted(maps.Keys(f.scopes[s]))})
	}
	f.scopes = nil
	return out
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
	err := in.o.Tree.Watch(ctx, view.Scopes, func(c files.Changed) {
		in.changed.add(c)
		in.o.Wake()
	})
	if err != nil {
		stop()
		return err
	}
	in.watches.Add(1)
	context.AfterFunc(ctx, func() { in.watches.Add(-1) })
	return nil
}

// SyncChanged looks at the files that changed.
func (in *Intake) SyncChanged(ctx context.Context) error {
	var errs []error
	for _, c := range in.changed.take() {
		seen, err := in.syncFiles(ctx, c)
		if err == nil && !seen {
			_, err = in.Sync(ctx, c.Scope.View())
		}
		if err != nil {
			in.changed.add(files.Changed{Scope: c.Scope}) // the next try
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// syncFew is how many files are looked at by name. For more, all are.
const syncFew = 64

// syncFiles is [Intake.Sync] for a few files that were written. It returns false
// where only a look at all files tells what happened: one is gone, or is still
// to follow a decision, or changes again and again.
func (in *Intake) syncFiles(ctx context.Context, c files.Changed) (seen bool, err error) {
	if len(c.Paths) == 0 || len(c.Paths) > syncFew {
		return false, nil
	}
	if err := in.followNow(ctx, c.Scope); err != nil {
		return false, err
	}
	for range syncTries {
		var found handEdits
		for _, path := range c.Paths {
			waits, err := in.lookAt(ctx, documents.Place{Scope: c.Scope, Path: path}, &found)
			if err != nil || waits {
				return false, err
			}
		}
		batch := found.next()
		if len(found.candidates) > 0 || batch.removes() {
			return false, nil
		}
		_, overtaken, err := in.take(ctx, batch)
		if err != nil || !overtaken {
			return err == nil, err
		}
	}
	return false, nil
}
