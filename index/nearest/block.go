package nearest

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/vector"
)

// A scope with few vectors is searched by measuring them all. In a larger one
// that would take too long. Its codes are stored in blocks of many, and only when
// a block is full, so that saving stays cheap; until then a vector is pending and
// is measured by every search.
const (
	// CodeFrom is how many vectors a head has when the first are coded: about as
	// many as can be measured in a millisecond.
	CodeFrom = 2048
	// BlockCodes is how many codes a block holds: a page full, with their
	// numbers. Half as many vectors are pending on average, and every search
	// measures them, which costs more than to read smaller blocks.
	BlockCodes = 128
)

// Block holds codes of one bit a dimension.
type Block struct {
	ID int64
	// Low and High are the least and the greatest number of its passages when it
	// was made, by which a store finds it.
	Low, High int64
	Numbers   []byte // of the passages, 8 bytes little-endian each; 0 where one is gone
	Codes     []byte // theirs, of [vector.CodeBytes] each
	Sum       *int64 // the checksum of both; nil where an older version stored none
}

// FineBlock holds the fine codes of a block, [vector.FineBytes] each.
type FineBlock struct {
	Block int64 // its ID
	Codes []byte
	Sum   int64 // the checksum of Codes
}

// NewBlock makes a block of the vectors of some passages.
func NewBlock(coder *vector.Coder, numbers []int64, vectors [][]float32) (Block, FineBlock, error) {
	b := Block{Low: slices.Min(numbers), High: slices.Max(numbers)}
	var f FineBlock
	var err error
	for i, n := range numbers {
		b.Numbers = binary.LittleEndian.AppendUint64(b.Numbers, uint64(n))
		if b.Codes, f.Codes, err = coder.AppendCodes(b.Codes, f.Codes, vectors[i]); err != nil {
			return b, f, err
		}
	}
	sum := checksum(b.Numbers, b.Codes)
	b.Sum, f.Sum = &sum, checksum(f.Codes)
	return b, f, nil
}

// Slots is how many codes the block has room for.
func (b Block) Slots() int { return len(b.Numbers) / 8 }

// Number returns the passage whose code is in a slot; 0 where it is gone.
func (b Block) Number(slot int) int64 {
	return int64(binary.LittleEndian.Uint64(b.Numbers[8*slot:]))
}

// Live lists the passages whose codes are in the block.
func (b Block) Live() (numbers []int64) {
	for slot := range b.Slots() {
		if n := b.Number(slot); n != 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// Find returns the slot of a passage's code; -1 where there is none.
func (b Block) Find(number int64) int {
	for slot := range b.Slots() {
		if b.Number(slot) == number {
			return slot
		}
	}
	return -1
}

// Whole reports whether the block is as it was written.
func (b Block) Whole(dim int) bool {
	n := b.Slots()
	return n > 0 && n <= BlockCodes && len(b.Numbers) == 8*n && len(b.Codes) == n*vector.CodeBytes(dim) &&
		(b.Sum == nil || *b.Sum == checksum(b.Numbers, b.Codes))
}

// Blank overwrites a slot: codes, too, say something of a text. What was damaged
// stays known as such.
func (b *Block) Blank(slot, dim int) error {
	damaged := b.Sum != nil && *b.Sum != checksum(b.Numbers, b.Codes)
	clear(b.Numbers[8*slot : 8*slot+8])
	size := vector.CodeBytes(dim)
	if len(b.Codes) < size*(slot+1) {
		return passage.Corrupt("blank code", "a block of codes is cut short")
	}
	clear(b.Codes[size*slot : size*(slot+1)])
	if b.Sum != nil && !damaged {
		sum := checksum(b.Numbers, b.Codes)
		b.Sum = &sum
	}
	return nil
}

// Blank overwrites a slot. It reports false where the fine codes are damaged,
// and are to be removed: searches make them anew.
func (f *FineBlock) Blank(slot, dim int) bool {
	size := vector.FineBytes(dim)
	if len(f.Codes) < size*(slot+1) || !f.Whole() {
		return false
	}
	clear(f.Codes[size*slot : size*(slot+1)])
	f.Sum = checksum(f.Codes)
	return true
}

// Whole reports whether the fine codes are as they were written.
func (f FineBlock) Whole() bool { return f.Sum == checksum(f.Codes) }

// Holds reports whether a slot has the code of a vector, and the fine code too
// unless f has none.
func (b Block) Holds(f FineBlock, slot int, coder *vector.Coder, v []float32) bool {
	code, fine, err := coder.AppendCodes(nil, nil, v)
	return err == nil && bytes.Equal(part(b.Codes, slot, len(code)), code) &&
		(f.Codes == nil || bytes.Equal(part(f.Codes, slot, len(fine)), fine))
}

// part is what a slot of so many bytes holds; nil beyond the end.
func part(codes []byte, slot, size int) []byte {
	if len(codes) < size*(slot+1) {
		return nil
	}
	return codes[size*slot : size*(slot+1)]
}

// NewCenter returns what the codes of a head are to be relative to: the mean of
// its vectors, as [vector.Encode] makes it.
func NewCenter(dim int, vectors [][]float32) []byte {
	sums := make([]float64, dim)
	for _, v := range vectors {
		for i, x := range v {
			sums[i] += float64(x)
		}
	}
	mean := make([]float32, dim)
	for i, s := range sums {
		mean[i] = float32(s / math.Max(1, float64(len(vectors))))
	}
	return vector.Encode(mean)
}

// NewCoder returns the coder of a head. A center that is damaged is an error of
// code corrupt.
func NewCoder(center []byte, dim int) (*vector.Coder, error) {
	c, err := vector.Decode(center, dim)
	if err != nil {
		return nil, passage.Corrupt("read center of codes", err.Error())
	}
	return vector.NewCoder(dim, c)
}

// checksum is CRC-32C of some bytes.
func checksum(parts ...[]byte) int64 {
	var sum uint32
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return int64(sum)
}

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)
