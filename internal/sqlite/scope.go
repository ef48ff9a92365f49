package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
)

// scopeCache remembers the numbers of committed scopes, which never change.
type scopeCache struct {
	mu sync.RWMutex
	no map[strata.Scope]int64
}

func (c *scopeCache) get(s strata.Scope) (int64, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	no, ok := c.no[s]
	return no, ok
}

func (c *scopeCache) put(s strata.Scope, no int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.no[s] = no
}

// scopeNo returns the number of a scope. A scope that owns nothing has none:
// with create it is given one, otherwise ok is false.
func (t *tx) scopeNo(ctx context.Context, scope strata.Scope, create bool) (no int64, ok bool, err error) {
	if no, ok = t.db.scopes.get(scope); ok {
		return no, true, nil
	}
	if no, ok = t.scopes[scope]; ok {
		return no, true, nil
	}
	if t.group != nil {
		if no, ok = t.group.scopes[scope]; ok {
			return no, true, nil
		}
	}
	return t.readScopeNo(ctx, scope, create)
}

// readScopeNo is scopeNo for a scope that was not met yet.
func (t *tx) readScopeNo(ctx context.Context, scope strata.Scope, create bool) (no int64, ok bool, err error) {
	if err := scope.Validate(); err != nil {
		return 0, false, err
	}
	err = t.queryRow(ctx, `SELECT no FROM scope WHERE key = ?`, scope.Key()).Scan(&no)
	switch {
	case err == nil:
		// The row is committed, even while writing: what this transaction
		// made itself is found above, and what was undone is not there.
		t.db.scopes.put(scope, no)
		return no, true, nil
	case !errors.Is(err, sql.ErrNoRows):
		return 0, false, err
	case !create:
		return 0, false, nil
	}
	err = t.queryRow(ctx, `INSERT INTO scope (key, next) VALUES (?, 1) RETURNING no`, scope.Key()).Scan(&no)
	if err != nil {
		return 0, false, err
	}
	delete(t.group.counters.next, no) // of a scope with that number that was undone
	if t.scopes == nil {
		t.scopes = make(map[strata.Scope]int64)
	}
	t.scopes[scope] = no
	return no, true, nil
}

// scopeByNo returns the scope with a number.
func (t *tx) scopeByNo(ctx context.Context, no int64) (strata.Scope, error) {
	var key string
	if err := t.queryRow(ctx, `SELECT key FROM scope WHERE no = ?`, no).Scan(&key); err != nil {
		return strata.Scope{}, err
	}
	return strata.ParseScope(key)
}

// Scopes lists the scopes that own anything, in the order of their keys.
func (t *tx) Scopes(ctx context.Context) ([]strata.Scope, error) {
	return t.keys(ctx, `SELECT key FROM scope ORDER BY key`)
}

// counters are the numbers that come next, as far as a transaction took any.
// What a function took that is undone is lost, not given again.
type counters struct {
	next   map[int64]int64 // of a scope, by its number
	change int64           // the last one given; 0 for none
}

// nextNumber returns a number of the scope that was never used.
func (t *tx) nextNumber(ctx context.Context, scopeNo int64) (int64, error) {
	next, ok := t.group.counters.next[scopeNo]
	if !ok {
		var err error
		if next, err = t.queryInteger(ctx, `SELECT next FROM scope WHERE no = ?`, scopeNo); err != nil {
			return 0, err
		}
	}
	if next>>passage.ScopeBits != 0 {
		return 0, &strata.Error{Code: strata.CodeFull, Op: "number row",
			Message: "the scope has used up its numbers", Hint: "export it and import it into a new home"}
	}
	t.group.counters.next[scopeNo] = next + 1
	return scopeNo<<passage.ScopeBits | next, nil
}

// nextChange returns the next change number, which orders all changes of the
// store.
func (t *tx) nextChange(ctx context.Context) (int64, error) {
	last, err := t.LastChange(ctx)
	if err != nil {
		return 0, err
	}
	t.group.counters.change = last + 1
	return last + 1, nil
}

// storeCounters stores the numbers that the transaction has taken.
func (t *tx) storeCounters(ctx context.Context) error {
	c := t.group.counters
	for scopeNo, next := range c.next {
		if _, err := t.exec(ctx, `UPDATE scope SET next = ? WHERE no = ?`, next, scopeNo); err != nil {
			return err
		}
	}
	if c.change == 0 {
		return nil
	}
	_, err := t.exec(ctx, `UPDATE counter SET value = ? WHERE name = 'change'`, c.change)
	return err
}
