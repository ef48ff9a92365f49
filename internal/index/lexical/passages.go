package lexical

import (
	"runtime"
	"slices"
	"unsafe"

	"github.com/strata-memory/strata/internal/base/offheap"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// passages are the passages of a scope as of a change number. They are immutable
// once other goroutines can see them. Successive versions share memory: a new
// version appends beyond what the older ones see.
type passages struct {
	scope  int64
	change int64
	// list is in the order in which passages were added. A passage's place in it is its
	// ordinal, which posting lists refer to. A passage that changes gets a new ordinal,
	// and its old one is deleted.
	list         []cachedPassage
	room         *offheap.Memory // the memory that holds list
	lengths      []length
	deleted      bitset
	deletedCount int64 // how many are deleted
	totals       Totals
	ordinals     *ordinals
	lists        *postingLists
}

func newPassages(scope, change int64, totals Totals) *passages {
	s := &passages{scope: scope, change: change, totals: totals, ordinals: newOrdinals(), lists: new(postingLists)}
	n := totals.Of(^0).Passages
	s.reserve(int(n + n/16 + 64))
	return s
}

// find returns the ordinal of a passage that is not deleted.
func (s *passages) find(number uint32) (ordinal uint32, ok bool) {
	ordinal, ok = s.ordinals.find(number)
	return ordinal, ok && !s.deleted.has(ordinal)
}

// add appends a passage, without affecting older versions. It reports false if there
// are too many passages.
func (s *passages) add(p cachedPassage) (ordinal uint32, ok bool) {
	at := len(s.list)
	if at == maxCached {
		return 0, false
	}
	if at == cap(s.list) {
		s.reserve(at + at/4 + 64)
	}
	s.ordinals.add(p.number, uint32(at))
	s.list = append(s.list, p)
	s.lengths = append(s.lengths, p.length())
	return uint32(at), true
}

// reserve makes room for n passages.
func (s *passages) reserve(n int) {
	room := offheap.New(n * cachedBytes)
	list := unsafe.Slice((*cachedPassage)(unsafe.Pointer(unsafe.SliceData(room.Bytes))), n)[:len(s.list)]
	copy(list, s.list)
	runtime.KeepAlive(s.room) // s.list lies in it
	s.room, s.list = room, list
	s.lengths = append(make([]length, 0, n), s.lengths...)
}

// deletions deletes passages from a version that other goroutines do not see yet,
// although they may see its bitmap.
type deletions struct {
	*passages
	own bool // the bitmap was copied
}

func (d *deletions) delete(number int64) {
	at, ok := d.find(uint32(number & lowMask))
	if !ok {
		return
	}
	if !d.own || int(at/64) >= len(d.deleted) {
		d.own = true
		d.deleted = append(slices.Clone(d.deleted), make(bitset, len(d.list)/64+1-len(d.deleted))...)
	}
	d.deleted.set(at)
	d.deletedCount++
}

// fragmented reports whether so many passages are deleted, or were added out of
// order, that reading them all anew is better.
func (s *passages) fragmented() bool {
	n := len(s.list)
	return s.deletedCount > int64(1024+n/3) || len(s.ordinals.late) > 4096+n/2
}

// fixedBytes returns how much memory the passages use without their lists.
func (s *passages) fixedBytes() int64 {
	const base = 1000
	return base + int64(len(s.room.Bytes)+cap(s.lengths)+8*len(s.deleted)) + s.ordinals.bytes()
}

// passing lists the passages that pass a filter and, if parents is not empty, belong
// to one of the parents.
func (s *passages) passing(f *passage.Filter, parents []int64) (list []int64) {
	var inside []uint32 // usually three
	for _, p := range parents {
		if passage.Scope(p) == s.scope {
			inside = append(inside, uint32(p&lowMask))
		}
	}
	for i := range s.list {
		p := &s.list[i]
		if (len(parents) == 0 || slices.Contains(inside, p.parent)) && p.passes(s.scope, f) && !s.deleted.has(uint32(i)) {
			list = append(list, s.scope<<passage.ScopeBits|int64(p.number))
		}
	}
	return list
}

// metas returns the passages with some ordinals as ranking sees them.
func (s *passages) metas(ordinals []uint32) []store.Meta {
	out := make([]store.Meta, len(ordinals))
	for i, at := range ordinals {
		out[i] = s.list[at].meta(s.scope)
	}
	return out
}
