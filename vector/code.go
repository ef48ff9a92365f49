package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// CodeWords returns the number of 64-bit words in the code of a vector with dims values.
func CodeWords(dims int) int { return (max(dims, 0) + 63) / 64 }

// CodeBytes returns the number of bytes in the stored code of a vector with dims values.
func CodeBytes(dims int) int { return 8 * CodeWords(dims) }

// Coder turns vectors into codes with one bit per dimension: the signs of the rotated
// difference from a center. Similar vectors have codes that differ in few bits, so a scan
// of the codes (48 bytes for 384 dimensions) finds candidates, whose exact similarity is
// then computed from the full vectors.
//
// The center should be the mean of the coded vectors; without it, what all vectors have
// in common decides most signs. Codes with different centers cannot be compared. A Coder
// is immutable and safe for concurrent use.
type Coder struct {
	rotation *Rotation
	center   []float32 // nil for the origin
}

// NewCoder returns a coder for vectors of dims values, at least 1. It copies center; a
// nil center is the origin.
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

// Dimensions returns the length of the coded vectors.
func (c *Coder) Dimensions() int { return c.rotation.dims }

// AppendCode appends the code of v, which is [CodeBytes] long, to codes. Its errors are
// those of [Check].
func (c *Coder) AppendCode(codes []byte, v []float32) ([]byte, error) {
	var space [1024]float32 // on the stack for all usual dimensions
	rotated, err := c.rotate(space[:0], v)
	if err != nil {
		return codes, err
	}
	return appendSigns(codes, rotated), nil
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

// signs packs the signs of up to 64 values into bits, set for values without a minus
// sign.
func signs(values []float32) (word uint64) {
	for i, x := range values {
		word |= uint64(math.Float32bits(x)>>31^1) << i // no branch: signs cannot be predicted
	}
	return word
}

// appendSigns appends the code of a rotated vector: bit i%8 of byte i/8 is set
// where value i has no minus sign, and unused bits are 0.
func appendSigns(block []byte, rotated []float32) []byte {
	for ; len(rotated) > 64; rotated = rotated[64:] {
		block = binary.LittleEndian.AppendUint64(block, signs(rotated[:64]))
	}
	return binary.LittleEndian.AppendUint64(block, signs(rotated))
}
