package vector

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Encode returns v as little-endian float32, four bytes per value: the layout of
// sqlite-vec.
func Encode(v []float32) []byte {
	b := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
	return b
}

// Decode returns the vector that [Encode] made b from. If b does not hold dims finite
// values, Decode returns an error as [Check] does.
func Decode(b []byte, dims int) ([]float32, error) {
	if len(b)%4 != 0 || len(b)/4 != dims {
		return nil, fmt.Errorf("decode vector: %w: %d bytes instead of %d values of 4", ErrLength, len(b), dims)
	}
	const exponent = 0x7f800000 // all bits set: a NaN or an infinity
	out := make([]float32, dims)
	finite := true
	for i := range out {
		bits := binary.LittleEndian.Uint32(b[4*i : 4*i+4])
		finite = finite && bits&exponent != exponent
		out[i] = math.Float32frombits(bits)
	}
	if !finite {
		return nil, fmt.Errorf("decode vector: %w", Check(out, dims))
	}
	return out, nil
}

// EncodeInt8 returns the direction of v in its stored form: one signed byte per value,
// scaled so that the largest absolute value is 127. sqlite-vec compares it as int8;
// cosines do not need the length. A value is off by up to 1/254 of the largest one, and
// the cosine of two vectors of 384 dimensions by about 0.0006 (docs/decisions/0010). The
// zero vector gives zeros, which have no direction.
func EncodeInt8(v []float32) []byte {
	var largest float64
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	b := make([]byte, len(v))
	if largest == 0 {
		return b
	}
	for i, x := range v {
		b[i] = byte(int8(math.RoundToEven(float64(x) / largest * math.MaxInt8)))
	}
	return b
}
