package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
)

// scopeCache caches the numbers of committed scopes, which never change.
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

// scopeNo returns the number of a scope. A scope that owns nothing has none: scopeNo
// creates one if create is set, and otherwise returns false.
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

// readScopeNo is like scopeNo, for a scope that is not cached.
func (t *tx) readScopeNo(ctx context.Context, scope strata.Scope, create bool) (no int64, ok bool, err error) {
	if err := scope.Validate(); err != nil {
		return 0, false, err
	}
	err = t.queryRow(ctx, `SELECT no FROM scope WHERE key = ?`, scope.Key()).Scan(&no)
	switch {
	case err == nil:
		// The row is committed even if this transaction writes: scopes that the
		// transaction created are found before, and rolled-back ones do not exist.
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
	delete(t.group.counters.next, no) // left by a rolled-back scope with the same number
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

// Scopes lists the scopes that own anything, in order of key.
func (t *tx) Scopes(ctx context.Context) ([]strata.Scope, error) {
	return t.keys(ctx, `SELECT key FROM scope ORDER BY key`)
}

// keys lists the scopes whose keys a query returns.
func (t *tx) keys(ctx context.Context, query string, args ...any) ([]strata.Scope, error) {
	return collect(ctx, t, query, args, func(scan scanner) (strata.Scope, error) {
		var key string
		if err := scan(&key); err != nil {
			return strata.Scope{}, err
		}
		return strata.ParseScope(key)
	})
}

// inScope lists what read finds in a scope. It returns nothing if the scope owns
// nothing.
func inScope[T any](ctx context.Context, t *tx, scope strata.Scope, op string, read func(scopeNo int64) ([]T, error)) ([]T, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	list, err := read(no)
	return list, wrap(op, err)
}

// inScopes returns what read finds in the first scope that has it; not_found if read
// returns [sql.ErrNoRows] for all of them.
func inScopes[T any](ctx context.Context, t *tx, scopes []strata.Scope, op, kind, id string, read func(scope strata.Scope, no int64) (T, error)) (T, error) {
	var zero T
	for _, s := range scopes {
		no, ok, err := t.scopeNo(ctx, s, false)
		if err != nil {
			return zero, err
		}
		if !ok {
			continue
		}
		v, err := read(s, no)
		if err == nil || !errors.Is(err, sql.ErrNoRows) {
			return v, wrap(op, err)
		}
	}
	return zero, strata.NotFound(op, kind, id)
}

// writeScope calls write to change rows of a scope, which gets a number if it has
// none.
func (t *tx) writeScope(ctx context.Context, op string, scope strata.Scope, write func(scopeNo int64) error) error {
	no, _, err := t.scopeNo(ctx, scope, true)
	if err == nil {
		err = write(no)
	}
	return wrap(op, err)
}

// execScope is [tx.writeScope] for one statement, whose parameter ?1 is the number of
// the scope.
func (t *tx) execScope(ctx context.Context, op string, scope strata.Scope, statement string, args ...any) error {
	return t.writeScope(ctx, op, scope, func(no int64) error {
		_, err := t.exec(ctx, statement, append([]any{no}, args...)...)
		return err
	})
}

// counters hold the next numbers, as far as a transaction has taken any. Numbers
// taken by a function that is undone are lost and not reused.
type counters struct {
	next   map[int64]int64 // by scope number
	change int64           // the last one taken; 0 if none
}

// nextNumber returns a number of the scope that was never used before.
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

// lastNumber returns the greatest number that a table has in a scope, or the number
// before the first. The rows of some tables are numbered consecutively, so that those
// beyond the ones to keep are found by arithmetic; forgetting may leave gaps.
func (t *tx) lastNumber(ctx context.Context, table string, scopeNo int64) (int64, error) {
	low, high := passage.Numbers(scopeNo)
	return t.queryInteger(ctx, `SELECT coalesce(max(number), ?1) FROM `+table+` WHERE number BETWEEN ?1 AND ?2`, low, high)
}

// keepNewest removes all rows of a table in a scope except those with the last numbers
// up to newest.
func (t *tx) keepNewest(ctx context.Context, table string, scopeNo, newest int64, keep int) error {
	low, _ := passage.Numbers(scopeNo)
	_, err := t.exec(ctx, `DELETE FROM `+table+` WHERE number BETWEEN ? AND ?`, low, newest-int64(keep))
	return err
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
