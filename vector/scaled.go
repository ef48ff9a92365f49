package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// scaledSteps is how many steps the largest value of a stored vector has.
const scaledSteps = math.MaxInt16

// ScaledBytes is the size of a vector of dims values as [EncodeScaled] makes it.
func ScaledBytes(dims int) int { return 4 + 2*dims }

// EncodeScaled returns v in half of the bytes of [Encode]: a factor as
// little-endian float32, and each value divided by it as a signed 16-bit
// integer. A value is off by up to 1/65,534 of the largest one. A cosine of
// vectors of 384 dimensions is off by some 0.000002, about as much as by the
// rounding of float32 on the way to it. To store what was stored changes
// nothing, unless no value reaches 4e-34: the factor has few digits then. See
// docs/decisions/0010-vectors-in-half-the-bytes.md.
func EncodeScaled(v []float32) []byte { return appendScaled(nil, nil, v) }

// AppendScaled appends to b what [EncodeScaled] makes of v, and rounds v itself
// to what that stands for.
func AppendScaled(b []byte, v []float32) []byte { return appendScaled(b, v, v) }

// appendScaled appends the encoded v to b, and writes the rounded one to rounded,
// which may be v, unless that is nil.
func appendScaled(b []byte, rounded, v []float32) []byte {
	at, factor := len(b), scaleOf(v)
	b = slices.Grow(b, ScaledBytes(len(v)))[:at+ScaledBytes(len(v))]
	binary.LittleEndian.PutUint32(b[at:], math.Float32bits(factor))
	bestKernel().scale(b[at+4:], rounded, v, factor)
	return b
}

// scalePlain writes the steps of values from one on, and what they stand for
// unless rounded is nil.
func scalePlain(steps []byte, rounded, v []float32, factor float32, from int) {
	for i := from; i < len(v); i++ {
		n := scaled(v[i], factor)
		binary.LittleEndian.PutUint16(steps[2*i:], uint16(n))
		if rounded != nil {
			rounded[i] = float32(n) * factor
		}
	}
}

// DecodeScaled returns the vector that [EncodeScaled] made b from, as
// [AppendScaled] rounds it. Another length than dims values, or a factor that makes
// values which are not finite, is an error as of [Check].
func DecodeScaled(b []byte, dims int) ([]float32, error) {
	if dims < 1 || len(b) != ScaledBytes(dims) {
		return nil, fmt.Errorf("decode vector: %w: %d bytes instead of those of %d values", ErrLength, len(b), dims)
	}
	factor := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if most := factor * -math.MinInt16; most-most != 0 { // NaN for a NaN and for an infinity
		return nil, fmt.Errorf("decode vector: %w: scaled by %v", ErrNotFinite, factor)
	}
	out := make([]float32, dims)
	b = b[4:]
	for i := range out {
		out[i] = float32(int16(binary.LittleEndian.Uint16(b[2*i:2*i+2]))) * factor
	}
	return out, nil
}

// scaleOf returns the step of a vector: the part of its largest value.
func scaleOf(v []float32) float32 {
	// Without their sign floats are in the order of their bits.
	const sign, infinity = 1 << 31, 0x7f800000
	largest := uint32(0)
	for _, x := range v {
		largest = max(largest, math.Float32bits(x)&^sign)
	}
	if largest > infinity {
		return float32(math.NaN())
	}
	return math.Float32frombits(largest) / scaledSteps
}

// scaled divides x by the factor, rounded to the nearest, ties to even.
func scaled(x, factor float32) int16 {
	if !(factor > 0) {
		return 0 // all values are zero, or too small to be distinguished from it
	}
	// Added to a number of which 1 is the last digit, a float is rounded just so.
	const ones = 3 << 22
	steps := x / factor
	if steps > scaledSteps {
		return scaledSteps
	}
	if steps < -scaledSteps {
		return -scaledSteps
	}
	return int16(math.Float32bits(steps+ones) - math.Float32bits(ones))
}
