package sqlite

import (
	"context"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/nearest"
	"github.com/strata-memory/strata/store"
)

// A process that asks for the first time of a large scope has to read its codes,
// and one that asks again soon wants its words in memory. Both take long, and a
// processor is often free: so they are read beside the question.

// prepareFrom is the number of passages of a scope from which its codes are read
// beside the search by words that comes before. Fewer take less time than to
// open a connection.
const prepareFrom = 50_000

// beside runs fn beside its caller, until it returns or the database is closed,
// which waits for it. It reports whether it does: not if that would leave no
// connection for others.
func (db *DB) beside(fn func(ctx context.Context)) bool {
	if db.enter("read store") != nil {
		return false
	}
	if cap(db.readers.free) < 2 {
		db.leave()
		return false
	}
	db.besides.Add(1)
	go func() {
		defer db.leave()
		defer db.besides.Done()
		fn(db.work)
	}()
	return true
}

// Prepare has what Nearest will need of a large scope read beside the caller,
// once a process. It never fails: what it cannot read Nearest reads.
func (t *tx) Prepare(ctx context.Context, scope strata.Scope, name string, dim int, f store.Filter) {
	if t.group != nil || f.AsOf != nil {
		return
	}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok || !t.db.prepared.prepares(no) {
		return
	}
	n, _, err := t.countPassages(ctx, no, f)
	if err != nil || n < t.db.prepareFrom {
		return
	}
	t.db.beside(func(ctx context.Context) {
		_ = t.db.view(ctx, func(t *tx) error { return t.prepare(ctx, no, name, dim, f) })
	})
}

func (t *tx) prepare(ctx context.Context, scopeNo int64, name string, dim int, f store.Filter) error {
	m, ok, err := t.wantedModel(ctx, name, dim)
	if err != nil || !ok {
		return err
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
