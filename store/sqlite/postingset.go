package sqlite

import (
	"math"
	"runtime"
	"unsafe"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/internal/offheap"
	"github.com/strata-memory/strata/store"
)

// postedPassage is what a search by words must know of a passage. Numbers are
// those below the scope's.
type postedPassage struct {
	number, parent, seq uint32
	words               uint32 // and the kind, type and retirement below wordShift
}

const (
	wordShift   = 8
	kindBits    = 3 // mask of the kind
	typeShift   = 2
	typeBits    = 15 // mask of the type
	retiredFlag = 1 << 6
	noFlag      = 1 << 7 // what is left of the byte
	lowBits     = 1<<passage.ScopeBits - 1
	// maxPosted is the most passages of a scope: a posting has 24 bits for one.
	maxPosted = 1<<24 - 1
)

// postPassage packs a passage. It reports false where a number is too large.
func postPassage(scopeNo, number, parent, seq, words, kind, code int64, retired bool) (postedPassage, bool) {
	n, p := number&lowBits, parent&lowBits
	if passage.Scope(number) != scopeNo || passage.Scope(parent) != scopeNo || max(n, p, seq) > math.MaxUint32 || seq < 0 ||
		words < 0 || words >= 1<<(32-wordShift) || kind < 0 || kind > kindBits || code < 0 || code > typeBits {
		return postedPassage{}, false
	}
	bits := uint32(kind) | uint32(code)<<typeShift
	if retired {
		bits |= retiredFlag
	}
	return postedPassage{number: uint32(n), parent: uint32(p), seq: uint32(seq), words: uint32(words)<<wordShift | bits}, true
}

// meta is the passage as ranking sees it.
func (p postedPassage) meta(scopeNo int64) store.Meta {
	return store.Meta{
		Number: scopeNo<<passage.ScopeBits | int64(p.number), Parent: scopeNo<<passage.ScopeBits | int64(p.parent), Seq: int64(p.seq),
		Words: int32(p.words >> wordShift), Kind: passage.KindOf(int64(p.words & kindBits)),
	}
}

// brief is what most searches must know of a passage, in a byte: those of a
// million lie near the processor, and the passages themselves do not. It is the
// number of words of a current fact that has less than manyWords, else
// manyWords.
type brief uint8

const manyWords = 255

func (p postedPassage) brief() brief {
	if words := p.words >> wordShift; words < manyWords && p.words&retiredFlag == 0 && passage.KindOf(int64(p.words&kindBits)) == strata.KindFact {
		return brief(words)
	}
	return manyWords
}

// postingSet are the passages of a scope as of a change number. Once others can
// see it nothing in it changes. Sets that follow each other share their memory:
// what is new is written behind what the older ones see.
type postingSet struct {
	scopeNo int64
	change  int64
	// passages are in the order in which they came; their places are what lists
	// refer to. One that changed has a new place, and its old one is gone.
	passages []postedPassage
	room     *offheap.Memory // what passages lie in
	briefs   []brief         // of the passages
	gone     bitset
	losses   int64 // how many places are gone
	totals   kindTotals
	order    *postedOrder
	lists    *postingLists
}

// find returns the place of a passage that is there.
func (s *postingSet) find(number uint32) (place uint32, ok bool) {
	place, ok = s.order.place(number)
	return place, ok && !s.gone.has(place)
}

// add puts a passage behind the others. What older sets see stays as it is.
func (s *postingSet) add(p postedPassage) (place uint32) {
	at := len(s.passages)
	if at == cap(s.passages) {
		s.reserve(at + at/4 + 64)
	}
	s.order.add(p.number, uint32(at))
	s.passages = append(s.passages, p)
	s.briefs = append(s.briefs, p.brief())
	return uint32(at)
}

// reserve makes room for so many passages.
func (s *postingSet) reserve(n int) {
	room := offheap.New(n * int(unsafe.Sizeof(postedPassage{})))
	passages := unsafe.Slice((*postedPassage)(unsafe.Pointer(unsafe.SliceData(room.Bytes))), n)[:len(s.passages)]
	copy(passages, s.passages)
	runtime.KeepAlive(s.room) // what is copied lies in it
	s.room, s.passages = room, passages
	s.briefs = append(make([]brief, 0, n), s.briefs...)
}

// fixedBytes is what the set takes of memory beside its lists.
func (s *postingSet) fixedBytes() int64 {
	const base = 1000
	return base + int64(len(s.room.Bytes)+cap(s.briefs)+8*len(s.gone)) + s.order.bytes()
}

// worn reports whether so many places are gone, or so many passages came out of
// order, that reading all anew is better.
func (s *postingSet) worn() bool {
	n := len(s.passages)
	return s.losses > int64(1024+n/3) || len(s.order.late) > 4096+n/2
}

// kindTotals are the counts of the current passages of a scope, by kind.
type kindTotals [kindBits + 1]amount

// of sums up the kinds of a mask.
func (k kindTotals) of(mask int64) (sum amount) {
	for kind, a := range k {
		if mask>>kind&1 != 0 {
			sum.passages += a.passages
			sum.words += a.words
		}
	}
	return sum
}

func (k kindTotals) all() amount { return k.of(^0) }

// bitset has a bit for each place; none beyond its end.
type bitset []uint64

func (b bitset) has(i uint32) bool { return int(i/64) < len(b) && b[i/64]>>(i%64)&1 != 0 }

func (b bitset) set(i uint32) { b[i/64] |= 1 << (i % 64) }
