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

// A scope with few vectors is searched by measuring them all. In a larger one that
// would take too long, so vectors have codes, which are stored in blocks. A block is
// written only when there are enough vectors to fill it, so that saving stays cheap;
// until then a vector is pending, and every search measures it.
const (
	// CodeFrom is how many vectors a head must have before any are coded: about as many
	// as can be measured in a millisecond.
	CodeFrom = 2048
	// BlockCodes is how many codes a block holds. With their numbers they fill a page.
	// On average, half a block of vectors is pending and measured by every search;
	// larger blocks would cost more there than they save when read.
	BlockCodes = 128
)

// Block holds codes of one bit per dimension.
type Block struct {
	ID int64
	// Low and High are the least and the greatest number of its passages when it was
	// made. A store finds the block by them.
	Low, High int64
	Numbers   []byte // of the passages, 8 bytes little-endian each; 0 in an empty slot
	Codes     []byte // of the passages, [vector.CodeBytes] each
	Sum       *int64 // the checksum of both; nil if written by an older version
}

// NewBlock returns a block with the codes of the vectors of some passages.
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

// Slots returns the number of slots in the block.
func (b Block) Slots() int { return len(b.Numbers) / 8 }

// Number returns the passage whose code is in a slot, or 0 if the slot is empty.
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

// Find returns the slot that holds a passage's code, or -1.
func (b Block) Find(number int64) int {
	for slot := range b.Slots() {
		if b.Number(slot) == number {
			return slot
		}
	}
	return -1
}

// Whole reports whether the block is undamaged.
func (b Block) Whole(dim int) bool {
	n := b.Slots()
	return n > 0 && n <= BlockCodes && len(b.Numbers) == 8*n && len(b.Codes) == n*vector.CodeBytes(dim) &&
		(b.Sum == nil || *b.Sum == checksum(b.Numbers, b.Codes))
}

// Blank overwrites a slot, since even a code reveals something about a text. A
// damaged block keeps its old checksum, so that the damage stays detectable.
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

// Holds reports whether a slot has the code of a vector. It allows a few bits to
// differ: the code may be older than the stored form of its vector, whose rounding
// can flip the sign of a value close to zero.
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

// roundedSigns bounds how many signs rounding a vector to eight bits may flip: one
// value in this many. That is five times as many as were observed. Codes of
// unrelated vectors differ in every second bit.
const roundedSigns = 24

// NewCenter returns the center that the codes of a head are relative to: the mean of
// its vectors, encoded by [vector.Encode].
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

// NewCoder returns the coder of a head. If the center is damaged, the error has code
// corrupt.
func NewCoder(center []byte, dim int) (*vector.Coder, error) {
	c, err := vector.Decode(center, dim)
	if err != nil {
		return nil, passage.Corrupt("read center of codes", err.Error())
	}
	return vector.NewCoder(dim, c)
}

// checksum returns the CRC-32C of the parts in sequence.
func checksum(parts ...[]byte) int64 {
	var sum uint32
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return int64(sum)
}

// castagnoli is the CRC-32 polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)
