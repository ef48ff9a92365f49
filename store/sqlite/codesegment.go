package sqlite

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync/atomic"

	"github.com/strata-memory/strata/vector"
)

// segmentBlocks is how many blocks a segment holds at most. A change copies the
// segment it is in, 400 KiB for 384 dimensions, which takes less than reading a
// few blocks does; and a million codes are a hundred segments.
const segmentBlocks = 64

// segment is a part of the codes of a head. Once others can see it nothing in it
// changes, save that fine codes are added as they are needed.
type segment struct {
	dim     int
	ids     []int64                   // of the blocks
	numbers []int64                   // the passages, blockCodes of each block; 0 where there is none
	none    []int32                   // the slots where there is none
	groups  *memory                   // the codes, for vector.Probe.Scan, with room for more blocks
	fine    []*atomic.Pointer[memory] // those of each block; nil in it before they are needed
}

func newSegment(dim, blocks int) *segment {
	return &segment{dim: dim, groups: newMemory(blocks * blockCodes * vector.CodeBytes(dim))}
}

// room is how many blocks the segment can hold.
func (s *segment) room() int { return len(s.groups.bytes) / (blockCodes * vector.CodeBytes(s.dim)) }

// clone returns a copy with room for so many blocks, at least those it has.
func (s *segment) clone(room int) *segment {
	c := newSegment(s.dim, max(room, len(s.ids)))
	c.ids, c.numbers, c.none, c.fine = slices.Clone(s.ids), slices.Clone(s.numbers), slices.Clone(s.none), slices.Clone(s.fine)
	copy(c.groups.bytes, s.groups.bytes)
	return c
}

// put writes a block to a place, which may be one beyond the last.
func (s *segment) put(at int, b storedBlock) error {
	size := blockCodes * vector.CodeBytes(s.dim)
	if at == len(s.ids) {
		s.ids = append(s.ids, 0)
		s.fine = append(s.fine, nil)
		s.numbers = append(s.numbers, make([]int64, blockCodes)...)
	}
	s.ids[at], s.fine[at] = b.id, new(atomic.Pointer[memory])
	low := at * blockCodes
	s.none = slices.DeleteFunc(s.none, func(slot int32) bool { return int(slot) >= low && int(slot) < low+blockCodes })
	for i := range blockCodes {
		var n int64
		if 8*i < len(b.numbers) {
			n = int64(binary.LittleEndian.Uint64(b.numbers[8*i:]))
		}
		s.numbers[low+i] = n
		if n == 0 {
			s.none = append(s.none, int32(low+i))
		}
	}
	codes := b.codes
	if len(codes) < size { // a block that is not full
		codes = append(slices.Clone(codes), make([]byte, size-len(codes))...)
	}
	return vector.Interleave(s.groups.bytes[at*size:(at+1)*size], codes, s.dim)
}

// live is how many passages the segment holds.
func (s *segment) live() int { return len(s.numbers) - len(s.none) }

// storedBlock is a row of code_block. What it refers to may be valid for a
// moment only.
type storedBlock struct {
	id             int64
	numbers, codes []byte
	sum            *int64 // nil where none was stored
}

// whole reports whether the block is as it was written.
func (b storedBlock) whole(dim int) bool {
	n := len(b.numbers) / 8
	return n > 0 && n <= blockCodes && len(b.numbers) == 8*n && len(b.codes) == n*vector.CodeBytes(dim) &&
		(b.sum == nil || *b.sum == blockSum(b.numbers, b.codes))
}

// blockSum is the checksum of a block.
func blockSum(parts ...[]byte) int64 {
	var sum uint32
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return int64(sum)
}

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)
