package lexical

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/strata-memory/strata/internal/base/offheap"
)

// posting says that a passage holds a term: its ordinal above countBits, and how
// often it does below.
type posting uint32

const (
	countBits    = 8
	postingBytes = 4
	// manyTimes stands for a count that does not fit; it is kept apart.
	manyTimes = 1<<countBits - 1
)

func (p posting) ordinal() uint32 { return uint32(p) >> countBits }

// postingList are the passages of a scope that hold a term. Once others can see
// it nothing in it changes; the next one may share its memory.
type postingList struct {
	postings []posting       // by ordinal
	room     *offheap.Memory // what they lie in, if that is outside of the heap
	many     map[uint32]int64
	// deletedCount are those of the passages as of which the list was read: one that
	// was deleted by then is not in it.
	deletedCount int64
	live         atomic.Pointer[liveCount]
}

// liveCount is how many passages of a list were there when so many were deleted.
type liveCount struct{ deletedCount, live int64 }

// newPostingList makes the list of a term of its entries: of those of passages
// that are there. The passages are the newest.
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

// heapPostings is the number of postings up to which a list lies in Go's heap.
const heapPostings = 1024

// grow makes room for so many postings.
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
	runtime.KeepAlive(l.room) // what is copied lies in it
	l.postings, l.room = postings, room
}

// add puts a passage at the end.
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

// count is how often the passage of a posting holds the term.
func (l *postingList) count(p posting) int32 {
	if c := uint32(p) & manyTimes; c < manyTimes {
		return int32(c)
	}
	return int32(l.many[p.ordinal()])
}

// seen are the postings of those passages that some have ordinals for.
func (l *postingList) seen(s *passages) []posting {
	n := len(l.postings)
	for n > 0 && int(l.postings[n-1].ordinal()) >= len(s.list) {
		n--
	}
	return l.postings[:n]
}

// holds is how many passages hold the term.
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

// bytes is about what the list takes of memory, with its entry in a map.
func (l *postingList) bytes() int64 {
	const base, each = 200, 40
	return base + postingBytes*int64(cap(l.postings)) + each*int64(len(l.many))
}
