package workspace

import (
	"context"
	"errors"
	"sync"

	"github.com/strata-memory/strata"
)

// followName is the file whose lock [Tree.Lock] takes. It ends so that git
// leaves it alone.
const followName = ".follow.tmp"

// TellWaits has fn told what is waited for when a lock takes long. It is called before
// the tree is used, and fn from any goroutine.
func (t *Tree) TellWaits(fn func(what string)) { t.waiting = fn }

// Lock gives the files of a scope to one caller at a time.
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
		// While we waited, the workspace may have got a .strata.
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
	// Whoever writes a file at the moment is waited for here, where the caller bounds
	// the wait, and not at the first write.
	written, err := t.lockWrites(ctx, o)
	if err != nil {
		unlock()
		return nil, o.fail("", err)
	}
	written()
	return unlock, nil
}

// lockWrites takes the lock of the root directory, in which each file is written.
func (t *Tree) lockWrites(ctx context.Context, o *opened) (func(), error) {
	return lockTelling(ctx, o.root, lockName, o.op, "the directory "+o.place.full(), t.waiting)
}
