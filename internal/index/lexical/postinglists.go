package lexical

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// cachedList is the list of a term. Only the holder of the scope's lock replaces it.
type cachedList struct {
	list atomic.Pointer[postingList]
	used atomic.Int64 // the turn of the last use
}

// postingLists are the lists of the terms of a scope that have been queried.
type postingLists struct {
	mu    sync.RWMutex // guards terms; held only briefly
	terms map[string]*cachedList
	bytes atomic.Int64
	turn  atomic.Int64
}

// get returns the list of a term, or nil.
func (pl *postingLists) get(term string) *postingList {
	pl.mu.RLock()
	defer pl.mu.RUnlock()
	cached := pl.terms[term]
	if cached == nil {
		return nil
	}
	cached.used.Store(pl.turn.Add(1))
	return cached.list.Load()
}

// put adds the list of a term.
func (pl *postingLists) put(term string, l *postingList) {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	if pl.terms == nil {
		pl.terms = make(map[string]*cachedList)
	}
	cached := new(cachedList)
	cached.list.Store(l)
	cached.used.Store(pl.turn.Add(1))
	pl.terms[term] = cached
	pl.bytes.Add(l.bytes() + int64(len(term)))
}

// drop drops the list of a term.
func (pl *postingLists) drop(term string) {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	pl.bytes.Add(-pl.terms[term].list.Load().bytes() - int64(len(term)))
	delete(pl.terms, term)
}

// add adds a passage to the lists of its terms. It reports false if a term may
// differ from what the index has.
func (pl *postingLists) add(ordinal uint32, terms string) (ok bool) {
	counts := make(map[string]int64)
	if !countTerms(terms, counts) {
		return false
	}
	pl.mu.RLock()
	defer pl.mu.RUnlock()
	for term, n := range counts {
		cached := pl.terms[term]
		if cached == nil {
			continue
		}
		old := cached.list.Load()
		next := &postingList{postings: old.postings, room: old.room, many: old.many, deletedCount: old.deletedCount}
		if n >= manyTimes {
			next.many = maps.Clone(old.many)
		}
		next.add(ordinal, n)
		cached.list.Store(next)
		pl.bytes.Add(next.bytes() - old.bytes())
	}
	return true
}

// size returns about how much memory all lists use.
func (pl *postingLists) size() int64 { return pl.bytes.Load() }

// dropEmpty drops the short lists that have no live passage left: their terms may be
// words that were forgotten.
func (pl *postingLists) dropEmpty(s *passages) {
	const short = 64
	for term, cached := range pl.snapshot() {
		if l := cached.list.Load(); len(l.postings) > 0 && len(l.postings) <= short && l.holds(s) == 0 {
			pl.drop(term)
		}
	}
}

// dropOldest drops the least recently used lists until the others fit in most bytes.
func (pl *postingLists) dropOldest(most int64) {
	all := pl.snapshot()
	terms := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Compare(all[a].used.Load(), all[b].used.Load()) })
	for _, term := range terms {
		if pl.size() <= most {
			return
		}
		pl.drop(term)
	}
}

func (pl *postingLists) snapshot() map[string]*cachedList {
	pl.mu.RLock()
	defer pl.mu.RUnlock()
	return maps.Clone(pl.terms)
}
