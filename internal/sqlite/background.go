package sqlite

import (
	"context"
	"sync"

	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// The first search of a large scope by a process has to read its codes, and a
// process that soon asks again wants the words in memory. Both take long, and a
// processor is often idle, so they are read in the background.

// prepareFrom is the number of passages from which the codes of a scope are read in
// the background of the word search that comes first. Fewer take less time to read
// than a connection takes to open.
const prepareFrom = 50_000

// inBackground runs fn in a goroutine until it returns or the database is closed;
// closing cancels its context and waits for it. It reports whether it started fn,
// which it does not if that would leave no connection for others.
func (db *DB) inBackground(fn func(ctx context.Context)) bool {
	if db.enter("read store") != nil {
		return false
	}
	if db.readers.Most() < 2 {
		db.leave()
		return false
	}
	db.background.Add(1)
	go func() {
		defer db.leave()
		defer db.background.Done()
		fn(db.work)
	}()
	return true
}

// readCodesAhead reads the codes of a large scope in the background, once per
// process, because a search by vectors follows the search by words. It never fails:
// the search by vectors reads what could not be read ahead.
func (t *tx) readCodesAhead(ctx context.Context, scopeNo int64, f store.Filter) {
	if t.group != nil || f.AsOf != nil || !t.db.prepared.prepares(scopeNo) {
		return
	}
	now, err := lexicalSource{t}.Scope(ctx, scopeNo)
	if err != nil || now.Totals.Of(passage.KindMask(f.Kinds)).Passages < t.db.prepareFrom {
		return
	}
	t.db.inBackground(func(ctx context.Context) {
		_ = t.db.view(ctx, func(t *tx) error { return t.readCodes(ctx, scopeNo, f) })
	})
}

// readCodes reads the codes of a scope for the model that questions use first.
func (t *tx) readCodes(ctx context.Context, scopeNo int64, f store.Filter) error {
	w, err := t.models(ctx)
	if err != nil {
		return err
	}
	m := w.base
	if m.number == 0 {
		m = w.serving
	}
	if m.number == 0 {
		return nil
	}
	return t.db.near.Load(ctx, nearSource{t}, nearest.Query{Scope: scopeNo, Model: m.number, Filter: f}, m.dim)
}

// preparedScopes are the scopes whose codes were read ahead.
type preparedScopes struct {
	mu  sync.Mutex
	set map[int64]bool
}

// prepares marks a scope as prepared and reports whether it was not before.
func (p *preparedScopes) prepares(scopeNo int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.set[scopeNo] {
		return false
	}
	if p.set == nil || len(p.set) >= maxPrepared {
		p.set = make(map[int64]bool)
	}
	p.set[scopeNo] = true
	return true
}

// maxPrepared bounds how many scopes are remembered as prepared.
const maxPrepared = 1 << 14
