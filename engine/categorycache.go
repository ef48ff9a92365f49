package engine

import (
	"context"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/topics/category"
	"github.com/strata-memory/strata/store"
)

// categoryCache passes the categories that one write used to the next, because reading
// those of 100,000 facts takes as long as storing a fact. They are valid until anything
// else changes. Only one write has them at a time, since it modifies them.
type categoryCache struct {
	mu     sync.Mutex
	change int64 // of the store, at which they were valid
	scopes map[strata.Scope]*category.Set
}

// maxCachedCategories bounds the number of cached categories: 12 MB with vectors of 384
// dimensions.
const maxCachedCategories = 8192

// acquire takes the categories for a transaction if they match what it sees.
func (c *categoryCache) acquire(ctx context.Context, w store.Writer, l *lookups) error {
	change, err := w.LastChange(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.scopes != nil && c.change == change {
		l.categories = c.scopes
	}
	c.scopes = nil // the transaction changes them, and may fail
	return nil
}

// release returns the categories of a transaction that has written everything. A later
// transaction of the same commit may use them. If the commit fails, they are dropped.
func (c *categoryCache) release(ctx context.Context, w store.Writer, l *lookups) error {
	change, err := w.LastChange(ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, s := range l.categories {
		n += s.Len()
	}
	if n > maxCachedCategories {
		return nil
	}
	w.OnUndo(c.drop)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.change, c.scopes = change, l.categories
	return nil
}

// drop discards the categories.
func (c *categoryCache) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scopes = nil
}
