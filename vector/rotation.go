package vector

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// rotationRounds is the number of rounds, each of which flips signs and mixes neighbors.
// Two rounds mix every value into every other; the third evens out what the overlap of
// the blocks leaves.
const rotationRounds = 3

// rotationSeed starts the sequence of signs. Stored codes depend on it.
const rotationSeed = 0x5374726174610001

// Rotation is a fixed pseudo-random rotation: it keeps lengths and inner
// products and spreads every value over all dimensions. Sign codes need that:
// in a sparse vector most signs are those of zeros and say nothing.
//
// Each round flips pseudo-random signs and applies a Walsh-Hadamard transform
// to two blocks whose length is the largest power of two that fits: the first
// values, and the last. The blocks overlap unless the dimension is itself a
// power of two, so no padding is needed: 384 values stay 384.
//
// A Rotation is a pure function of its dimension, on every platform. It is
// immutable and safe for concurrent use.
type Rotation struct {
	dims  int
	block int       // length of a Hadamard block, a power of two; 0 for no dimensions
	signs []float32 // of all rounds, one after the other
}

// NewRotation returns the rotation of vectors with dims values. A negative dims counts as
// 0.
func NewRotation(dims int) *Rotation {
	r := &Rotation{dims: max(dims, 0)}
	if r.dims == 0 {
		return r
	}
	r.block = 1 << (bits.Len(uint(r.dims)) - 1)
	state := uint64(rotationSeed)
	r.signs = make([]float32, rotationRounds*r.dims)
	for i := range r.signs {
		r.signs[i] = 1
		if splitMix(&state)>>63 != 0 {
			r.signs[i] = -1
		}
	}
	return r
}

// Dimensions returns the length of the vectors that r rotates.
func (r *Rotation) Dimensions() int { return r.dims }

// Apply writes the rotated v to dst, which may be v itself. If the length of either is
// wrong, Apply returns an error that wraps [ErrLength].
func (r *Rotation) Apply(dst, v []float32) error {
	if len(dst) != r.dims || len(v) != r.dims {
		return fmt.Errorf("rotate %d values into %d: %w: the rotation has %d", len(v), len(dst), ErrLength, r.dims)
	}
	copy(dst, v)
	if r.dims > 0 {
		bestKernel().rotate(dst, r)
	}
	return nil
}

// scale makes the Walsh-Hadamard transform of a block orthonormal.
func (r *Rotation) scale() float32 { return float32(1 / math.Sqrt(float64(r.block))) }

// rotatePlain rotates v in Go.
func rotatePlain(v []float32, r *Rotation) {
	for signs := range slices.Chunk(r.signs, r.dims) {
		for i, s := range signs {
			v[i] *= s
		}
		hadamard(v[:r.block], r.scale())
		if r.block < r.dims {
			hadamard(v[r.dims-r.block:], r.scale())
		}
	}
}

// hadamard applies the Walsh-Hadamard transform, multiplied by scale, to v, whose length
// is a power of two.
func hadamard(v []float32, scale float32) {
	half := 1
	if len(v) >= 4 { // the first two steps in one pass
		for i := 0; i+4 <= len(v); i += 4 {
			x := v[i : i+4 : i+4]
			a, b, c, d := x[0]+x[1], x[0]-x[1], x[2]+x[3], x[2]-x[3]
			x[0], x[1], x[2], x[3] = a+c, b+d, a-c, b-d
		}
		half = 4
	}
	for ; half < len(v); half *= 2 {
		for i := 0; i < len(v); i += 2 * half {
			low, high := v[i:i+half], v[i+half:i+2*half]
			high = high[:len(low)] // no bounds check in the loop
			for j, a := range low {
				b := high[j]
				low[j], high[j] = a+b, a-b
			}
		}
	}
	for i := range v {
		v[i] *= scale
	}
}

// splitMix is the generator SplitMix64, which is small and gives the same sequence
// everywhere.
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
