package small

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/lru"
	"github.com/strata-memory/strata/store"
)

const (
	// maxBytes bounds the facts kept in memory: about 60,000. The least recently used
	// are dropped first.
	maxBytes = 24 << 20
	// maxCatchUp is the number of changes from which all facts of a scope are read
	// anew: so many turns may have been added that finding the changed facts among them
	// takes longer.
	maxCatchUp = 4096
)

// These constants decide which scopes are kept.
const (
	// maxFacts is the largest number of facts in a scope that is kept whatever else it
	// holds.
	maxFacts = 500
	// usedPerFact is how many numbers such a scope may have used for each of maxFacts,
	// since a read must skip the versions that are no longer current.
	usedPerFact = 20
	// maxOutnumbered is the largest number of facts in a scope that is kept because its
	// passages outnumber its facts by more than the factor outnumbered.
	maxOutnumbered = 1024
	outnumbered    = 4
)

// Cache keeps the facts of scopes in memory. The zero value is empty and ready for
// use. A Cache is safe for concurrent use.
type Cache struct {
	// MaxFacts is the largest number of facts in a scope that is kept whatever else it
	// holds. 0 means 500; a negative number means none. It must be set before the first
	// use.
	MaxFacts int64

	scopes lru.Cache[cached]
}

// cached is what the cache keeps of one scope.
type cached struct {
	set atomic.Pointer[Set]

	mu sync.Mutex // held while the set catches up
}

// Serves reports whether a [Set] can answer searches with a filter: the filter must
// ask for current facts only.
func Serves(f store.Filter) bool {
	return len(f.Kinds) == 1 && f.Kinds[0] == strata.KindFact && f.AsOf == nil
}

// Facts returns the current facts of a scope as the transaction of src sees them,
// for searches that [Serves] allows. src must be of a read transaction, since what a
// writer sees may never be committed. Facts returns nil if the caller must search
// the store: there are many facts, or the transaction is older than the facts in
// memory.
func (c *Cache) Facts(ctx context.Context, src Source, scope int64) (*Set, error) {
	now, err := src.Scope(ctx, scope)
	if err != nil || !c.keeps(now) {
		return nil, err
	}
	change := max(now.Changed, now.Removed)
	entry := c.scopes.Get(scope)
	kept := &entry.Value
	if set := kept.set.Load(); set != nil && set.change == change {
		return set, nil
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	old := kept.set.Load()
	switch {
	case old == nil:
	case old.change == change:
		return old, nil
	case old.change > change:
		return nil, nil
	}
	facts, err := readFacts(ctx, src, scope, now, old)
	if err != nil {
		return nil, err
	}
	set := newSet(c, scope, change, facts)
	kept.set.Store(set)
	c.scopes.Count(scope, entry, set.bytes(), maxBytes)
	return set, nil
}

// keeps reports whether the cache keeps the facts of a scope.
func (c *Cache) keeps(s Scope) bool {
	most := c.MaxFacts
	if most == 0 {
		most = maxFacts
	}
	return s.Facts <= most && s.Used <= usedPerFact*most ||
		s.Facts <= maxOutnumbered && s.Passages > outnumbered*s.Facts
}

// readFacts returns the facts of a scope, reading only what changed since old was
// read. A nil old reads them all.
func readFacts(ctx context.Context, src Source, scope int64, now Scope, old *Set) (facts []*fact, err error) {
	add := func(f Fact) error {
		facts = append(facts, newFact(f))
		return nil
	}
	if old == nil || max(now.Changed, now.Removed)-old.change >= maxCatchUp {
		return facts, src.Current(ctx, scope, add)
	}
	var removed []int64
	if now.Removed > old.change {
		if removed, err = src.Removed(ctx, scope, old.change); err != nil {
			return nil, err
		}
		if slices.Contains(removed, 0) {
			return facts, src.Current(ctx, scope, add)
		}
	}
	if err := src.Changed(ctx, scope, old.change, add); err != nil {
		return nil, err
	}
	if len(removed)+len(facts) == 0 { // only turns changed, for example
		return old.facts, nil
	}
	gone := make(map[int64]bool, len(removed)+len(facts))
	for _, n := range removed {
		gone[n] = true
	}
	for _, f := range facts {
		gone[f.row.Number] = true
	}
	for _, f := range old.facts {
		if !gone[f.row.Number] {
			facts = append(facts, f)
		}
	}
	return facts, nil
}

// Bytes returns about how much memory the facts use.
func (c *Cache) Bytes() int64 { return c.scopes.Bytes() }

// Drop drops everything in memory.
func (c *Cache) Drop() { c.scopes.Drop() }
