package lexical

import "math/bits"

// ordinals finds the ordinals of passages by their numbers. It belongs to the
// newest passages of a scope, and is used by the holder of the scope's lock.
//
// Passages mostly come by rising number. Of these a bit for each number tells
// whether it is theirs, and the bits before it count their ordinals: a few hundred
// KiB for a million passages, which stay near the processor while a list of
// hundreds of thousands is read.
type ordinals struct {
	first  uint32            // the number of the first bit
	sorted uint32            // passages that came by rising number
	last   uint32            // the number of the last of them
	bits   bitset            // by number less first
	before []uint32          // passages before each word of bits
	late   map[uint32]uint32 // ordinals of others, by number
}

// sparse is how many numbers the bits span for each passage at most. What lies
// beyond is late.
const sparse = 1024

func newOrdinals() *ordinals { return &ordinals{late: make(map[uint32]uint32)} }

// add gives a passage the ordinal behind all others.
func (o *ordinals) add(number, ordinal uint32) {
	if ordinal == 0 {
		o.first = number
	}
	rises := ordinal == o.sorted && (ordinal == 0 || number > o.last)
	if !rises || uint64(number-o.first) > sparse*(uint64(ordinal)+sparse) {
		o.late[number] = ordinal
		return
	}
	i := number - o.first
	for len(o.bits) <= int(i/64) {
		o.bits, o.before = append(o.bits, 0), append(o.before, ordinal)
	}
	o.bits.set(i)
	o.sorted, o.last = o.sorted+1, number
}

// find returns the ordinal that a number has, or had last.
func (o *ordinals) find(number uint32) (ordinal uint32, ok bool) {
	if len(o.late) > 0 {
		if ordinal, ok := o.late[number]; ok {
			return ordinal, true
		}
	}
	i := number - o.first // of a smaller number it lies beyond all bits
	if !o.bits.has(i) {
		return 0, false
	}
	return o.before[i/64] + uint32(bits.OnesCount64(o.bits[i/64]&(1<<(i%64)-1))), true
}

// isLate reports whether an ordinal is that of a passage which came out of order.
func (o *ordinals) isLate(ordinal uint32) bool { return ordinal >= o.sorted }

// bytes is what they take of memory.
func (o *ordinals) bytes() int64 {
	const late = 40
	return int64(8*cap(o.bits)+4*cap(o.before)) + late*int64(len(o.late))
}
