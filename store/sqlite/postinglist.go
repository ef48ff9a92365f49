package sqlite

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// posting says that a passage holds a term: its place above countBits, and how
// often it does below.
type posting uint32

const (
	countBits = 8
	// manyTimes stands for a count that does not fit; it is kept apart.
	manyTimes = 1<<countBits - 1
)

func (p posting) place() uint32 { return uint32(p) >> countBits }

// postingList are the passages of a scope that hold a term. Once others can see
// it nothing in it changes; the next one may share its memory.
type postingList struct {
	postings []posting // by place
	room     *memory   // what they lie in, if that is outside of the heap
	many     map[uint32]int64
	// losses are those of the set as of which the list was read: a passage that
	// was gone by then is not in it.
	losses int64
	live   atomic.Pointer[liveCount]
}

// liveCount is how many passages of a list were there when so many were gone.
type liveCount struct{ losses, live int64 }

// heapPostings is the number of postings up to which a list lies in Go's heap.
const heapPostings = 1024

// grow makes room for so many postings.
func (l *postingList) grow(n int) {
	old := l.postings
	if n <= heapPostings {
		l.postings, l.room = make([]posting, len(old), n), nil
	} else {
		l.room = newMemory(n * int(unsafe.Sizeof(posting(0))))
		l.postings = unsafe.Slice((*posting)(unsafe.Pointer(unsafe.SliceData(l.room.bytes))), n)[:len(old)]
	}
	copy(l.postings, old)
}

// add puts a passage at the end.
func (l *postingList) add(place uint32, count int64) {
	if n := len(l.postings); n == cap(l.postings) {
		l.grow(n + n/4 + 4)
	}
	if count >= manyTimes {
		if l.many == nil {
			l.many = make(map[uint32]int64)
		}
		l.many[place], count = count, manyTimes
	}
	l.postings = append(l.postings, posting(place<<countBits|uint32(count)))
}

// count is how often the passage of a posting holds the term.
func (l *postingList) count(p posting) int32 {
	if c := uint32(p) & manyTimes; c < manyTimes {
		return int32(c)
	}
	return int32(l.many[p.place()])
}

// seen are the postings of passages that a set has places for.
func (l *postingList) seen(s *postingSet) []posting {
	n := len(l.postings)
	for n > 0 && int(l.postings[n-1].place()) >= len(s.passages) {
		n--
	}
	return l.postings[:n]
}

// holds is how many passages of a set hold the term.
func (l *postingList) holds(s *postingSet) int64 {
	seen := l.seen(s)
	if l.losses == s.losses {
		return int64(len(seen))
	}
	if c := l.live.Load(); c != nil && c.losses == s.losses && len(seen) == len(l.postings) {
		return c.live
	}
	n := int64(0)
	for _, p := range seen {
		if !s.gone.has(p.place()) {
			n++
		}
	}
	if len(seen) == len(l.postings) {
		l.live.Store(&liveCount{s.losses, n})
	}
	return n
}

// bytes is about what the list takes of memory, with its entry in a map.
func (l *postingList) bytes() int64 {
	const base, each = 200, 40
	return base + 4*int64(cap(l.postings)) + each*int64(len(l.many))
}

// keptList is the list of a term, which the holder of the scope's lock replaces.
type keptList struct {
	list atomic.Pointer[postingList]
	used atomic.Int64 // the turn of the last use
}

// postingLists are the lists of the terms of a scope that were asked for.
type postingLists struct {
	mu    sync.RWMutex // guards terms; held for a moment only
	terms map[string]*keptList
	bytes atomic.Int64
	turn  atomic.Int64
}

// get returns the list of a term, or nil.
func (pl *postingLists) get(term string) *postingList {
	pl.mu.RLock()
	defer pl.mu.RUnlock()
	kept := pl.terms[term]
	if kept == nil {
		return nil
	}
	kept.used.Store(pl.turn.Add(1))
	return kept.list.Load()
}

// put adds the list of a term.
func (pl *postingLists) put(term string, l *postingList) {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	if pl.terms == nil {
		pl.terms = make(map[string]*keptList)
	}
	kept := new(keptList)
	kept.list.Store(l)
	kept.used.Store(pl.turn.Add(1))
	pl.terms[term] = kept
	pl.bytes.Add(l.bytes() + int64(len(term)))
}

// drop gives up the list of a term.
func (pl *postingLists) drop(term string) {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	pl.bytes.Add(-pl.terms[term].list.Load().bytes() - int64(len(term)))
	delete(pl.terms, term)
}

// add adds a passage to the lists of its terms. It reports false where one of
// them is not surely what the index has.
func (pl *postingLists) add(place uint32, terms string) (ok bool) {
	counts := make(map[string]int64)
	if !countTerms(terms, counts) {
		return false
	}
	pl.mu.RLock()
	defer pl.mu.RUnlock()
	for term, n := range counts {
		kept := pl.terms[term]
		if kept == nil {
			continue
		}
		old := kept.list.Load()
		next := &postingList{postings: old.postings, room: old.room, many: old.many, losses: old.losses}
		if n >= manyTimes {
			next.many = maps.Clone(old.many)
		}
		next.add(place, n)
		kept.list.Store(next)
		pl.bytes.Add(next.bytes() - old.bytes())
	}
	return true
}

// size is about what all lists take of memory.
func (pl *postingLists) size() int64 { return pl.bytes.Load() }

// dropEmpty gives up the short lists of which no passage is left: their terms
// may be words that were forgotten.
func (pl *postingLists) dropEmpty(s *postingSet) {
	const short = 64
	for term, kept := range pl.snapshot() {
		if l := kept.list.Load(); len(l.postings) > 0 && len(l.postings) <= short && l.holds(s) == 0 {
			pl.drop(term)
		}
	}
}

// dropOldest gives up the lists that were not used for longest until the others
// fit.
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

func (pl *postingLists) snapshot() map[string]*keptList {
	pl.mu.RLock()
	defer pl.mu.RUnlock()
	return maps.Clone(pl.terms)
}

// A row of termRows holds the number of a passage above hitBits, and below how
// often it holds the term.
const hitBits = 29

const termRows = `
	SELECT pack(hit) FROM (
		SELECT (rowid & 0x3ffffffff) << 29 | min(phrase_count(word), 0x1fffffff) AS hit
		FROM word WHERE word MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT -1)`

// readList reads the passages of the newest set that hold a term.
func (t *tx) readList(ctx context.Context, s *postingSet, term string) (*postingList, error) {
	low, high := numbers(s.scopeNo)
	l := &postingList{losses: s.losses}
	err := t.packed(ctx, func(packed []byte) error {
		if n := len(packed) / 8; n > 0 {
			l.grow(n)
		}
		var late []latePosting
		sorted := s.passages[:s.order.sorted]
		for ; len(packed) >= 8; packed = packed[8:] {
			hit := int64(binary.LittleEndian.Uint64(packed))
			number, count := uint32(hit>>hitBits), hit&(1<<hitBits-1)
			skip := gallop(len(sorted), func(i int) bool { return sorted[i].number >= number })
			sorted = sorted[skip:]
			place := uint32(s.order.sorted - len(sorted))
			if len(sorted) > 0 && sorted[0].number == number && !s.gone.has(place) {
				l.add(place, count)
			} else if place, ok := s.order.late[number]; ok && !s.gone.has(place) {
				late = append(late, latePosting{place, count})
			}
		}
		slices.SortFunc(late, func(a, b latePosting) int { return cmp.Compare(a.place, b.place) })
		for _, p := range late {
			l.add(p.place, p.count)
		}
		return nil
	}, termRows, anyOf([]string{term}), low, high)
	return l, err
}

// latePosting is a posting of a passage that came out of order.
type latePosting struct {
	place uint32
	count int64
}

// gallop returns the first of n indexes for which reached is true, and n if it
// is for none. It looks at few where that is near the beginning.
func gallop(n int, reached func(int) bool) int {
	low, step := 0, 1 // reached is false below low
	for low+step <= n && !reached(low+step-1) {
		low += step
		step *= 2
	}
	high := min(low+step-1, n)
	for low < high {
		if mid := int(uint(low+high) >> 1); reached(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}
