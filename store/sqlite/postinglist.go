package sqlite

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/strata-memory/strata/internal/offheap"
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
	postings []posting       // by place
	room     *offheap.Memory // what they lie in, if that is outside of the heap
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
	var room *offheap.Memory
	var postings []posting
	if n <= heapPostings {
		postings = make([]posting, len(l.postings), n)
	} else {
		room = offheap.New(n * int(unsafe.Sizeof(posting(0))))
		postings = unsafe.Slice((*posting)(unsafe.Pointer(unsafe.SliceData(room.Bytes))), n)[:len(l.postings)]
	}
	copy(postings, l.postings)
	runtime.KeepAlive(l.room) // what is copied lies in it
	l.postings, l.room = postings, room
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
