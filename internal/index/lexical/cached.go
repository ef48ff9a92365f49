package lexical

import (
	"encoding/binary"
	"math"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// cachedPassage holds what a search by words needs to know of a passage. Its numbers
// leave out the scope.
type cachedPassage struct {
	number, parent, seq uint32
	words               uint32 // the word count, above wordShift; the kind, type and retirement, below
}

const (
	wordShift  = 8
	kindMask   = 3
	typeShift  = 2
	typeMask   = 15
	retiredBit = 1 << 6
	unusedBit  = 1 << 7 // the last bit of the byte

	// cachedBytes is the size of a passage in memory and in a block.
	cachedBytes = 16
	// maxCached is the largest number of passages in a scope: a posting has 24 bits for
	// an ordinal.
	maxCached = 1<<24 - 1
)

// newCached packs a passage. It reports false if a number is too large.
func newCached(scope int64, r *passage.Row) (cachedPassage, bool) {
	n, p, kind := r.Number&lowMask, r.Parent&lowMask, passage.KindCode(r.Kind)
	if passage.Scope(r.Number) != scope || passage.Scope(r.Parent) != scope || max(n, p, r.Seq) > math.MaxUint32 || r.Seq < 0 ||
		r.Words < 0 || r.Words >= 1<<(32-wordShift) || kind == 0 || r.Type < 0 || r.Type > typeMask {
		return cachedPassage{}, false
	}
	bits := uint32(kind) | uint32(r.Type)<<typeShift
	if r.Retired != 0 {
		bits |= retiredBit
	}
	return cachedPassage{uint32(n), uint32(p), uint32(r.Seq), uint32(r.Words)<<wordShift | bits}, true
}

// meta returns the passage as ranking sees it.
func (p cachedPassage) meta(scope int64) store.Meta {
	return store.Meta{
		Number: scope<<passage.ScopeBits | int64(p.number), Parent: scope<<passage.ScopeBits | int64(p.parent), Seq: int64(p.seq),
		Words: int32(p.words >> wordShift), Kind: passage.KindOf(int64(p.words & kindMask)),
		Speech: passage.SpeechOf(int64(p.words >> typeShift & typeMask)),
	}
}

// passes reports whether a passage of a scope is current and passes a filter.
func (p *cachedPassage) passes(scope int64, f *passage.Filter) bool {
	return p.words&retiredBit == 0 &&
		f.PassesCodes(int64(p.words&kindMask), int64(p.words>>typeShift&typeMask), scope<<passage.ScopeBits|int64(p.parent))
}

// length is what most searches need to know of a passage, in one byte: the lengths
// of a million passages fit in the processor's cache, the passages themselves do
// not. It is the word count of a current fact with fewer than manyWords words, and
// manyWords for any other passage.
type length uint8

const manyWords = 255

func (p cachedPassage) length() length {
	if words := p.words >> wordShift; words < manyWords && p.words&retiredBit == 0 && int64(p.words&kindMask) == passage.KindCode(strata.KindFact) {
		return length(words)
	}
	return manyWords
}

// appendTo packs the passage for a block.
func (p cachedPassage) appendTo(packed []byte) []byte {
	for _, n := range [4]uint32{p.number, p.parent, p.seq, p.words} {
		packed = binary.LittleEndian.AppendUint32(packed, n)
	}
	return packed
}

// unpackCached is the inverse of appendTo. It reports false if the bytes are not
// those of a passage.
func unpackCached(packed []byte) (p cachedPassage, ok bool) {
	p = cachedPassage{
		number: binary.LittleEndian.Uint32(packed),
		parent: binary.LittleEndian.Uint32(packed[4:]),
		seq:    binary.LittleEndian.Uint32(packed[8:]),
		words:  binary.LittleEndian.Uint32(packed[12:]),
	}
	return p, p.words&unusedBit == 0 && p.words&kindMask != 0
}

// bitset has one bit for each ordinal. Bits beyond its end are 0.
type bitset []uint64

func (b bitset) has(i uint32) bool { return int(i/64) < len(b) && b[i/64]>>(i%64)&1 != 0 }

func (b bitset) set(i uint32) { b[i/64] |= 1 << (i % 64) }
