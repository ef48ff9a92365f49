package vector

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Errors of [Check] and of everything that checks its input.
var (
	// ErrLength means that a vector does not have the required length.
	ErrLength = errors.New("wrong vector length")
	// ErrNotFinite means that a vector holds a NaN or an infinity.
	ErrNotFinite = errors.New("vector holds a value that is not finite")
)

// Check returns an error that wraps [ErrLength] or [ErrNotFinite] unless v has dims
// finite values. The zero vector is valid: it belongs to a text without words.
func Check(v []float32, dims int) error {
	if len(v) != dims {
		return fmt.Errorf("%w: %d instead of %d", ErrLength, len(v), dims)
	}
	if i := slices.IndexFunc(v, func(x float32) bool { return x-x != 0 }); i >= 0 { // a NaN or an infinity
		return fmt.Errorf("%w: %v at %d", ErrNotFinite, v[i], i)
	}
	return nil
}

// add adds v to sum, which must be as long as v.
func add(sum, v []float32) {
	sum = sum[:len(v)] // no bounds check in the loop
	for i, x := range v {
		sum[i] += x
	}
}

// Normalize scales v to unit length in place and returns it. It does not change a zero
// vector or one with a value that is not finite.
func Normalize(v []float32) []float32 {
	var squares float64 // float32 would overflow on large and vanish on small values
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	if squares == 0 || math.IsNaN(squares) || math.IsInf(squares, 0) {
		return v
	}
	scale := 1 / math.Sqrt(squares)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return v
}

// Dot returns the inner product. A shorter vector counts as padded with zeros.
func Dot(a, b []float32) float32 {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	// Four independent sums, so that an addition need not wait for the one before.
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= n; i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4] // one bounds check for four values
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < n; i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// cosineOf returns the cosine of the angle between two vectors, in [-1, 1], from their
// inner product and the inner product of each with itself. It returns 0 if one of the
// vectors is zero and NaN if one holds a value that is not finite. For vectors of unit
// length, [Dot] gives the same and is faster.
func cosineOf(ab, aa, bb float32) float32 {
	if aa == 0 || bb == 0 {
		return 0
	}
	c := float64(ab) / math.Sqrt(float64(aa)*float64(bb))
	return float32(max(-1, min(1, c)))
}

// productsPlain returns the inner products of v and a, a and a, v and b, and b and b.
func productsPlain(v, a, b []float32) [4]float32 {
	return [4]float32{Dot(v, a), Dot(a, a), Dot(v, b), Dot(b, b)}
}
