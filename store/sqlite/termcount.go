package sqlite

import (
	"context"
	"sync"
)

// termCounts returns how many passages of a scope hold each term, retired ones
// included. A count made while the scope held nearly as many passages as now
// is taken again: a term's share of a large scope hardly changes.
func (t *tx) termCounts(ctx context.Context, scopeNo int64, terms []string, total int64) ([]int64, error) {
	low, high := numbers(scopeNo)
	counts := make([]int64, len(terms))
	for i, term := range terms {
		key := countedTerm{scopeNo, term}
		if n, ok := t.db.counts.get(key, total); ok {
			counts[i] = n
			continue
		}
		// Counting what a query finds is the quickest way to ask FTS5: its own
		// table of counts walks through every position.
		err := t.queryRow(ctx, `SELECT count(*) FROM word WHERE word MATCH ? AND rowid BETWEEN ? AND ?`,
			anyOf([]string{term}), low, high).Scan(&counts[i])
		if err != nil {
			return nil, err
		}
		t.db.counts.put(key, counts[i], total)
	}
	return counts, nil
}

const (
	// maxCounted bounds the counts kept; beyond it they are counted anew.
	maxCounted = 1 << 14
	// driftShare is by what part of its passages a scope may grow or shrink
	// before its counts are made again.
	driftShare = 50
)

type countedTerm struct {
	scopeNo int64
	term    string
}

type termCount struct{ passages, total int64 }

// countCache keeps counts of terms. The zero cache is ready.
type countCache struct {
	mu     sync.Mutex // guards counts
	counts map[countedTerm]termCount
}

// get returns a count made while the scope held about total passages.
func (c *countCache) get(key countedTerm, total int64) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.counts[key]
	drift := max(total-n.total, n.total-total)
	return n.passages, ok && drift*driftShare <= total
}

func (c *countCache) put(key countedTerm, passages, total int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil || len(c.counts) >= maxCounted {
		c.counts = make(map[countedTerm]termCount)
	}
	c.counts[key] = termCount{passages, total}
}
