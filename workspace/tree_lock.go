package workspace

import (
	"context"
	"errors"
	"sync"

	"github.com/strata-memory/strata"
)

// followName is the file that [Tree.Lock] locks. It has an ending that git ignores.
const followName = ".follow.tmp"

// TellWaits registers fn, which is told what is waited for when a lock takes long. Call
// TellWaits before using the tree; fn may be called from any goroutine.
func (t *Tree) TellWaits(fn func(what string)) { t.waiting = fn }

// Lock gives one caller at a time exclusive use of the files of a scope.
func (t *Tree) Lock(ctx context.Context, scope strata.Scope) (release func(), err error) {
	for {
		o, err := t.open(opLock, scope, true)
		if err != nil {
			return nil, err
		}
		unlock, err := t.lockScope(ctx, o)
		if err != nil {
			return nil, errors.Join(err, o.Close())
		}
		// While we waited, the workspace may have been given a .strata.
		now, err := t.place(opLock, scope)
		if err == nil && now == o.place {
			return sync.OnceFunc(func() { unlock(); o.Close() }), nil
		}
		unlock()
		if err := errors.Join(err, o.Close()); err != nil {
			return nil, err
		}
	}
}

func (t *Tree) lockScope(ctx context.Context, o *opened) (func(), error) {
	if err := makePrivate(o.root, o.below); err != nil {
		return nil, o.fail("", err)
	}
	unlock, err := lockTelling(ctx, o.root, o.name(followName), opLock, "the files of "+o.scope.Key(), t.waiting)
	if err != nil {
		return nil, o.fail("", err)
	}
	// Wait for a current writer here, where ctx bounds the wait, and not at the first
	// write.
	written, err := t.lockWrites(ctx, o)
	if err != nil {
		unlock()
		return nil, o.fail("", err)
	}
	written()
	return unlock, nil
}

// lockWrites takes the lock of the root directory, which every write of a file takes.
func (t *Tree) lockWrites(ctx context.Context, o *opened) (func(), error) {
	return lockTelling(ctx, o.root, lockName, o.op, "the directory "+o.place.full(), t.waiting)
}
