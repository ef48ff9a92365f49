package sqlite

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

const (
	// maxFactCache bounds the facts kept in memory, in bytes: some 10,000 with
	// vectors of 384 dimensions. What was not used for longest goes first.
	maxFactCache = 24 << 20
	// readAnew is the number of changes from which all facts of a scope are read
	// anew: so many turns may have been added that to look for the changed facts
	// among them takes longer.
	readAnew = 4096
	// smallScope is the number of facts up to which a scope's are kept whatever
	// lies beside them. In a home of many scopes to look for the words of a
	// question in one of them takes longer than to read a hundred facts: the
	// entries of a word are those of all scopes.
	smallScope = 500
	// smallUsed is how many numbers a small scope may have used for each of so
	// many facts: the versions that are no longer current must be passed over.
	smallUsed = 20
)

const (
	// fewFacts is the most facts of a scope of any size that are kept.
	fewFacts = 1024
	// outnumbered is by how much other passages must outnumber the facts.
	outnumbered = 4
)

// areFew reports whether a scope has few facts among all its passages.
func areFew(facts, all int64) bool { return facts <= fewFacts && all > outnumbered*facts }

// factCache keeps the facts of scopes that hold few of them, or few beside other
// passages, so that a search reads of the database only what changed since the
// last one. Every change of a passage has a number, and a removal leaves a
// record: a reader sees at once whether what is kept is what its transaction
// sees.
type factCache struct {
	small int64 // smallScope, for tests to change

	mu     sync.Mutex
	scopes map[int64]*cachedFacts
	bytes  int64 // of all scopes
	turn   int64 // counts the uses
}

// isSmall reports whether a scope that has used so many numbers is small by its
// facts.
func (fc *factCache) isSmall(facts, used int64) bool {
	return facts <= fc.small && used <= smallUsed*fc.small
}

// cachedFacts is what is kept of one scope.
type cachedFacts struct {
	set atomic.Pointer[factSet]

	mu sync.Mutex // held while it catches up

	bytes int64 // as counted by the cache
	used  int64 // the turn of the last use
}

// keptFacts returns the facts of a scope for a search of facts alone, as the
// transaction sees them. It returns nil where they are to be looked for in the
// database: there are many, or another time is meant, or the transaction
// writes, or is older than what is kept.
func (t *tx) keptFacts(ctx context.Context, scopeNo int64, f store.Filter) (*factSet, error) {
	if t.group != nil || len(f.Kinds) != 1 || f.Kinds[0] != strata.KindFact || f.AsOf != nil {
		return nil, nil
	}
	if set, ok := t.known[scopeNo]; ok {
		return set, nil
	}
	set, err := t.openFacts(ctx, scopeNo)
	if err != nil {
		return nil, wrap("read facts of a scope", err)
	}
	if t.known == nil {
		t.known = make(map[int64]*factSet)
	}
	t.known[scopeNo] = set
	return set, nil
}

func (t *tx) openFacts(ctx context.Context, scopeNo int64) (*factSet, error) {
	n, err := t.queryIntegers(ctx, 5, `SELECT
		coalesce((SELECT passages FROM scope_stat WHERE scope_no = ?1 AND kind = 1), 0),
		coalesce((SELECT sum(passages) FROM scope_stat WHERE scope_no = ?1), 0),
		coalesce((SELECT change FROM passage WHERE number >> 40 = ?1 ORDER BY change DESC LIMIT 1), 0),
		coalesce((SELECT change FROM removal WHERE scope_no = ?1 ORDER BY change DESC LIMIT 1), 0),
		coalesce((SELECT next FROM scope WHERE no = ?1), 0)`,
		scopeNo)
	if err != nil {
		return nil, err
	}
	facts, all, changed, removed, used := n[0], n[1], n[2], n[3], n[4]
	if !t.db.facts.isSmall(facts, used) && !areFew(facts, all) {
		return nil, nil
	}
	change := max(changed, removed)
	kept := t.db.facts.scope(scopeNo)
	if set := kept.set.Load(); set != nil && set.change == change {
		return set, nil
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	old := kept.set.Load()
	switch {
	case old != nil && old.change == change:
		return old, nil
	case old != nil && old.change > change:
		return nil, nil
	}
	var set *factSet
	if old != nil && change-old.change < readAnew {
		if set, err = t.catchUp(ctx, scopeNo, old, changed, removed); err != nil {
			return nil, err
		}
	}
	if set == nil {
		if set, err = t.readFacts(ctx, scopeNo, change); err != nil {
			return nil, err
		}
	}
	kept.set.Store(set)
	t.db.facts.keep(scopeNo, kept, set.bytes())
	return set, nil
}

// scope returns the place where the facts of a scope are kept.
func (fc *factCache) scope(no int64) *cachedFacts {
	fc.mu.Lock()
	defer fc.mu.Unlock()
	c := fc.scopes[no]
	if c == nil {
		if fc.scopes == nil {
			fc.scopes = make(map[int64]*cachedFacts)
		}
		c = new(cachedFacts)
		fc.scopes[no] = c
	}
	fc.turn++
	c.used = fc.turn
	return c
}

// keep counts the facts of a scope, of c if that is not nil, and drops those
// that were not used for longest, until all that is kept fits.
func (fc *factCache) keep(no int64, c *cachedFacts, bytes int64) {
	fc.mu.Lock()
	defer fc.mu.Unlock()
	if kept := fc.scopes[no]; kept != nil && (c == nil || c == kept) {
		fc.bytes += bytes - kept.bytes
		kept.bytes = bytes
	}
	for fc.bytes > maxFactCache {
		var oldest int64
		var first *cachedFacts
		for no, c := range fc.scopes {
			if c.bytes > 0 && (first == nil || c.used < first.used) {
				oldest, first = no, c
			}
		}
		fc.bytes -= first.bytes
		delete(fc.scopes, oldest)
	}
}

// drop gives up all that is kept.
func (fc *factCache) drop() {
	fc.mu.Lock()
	defer fc.mu.Unlock()
	fc.scopes, fc.bytes = nil, 0
}
