package nearest

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"

	"github.com/strata-memory/strata/internal/index/passage"
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

// NewBlock makes a block of the vectors of some passages.
func NewBlock(coder *vector.Coder, numbers []int64, vectors [][]float32) (Block, error) {
	b := Block{Low: slices.Min(numbers), High: slices.Max(numbers)}
	var err error
	for i, n := range numbers {
		b.Numbers = binary.LittleEndian.AppendUint64(b.Numbers, uint64(n))
		if b.Codes, err = coder.AppendCode(b.Codes, vectors[i]); err != nil {
			return b, err
		}
	}
	sum := checksum(b.Numbers, b.Codes)
	b.Sum = &sum
	return b, nil
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

// Holds reports whether a slot has the code of a vector. A code may be older than
// the form in which its vector is stored: a value close to zero has another sign then.
func (b Block) Holds(slot int, coder *vector.Coder, v []float32) bool {
	code, err := coder.AppendCode(nil, v)
	if err != nil || slot < 0 || len(b.Codes) < len(code)*(slot+1) {
		return false
	}
	differ := 0
	for i, c := range b.Codes[len(code)*slot : len(code)*(slot+1)] {
		differ += bits.OnesCount8(c ^ code[i])
	}
	return differ <= len(v)/roundedSigns
}

// roundedSigns is of how many values one may have another sign once a vector is
// rounded to eight bits: five times as many as were seen to. Codes of vectors that
// have nothing in common differ in every second.
const roundedSigns = 24

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
