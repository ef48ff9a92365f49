package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
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
	err = t.lookRow(ctx, `SELECT no FROM scope WHERE key = ?`, scope.Key()).Scan(&no)
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
	err = t.lookRow(ctx, `INSERT INTO scope (key, next) VALUES (?, 1) RETURNING no`, scope.Key()).Scan(&no)
	if err != nil {
		return 0, false, err
	}
	delete(t.db.alone.next, no) // of a scope with that number that was undone
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
	rows, err := t.query(ctx, `SELECT key FROM scope ORDER BY key`)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (strata.Scope, error) {
		var key string
		if err := scan(&key); err != nil {
			return strata.Scope{}, err
		}
		return strata.ParseScope(key)
	})
}

// nextNumber returns a number of the scope that was never used. Numbers taken
// by a function that is undone are lost, not used again.
func (t *tx) nextNumber(ctx context.Context, scopeNo int64) (int64, error) {
	next, ok := t.group.next[scopeNo]
	if !ok {
		next, ok = t.db.alone.next[scopeNo]
	}
	if !ok {
		var err error
		if next, err = t.lookInteger(ctx, `SELECT next FROM scope WHERE no = ?`, scopeNo); err != nil {
			return 0, err
		}
	}
	if next>>passage.ScopeBits != 0 {
		return 0, &strata.Error{Code: strata.CodeFull, Op: "number row",
			Message: "the scope has used up its numbers", Hint: "export it and import it into a new home"}
	}
	t.group.next[scopeNo] = next + 1
	t.fresh = scopeNo<<passage.ScopeBits | next
	return t.fresh, nil
}

// nextChange returns the next change number, which orders all changes of the
// store.
func (t *tx) nextChange(ctx context.Context) (int64, error) {
	if _, err := t.LastChange(ctx); err != nil {
		return 0, err
	}
	g := t.group
	g.change++
	g.changed = true
	return g.change, nil
}
