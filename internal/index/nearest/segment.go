package nearest

import (
	"slices"

	"github.com/strata-memory/strata/internal/base/offheap"
	"github.com/strata-memory/strata/vector"
)

// segmentBlocks is the largest number of blocks in a segment. A change copies its
// segment, 400 KiB for 384 dimensions, which takes less time than reading a few
// blocks; a million codes make about a hundred segments.
const segmentBlocks = 64

// segment is a part of the codes of a head. It is immutable once other goroutines
// can see it.
type segment struct {
	dim     int
	ids     []int64         // of the blocks
	numbers []int64         // of the passages, BlockCodes for each block; 0 in an empty slot
	empty   []int32         // the empty slots
	groups  *offheap.Memory // the codes, for vector.Probe.Scan, with room for more blocks
}

func newSegment(dim, blocks int) *segment {
	return &segment{dim: dim, groups: offheap.New(blocks * BlockCodes * vector.CodeBytes(dim))}
}

// capacity returns how many blocks the segment can hold.
func (s *segment) capacity() int { return len(s.groups.Bytes) / (BlockCodes * vector.CodeBytes(s.dim)) }

// clone returns a copy with room for capacity blocks, and at least for those it has.
func (s *segment) clone(capacity int) *segment {
	c := newSegment(s.dim, max(capacity, len(s.ids)))
	c.ids, c.numbers, c.empty = slices.Clone(s.ids), slices.Clone(s.numbers), slices.Clone(s.empty)
	copy(c.groups.Bytes, s.groups.Bytes)
	return c
}

// put writes a block at a position, which may be one past the last.
func (s *segment) put(at int, b Block) error {
	size := BlockCodes * vector.CodeBytes(s.dim)
	if at == len(s.ids) {
		s.ids = append(s.ids, 0)
		s.numbers = append(s.numbers, make([]int64, BlockCodes)...)
	}
	s.ids[at] = b.ID
	low := at * BlockCodes
	s.empty = slices.DeleteFunc(s.empty, func(slot int32) bool { return int(slot) >= low && int(slot) < low+BlockCodes })
	for i := range BlockCodes {
		var n int64
		if i < b.Slots() {
			n = b.Number(i)
		}
		s.numbers[low+i] = n
		if n == 0 {
			s.empty = append(s.empty, int32(low+i))
		}
	}
	codes := b.Codes
	if len(codes) < size { // the block is not full
		codes = append(slices.Clone(codes), make([]byte, size-len(codes))...)
	}
	return vector.Interleave(s.groups.Bytes[at*size:(at+1)*size], codes, s.dim)
}

// live returns how many passages the segment holds.
func (s *segment) live() int { return len(s.numbers) - len(s.empty) }
