package sqlite

import "math/bits"

// postedOrder finds the places of passages by their numbers. It belongs to the
// newest set, and is used by the holder of the scope's lock.
//
// Passages mostly come by rising number. Of these a bit for each number tells
// whether it is theirs, and the bits before it count their places: a few hundred
// KiB for a million passages, which stay near the processor while a list of
// hundreds of thousands is read.
type postedOrder struct {
	first  uint32            // the number of the first bit
	sorted uint32            // passages that came by rising number
	last   uint32            // the number of the last of them
	bits   bitset            // by number less first
	before []uint32          // passages before each word of bits
	late   map[uint32]uint32 // places of others, by number
}

// sparse is how many numbers the bits span for each passage at most. What lies
// beyond is late.
const sparse = 1024

func newPostedOrder() *postedOrder { return &postedOrder{late: make(map[uint32]uint32)} }

// add puts a passage at the place behind all others.
func (o *postedOrder) add(number, place uint32) {
	if place == 0 {
		o.first = number
	}
	rises := place == o.sorted && (place == 0 || number > o.last)
	if !rises || uint64(number-o.first) > sparse*(uint64(place)+sparse) {
		o.late[number] = place
		return
	}
	i := number - o.first
	for len(o.bits) <= int(i/64) {
		o.bits, o.before = append(o.bits, 0), append(o.before, place)
	}
	o.bits.set(i)
	o.sorted, o.last = o.sorted+1, number
}

// place returns where the passage with a number is, or was last.
func (o *postedOrder) place(number uint32) (place uint32, ok bool) {
	if len(o.late) > 0 {
		if place, ok := o.late[number]; ok {
			return place, true
		}
	}
	i := number - o.first // of a smaller number it lies beyond all bits
	if !o.bits.has(i) {
		return 0, false
	}
	return o.before[i/64] + uint32(bits.OnesCount64(o.bits[i/64]&(1<<(i%64)-1))), true
}

// isLate reports whether a place is that of a passage which came out of order.
func (o *postedOrder) isLate(place uint32) bool { return place >= o.sorted }

// bytes is what it takes of memory.
func (o *postedOrder) bytes() int64 {
	const late = 40
	return int64(8*cap(o.bits)+4*cap(o.before)) + late*int64(len(o.late))
}
