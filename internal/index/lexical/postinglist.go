package lexical

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/strata-memory/strata/internal/base/offheap"
)

// posting says that a passage holds a term: the upper bits are its ordinal, the
// lower countBits how often it holds the term.
type posting uint32

const (
	countBits    = 8
	postingBytes = 4
	// manyTimes stands for a count that does not fit, which is kept in a map.
	manyTimes = 1<<countBits - 1
)

func (p posting) ordinal() uint32 { return uint32(p) >> countBits }

// postingList lists the passages of a scope that hold a term. It is immutable once
// other goroutines can see it; its successor may share its memory.
type postingList struct {
	postings []posting       // by ordinal
	room     *offheap.Memory // the memory that holds postings, if that is outside the heap
	many     map[uint32]int64
	// deletedCount is the deletedCount of the passages for which the list was built.
	// Passages that were deleted by then are not in it.
	deletedCount int64
	live         atomic.Pointer[liveCount]
}

// liveCount is how many passages of a list were live when the deletedCount of the
// passages was as given.
type liveCount struct{ deletedCount, live int64 }

// newPostingList builds the list of a term from its entries, leaving out passages
// that are deleted. s must be the newest version.
func newPostingList(s *passages, entries []Entry) *postingList {
	l := &postingList{deletedCount: s.deletedCount}
	if n := len(entries); n > 0 {
		l.grow(n)
	}
	type latePosting struct {
		ordinal uint32
		count   int64
	}
	var late []latePosting
	for _, e := range entries {
		at, ok := s.find(uint32(e.low()))
		switch {
		case !ok:
		case s.ordinals.isLate(at):
			late = append(late, latePosting{at, e.count()})
		default:
			l.add(at, e.count())
		}
	}
	slices.SortFunc(late, func(a, b latePosting) int { return cmp.Compare(a.ordinal, b.ordinal) })
	for _, p := range late {
		l.add(p.ordinal, p.count)
	}
	return l
}

// heapPostings is the largest number of postings kept in Go's heap.
const heapPostings = 1024

// grow makes room for n postings.
func (l *postingList) grow(n int) {
	var room *offheap.Memory
	var postings []posting
	if n <= heapPostings {
		postings = make([]posting, len(l.postings), n)
	} else {
		room = offheap.New(n * postingBytes)
		postings = unsafe.Slice((*posting)(unsafe.Pointer(unsafe.SliceData(room.Bytes))), n)[:len(l.postings)]
	}
	copy(postings, l.postings)
	runtime.KeepAlive(l.room) // the old postings lie in it
	l.postings, l.room = postings, room
}

// add appends a passage.
func (l *postingList) add(ordinal uint32, count int64) {
	if n := len(l.postings); n == cap(l.postings) {
		l.grow(n + n/4 + 4)
	}
	if count >= manyTimes {
		if l.many == nil {
			l.many = make(map[uint32]int64)
		}
		l.many[ordinal], count = count, manyTimes
	}
	l.postings = append(l.postings, posting(ordinal<<countBits|uint32(count)))
}

// count returns how often the passage of a posting holds the term.
func (l *postingList) count(p posting) int32 {
	if c := uint32(p) & manyTimes; c < manyTimes {
		return int32(c)
	}
	return int32(l.many[p.ordinal()])
}

// seen returns the postings that s has ordinals for.
func (l *postingList) seen(s *passages) []posting {
	n := len(l.postings)
	for n > 0 && int(l.postings[n-1].ordinal()) >= len(s.list) {
		n--
	}
	return l.postings[:n]
}

// holds returns how many of the passages in s hold the term.
func (l *postingList) holds(s *passages) int64 {
	seen := l.seen(s)
	if l.deletedCount == s.deletedCount {
		return int64(len(seen))
	}
	if c := l.live.Load(); c != nil && c.deletedCount == s.deletedCount && len(seen) == len(l.postings) {
		return c.live
	}
	n := int64(0)
	for _, p := range seen {
		if !s.deleted.has(p.ordinal()) {
			n++
		}
	}
	if len(seen) == len(l.postings) {
		l.live.Store(&liveCount{s.deletedCount, n})
	}
	return n
}

// bytes returns about how much memory the list and its map entry use.
func (l *postingList) bytes() int64 {
	const base, each = 200, 40
	return base + postingBytes*int64(cap(l.postings)) + each*int64(len(l.many))
}
