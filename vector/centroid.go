package vector

import (
	"errors"
	"fmt"
	"slices"
)

// ErrEmpty means a vector was to be taken from a centroid that has none.
var ErrEmpty = errors.New("centroid is empty")

// Centroid is the middle of a set of vectors, kept as their sum and number, so
// that vectors can come and go without the others being read again. The zero
// value is the centroid of no vectors; the first one sets the dimension. Store
// Sum with [Encode].
type Centroid struct {
	Sum   []float32
	Count int
}

// Add takes v into the set. Errors are those of [Check] and leave the centroid
// as it was.
func (c *Centroid) Add(v []float32) error {
	if c.Sum == nil && len(v) > 0 {
		c.Sum = make([]float32, len(v))
	}
	if err := Check(v, len(c.Sum)); err != nil {
		return fmt.Errorf("add to centroid: %w", err)
	}
	add(c.Sum, v)
	c.Count++
	return nil
}

// Remove takes v, which must have been added, out of the set. Errors are
// [ErrEmpty] and those of [Check], and leave the centroid as it was.
func (c *Centroid) Remove(v []float32) error {
	if c.Count < 1 {
		return fmt.Errorf("remove from centroid: %w", ErrEmpty)
	}
	if err := Check(v, len(c.Sum)); err != nil {
		return fmt.Errorf("remove from centroid: %w", err)
	}
	c.Count--
	if c.Count == 0 { // do not keep what rounding left
		clear(c.Sum)
		return nil
	}
	for i, x := range v {
		c.Sum[i] -= x
	}
	return nil
}

// Mean returns the arithmetic mean; zero for an empty set. It is the center a
// [Coder] wants.
func (c Centroid) Mean() []float32 {
	out := slices.Clone(c.Sum)
	for i := range out {
		out[i] /= float32(max(c.Count, 1))
	}
	return out
}

// Direction returns the mean scaled to unit length; zero for an empty set.
func (c Centroid) Direction() []float32 {
	return Normalize(slices.Clone(c.Sum))
}

// similarities writes to out the cosines of v and each centroid of the
// categories at these indexes, 0 where there is none. vv is the inner product of v
// with itself. Two at a time are half as dear: each sum waits for the addition
// before it.
func similarities(out []float32, v []float32, vv float32, cats []Category, at []int) {
	k := bestKernel()
	for i := 0; i < len(at); i += 2 {
		next := min(i+1, len(at)-1)
		p := k.products(v, cats[at[i]].Centroid.Sum, cats[at[next]].Centroid.Sum)
		out[i] = finite(cosineOf(p[0], vv, p[1]))
		out[next] = finite(cosineOf(p[2], vv, p[3]))
	}
}

// finite returns s, 0 for a NaN.
func finite(s float32) float32 {
	if s != s {
		return 0
	}
	return s
}
