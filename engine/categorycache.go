package engine

import (
	"context"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/topics/category"
	"github.com/strata-memory/strata/store"
)

// categoryCache keeps the categories that one write used for the next: to read
// those of 100,000 facts takes as long as to store a fact. They serve as long
// as nothing else changed. One write has them at a time, as it changes them.
type categoryCache struct {
	mu     sync.Mutex
	change int64 // of the store, after which they are true
	scopes map[strata.Scope]*category.Set
}

// maxCachedCategories bounds the categories that are kept: 12 MB with vectors of
// 384 dimensions.
const maxCachedCategories = 8192

// acquire takes the categories for a transaction, if they are what it sees.
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
	c.scopes = nil // they change with the transaction, which may fail
	return nil
}

// release gives back the categories of a transaction in which all is written.
// What follows in the same commit may have them; should that fail, nobody may.
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

// drop forgets the categories.
func (c *categoryCache) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scopes = nil
}
