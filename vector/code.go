package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// CodeWords returns how many 64-bit words a code of a dimension takes.
func CodeWords(dims int) int { return (max(dims, 0) + 63) / 64 }

// CodeBytes returns how many bytes a stored code of a dimension takes.
func CodeBytes(dims int) int { return 8 * CodeWords(dims) }

// Coder turns vectors into codes of one bit a dimension: the signs of the
// rotated difference from a center. Similar vectors have codes that differ in
// few bits, so a scan of codes (48 bytes for 384 dimensions) finds candidates
// whose exact similarity is then computed from the full vectors.
//
// The center should be the mean of the vectors coded: without it, what all have
// in common decides most signs. Codes of different centers do not compare. A
// Coder is immutable and safe for concurrent use.
type Coder struct {
	rotation *Rotation
	center   []float32 // nil for the origin
}

// NewCoder returns a coder for vectors of a dimension, at least 1. A nil center
// is the origin; it is copied.
func NewCoder(dims int, center []float32) (*Coder, error) {
	if dims < 1 {
		return nil, fmt.Errorf("code vectors of %d values: %w", dims, ErrLength)
	}
	if center != nil {
		if err := Check(center, dims); err != nil {
			return nil, fmt.Errorf("center of codes: %w", err)
		}
	}
	return &Coder{rotation: NewRotation(dims), center: slices.Clone(center)}, nil
}

// Dimensions is the length of the vectors coded.
func (c *Coder) Dimensions() int { return c.rotation.dims }

// Words is the length of a code in 64-bit words.
func (c *Coder) Words() int { return CodeWords(c.rotation.dims) }

// Code writes the code of v to dst, which has [Coder.Words] words: bit i%64 of
// word i/64 is set where the rotated value i has no minus sign. Unused bits are 0.
// Errors are those of [Check].
func (c *Coder) Code(dst []uint64, v []float32) error {
	if len(dst) != c.Words() {
		return fmt.Errorf("code vector into %d words: %w: %d needed", len(dst), ErrLength, c.Words())
	}
	var space [1024]float32 // on the stack for all usual dimensions
	rotated, err := c.rotate(space[:0], v)
	if err != nil {
		return err
	}
	for w := range dst {
		dst[w] = signs(rotated[w*64 : min(w*64+64, len(rotated))])
	}
	return nil
}

// rotate appends the rotated difference of v from the center to buf.
func (c *Coder) rotate(buf []float32, v []float32) ([]float32, error) {
	if err := Check(v, c.rotation.dims); err != nil {
		return nil, fmt.Errorf("code vector: %w", err)
	}
	buf = append(buf, v...)
	for i, x := range c.center {
		buf[i] -= x
	}
	return buf, c.rotation.Apply(buf, buf)
}

// signs returns up to 64 values as bits, set where there is no minus sign.
func signs(values []float32) (word uint64) {
	for i, x := range values {
		word |= uint64(math.Float32bits(x)>>31^1) << i // no branch: signs cannot be predicted
	}
	return word
}

// appendSigns appends the code of a rotated vector.
func appendSigns(block []byte, rotated []float32) []byte {
	for ; len(rotated) > 64; rotated = rotated[64:] {
		block = binary.LittleEndian.AppendUint64(block, signs(rotated[:64]))
	}
	return binary.LittleEndian.AppendUint64(block, signs(rotated))
}

// AppendCode appends the code of v to a block as it is stored: its words in
// little-endian order, [CodeBytes] in all.
func (c *Coder) AppendCode(block []byte, v []float32) ([]byte, error) {
	var space [16]uint64 // on the stack for all usual dimensions
	code := space[:min(c.Words(), len(space))]
	if c.Words() > len(space) {
		code = make([]uint64, c.Words())
	}
	if err := c.Code(code, v); err != nil {
		return block, err
	}
	return PackCode(block, code), nil
}

// PackCode appends a code to a block of stored codes.
func PackCode(block []byte, code []uint64) []byte {
	for _, w := range code {
		block = binary.LittleEndian.AppendUint64(block, w)
	}
	return block
}

// UnpackCode returns code i of a block of codes of so many words each. An i that
// the block does not hold is an error that wraps [ErrLength].
func UnpackCode(block []byte, words, i int) ([]uint64, error) {
	if words < 1 || i < 0 || i >= len(block)/(8*words) {
		return nil, fmt.Errorf("code %d of a block of %d bytes: %w", i, len(block), ErrLength)
	}
	code := make([]uint64, words)
	for w := range code {
		code[w] = binary.LittleEndian.Uint64(block[8*(i*words+w):])
	}
	return code, nil
}
