package filestest

import (
	"context"
	"sync"
	"time"

	"github.com/strata-memory/strata"
)

var lockTests = []test{
	{"one caller at a time has the lock of a scope", func(b *bench) {
		var wg sync.WaitGroup
		inside, most := 0, 0
		var mu sync.Mutex
		for range 8 {
			wg.Go(func() {
				release, err := b.Tree.Lock(b.ctx, strata.Global())
				if err != nil {
					b.Errorf("lock: %v", err)
					return
				}
				defer release()
				mu.Lock()
				inside++
				most = max(most, inside)
				mu.Unlock()
				if _, err := b.Tree.Write(b.ctx, strata.Global(), note, []byte("held\n"), strata.NoFile); err != nil {
					b.Errorf("write while locked: %v", err)
				}
				mu.Lock()
				inside--
				mu.Unlock()
			})
		}
		wg.Wait()
		if most != 1 {
			b.Errorf("%d at a time", most)
		}
	}},
	{"a lock that is held is waited for as long as the context lasts", func(b *bench) {
		release, err := b.Tree.Lock(b.ctx, strata.Global())
		b.ok(err)
		ctx, cancel := context.WithTimeout(b.ctx, 30*time.Millisecond)
		defer cancel()
		_, err = b.Tree.Lock(ctx, strata.Global())
		b.code(err, strata.CodeCanceled)
		other, err := b.Tree.Lock(b.ctx, strata.InWorkspace(Workspace))
		b.ok(err) // another scope has a lock of its own
		other()
		release()
		release() // the second time does nothing
		again, err := b.Tree.Lock(b.ctx, strata.Global())
		b.ok(err)
		again()
	}},
	{"a lock is no document", func(b *bench) {
		release, err := b.Tree.Lock(b.ctx, strata.Global())
		b.ok(err)
		defer release()
		c, err := b.Tree.Scan(b.ctx, strata.Global(), nil)
		b.ok(err)
		if len(c.Changed)+len(c.Skipped) != 0 {
			b.Errorf("scan found %+v", c)
		}
	}},
}
