package vector

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Encode returns v as little-endian float32, four bytes a value: the layout of
// sqlite-vec.
func Encode(v []float32) []byte {
	b := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
	return b
}

// Decode returns the vector that [Encode] made b from. Another length than dims
// values, or a value that is not finite, is an error as of [Check].
func Decode(b []byte, dims int) ([]float32, error) {
	if len(b)%4 != 0 || len(b)/4 != dims {
		return nil, fmt.Errorf("decode vector: %w: %d bytes instead of %d values of 4", ErrLength, len(b), dims)
	}
	const exponent = 0x7f800000 // all of it set: a NaN or an infinity
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
