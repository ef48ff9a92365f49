package vector

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Distance returns the Euclidean distance of two vectors of one length. It adds
// up in the order of the values and rounds each step to float32, so that every
// machine, and sqlite-vec's vec_distance_L2, find the same.
func Distance(a, b []float32) float64 {
	var sum float32
	b = b[:len(a)]
	for i, x := range a {
		d := x - b[i]
		sum += float32(d * d) // rounded: no machine may fuse it with the sum
	}
	return root(sum)
}

// Distances is [Distance] of four vectors from v, side by side. Each step of a
// sum waits for the one before it: four sums wait together.
func Distances(four *[4][]float32, v []float32) [4]float64 {
	a0, a1, a2, a3 := four[0][:len(v)], four[1][:len(v)], four[2][:len(v)], four[3][:len(v)]
	var s0, s1, s2, s3 float32
	for i, x := range v {
		d0, d1, d2, d3 := a0[i]-x, a1[i]-x, a2[i]-x, a3[i]-x
		s0 += float32(d0 * d0) // rounded, as in Distance
		s1 += float32(d1 * d1)
		s2 += float32(d2 * d2)
		s3 += float32(d3 * d3)
	}
	return [4]float64{root(s0), root(s1), root(s2), root(s3)}
}

// ScaledDistances is [Distances] of four vectors as [EncodeScaled] made them, of
// as many values as v has. Another length is an error that wraps [ErrLength].
func ScaledDistances(four *[4][]byte, v []float32) ([4]float64, error) {
	var steps [4][]byte
	var factor [4]float32
	for i, b := range four {
		if len(b) != ScaledBytes(len(v)) {
			return [4]float64{}, fmt.Errorf("distance of vector: %w: %d bytes instead of those of %d values", ErrLength, len(b), len(v))
		}
		factor[i], steps[i] = math.Float32frombits(binary.LittleEndian.Uint32(b)), b[4:]
	}
	var sums [4]float32
	distancesPlain(&sums, &steps, &factor, v)
	return [4]float64{root(sums[0]), root(sums[1]), root(sums[2]), root(sums[3])}, nil
}

// distancesPlain adds the squares of what four vectors differ from v to sums.
func distancesPlain(sums *[4]float32, steps *[4][]byte, factor *[4]float32, v []float32) {
	b0, b1, b2, b3 := steps[0][:2*len(v)], steps[1][:2*len(v)], steps[2][:2*len(v)], steps[3][:2*len(v)]
	f0, f1, f2, f3 := factor[0], factor[1], factor[2], factor[3]
	s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3]
	for i, x := range v {
		// Rounded at each step, as in Distance.
		d0, d1 := float32(stepAt(b0, i)*f0)-x, float32(stepAt(b1, i)*f1)-x
		d2, d3 := float32(stepAt(b2, i)*f2)-x, float32(stepAt(b3, i)*f3)-x
		s0 += float32(d0 * d0)
		s1 += float32(d1 * d1)
		s2 += float32(d2 * d2)
		s3 += float32(d3 * d3)
	}
	*sums = [4]float32{s0, s1, s2, s3}
}

// stepAt is value i of a vector in steps of its factor.
func stepAt(b []byte, i int) float32 {
	return float32(int16(binary.LittleEndian.Uint16(b[2*i : 2*i+2])))
}

// root is the distance of a sum of squares.
func root(sum float32) float64 { return float64(float32(math.Sqrt(float64(sum)))) }

// CosineAt is the cosine of two vectors of unit length that are so far apart.
func CosineAt(distance float64) float32 { return float32(min(1, max(-1, 1-distance*distance/2))) }

// SumCosine is the cosine of a sum of vectors, as [Encode] made it, and a vector of
// as many values, added up like [Distance]. It reports false where the sum has no
// direction.
func SumCosine(sum []byte, v []float32) (cosine float32, ok bool, err error) {
	if len(sum) != 4*len(v) {
		return 0, false, fmt.Errorf("cosine of vectors: %w: %d bytes instead of %d values of 4", ErrLength, len(sum), len(v))
	}
	var dot, aa, bb float32
	for i, b := range v {
		a := math.Float32frombits(binary.LittleEndian.Uint32(sum[4*i : 4*i+4]))
		dot += float32(a * b)
		aa += float32(a * a)
		bb += float32(b * b)
	}
	apart := float64(float32(1 - float64(dot)/(math.Sqrt(float64(aa))*math.Sqrt(float64(bb)))))
	if apart != apart {
		return 0, false, nil
	}
	return float32(min(1, max(-1, 1-apart))), true, nil
}
