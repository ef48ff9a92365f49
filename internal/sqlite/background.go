package sqlite

import (
	"context"
	"sync"

	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// A process that asks for the first time of a large scope has to read its codes,
// and one that asks again soon wants its words in memory. Both take long, and a
// processor is often free: so they are read in the background.

// prepareFrom is the number of passages of a scope from which its codes are read
// in the background of the search by words that comes before. Fewer take less time than to
// open a connection.
const prepareFrom = 50_000

// inBackground runs fn in a goroutine, until it returns or the database is closed,
// which waits for it. It reports whether it does: not if that would leave no
// connection for others.
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

// readCodesAhead has the codes of a large scope read in the background, once a
// process: a search by words is followed by one by vectors. It never fails: what it
// cannot read that search reads.
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

// readCodes reads the codes of a scope by the model that questions ask for first.
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

// preparedScopes are the scopes whose codes were asked for beforehand.
type preparedScopes struct {
	mu  sync.Mutex
	set map[int64]bool
}

// prepares reports whether the codes of a scope were not prepared before.
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

// maxPrepared bounds the scopes that are remembered as prepared.
const maxPrepared = 1 << 14
