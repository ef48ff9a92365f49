package lexical

import "math/bits"

// ordinals maps the numbers of passages to their ordinals. It belongs to the newest
// version of a scope's passages; the caller holds the scope's lock.
//
// Most passages are added in ascending order of number. Each of these sets the bit
// of its number, and counting the set bits before it gives its ordinal. That takes a
// few hundred KiB for a million passages, which stay in the processor's cache while
// a list of hundreds of thousands is read.
type ordinals struct {
	first  uint32            // the number of the first bit
	sorted uint32            // how many passages were added in ascending order
	last   uint32            // the number of the last of these
	bits   bitset            // indexed by number minus first
	before []uint32          // how many passages come before each word of bits
	late   map[uint32]uint32 // ordinals of all other passages, by number
}

// sparse limits how many numbers the bits span for each passage. Passages beyond
// that are late.
const sparse = 1024

func newOrdinals() *ordinals { return &ordinals{late: make(map[uint32]uint32)} }

// add gives a passage the next ordinal, which the caller passes.
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

// find returns the ordinal of a number: the latest one, even if that passage is
// deleted.
func (o *ordinals) find(number uint32) (ordinal uint32, ok bool) {
	if len(o.late) > 0 {
		if ordinal, ok := o.late[number]; ok {
			return ordinal, true
		}
	}
	i := number - o.first // a smaller number wraps around and lies beyond all bits
	if !o.bits.has(i) {
		return 0, false
	}
	return o.before[i/64] + uint32(bits.OnesCount64(o.bits[i/64]&(1<<(i%64)-1))), true
}

// isLate reports whether an ordinal belongs to a passage that was added out of
// order.
func (o *ordinals) isLate(ordinal uint32) bool { return ordinal >= o.sorted }

// bytes returns how much memory the ordinals use.
func (o *ordinals) bytes() int64 {
	const late = 40
	return int64(8*cap(o.bits)+4*cap(o.before)) + late*int64(len(o.late))
}
