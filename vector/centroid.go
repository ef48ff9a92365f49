package vector

import (
	"errors"
	"fmt"
	"slices"
)

// ErrEmpty is returned for removing a vector from an empty centroid.
var ErrEmpty = errors.New("centroid is empty")

// Centroid is the center of a set of vectors, kept as their sum and count, so that
// vectors can be added and removed without reading the others again. The zero value is
// the centroid of no vectors; the first vector sets the dimension. Store Sum with
// [Encode].
type Centroid struct {
	Sum   []float32
	Count int
}

// Add adds v to the set. Its errors are those of [Check]; on an error the centroid is
// unchanged.
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

// Remove removes v, which must have been added. Its errors are [ErrEmpty] and those of
// [Check]; on an error the centroid is unchanged.
func (c *Centroid) Remove(v []float32) error {
	if c.Count < 1 {
		return fmt.Errorf("remove from centroid: %w", ErrEmpty)
	}
	if err := Check(v, len(c.Sum)); err != nil {
		return fmt.Errorf("remove from centroid: %w", err)
	}
	c.Count--
	if c.Count == 0 { // do not keep rounding errors
		clear(c.Sum)
		return nil
	}
	for i, x := range v {
		c.Sum[i] -= x
	}
	return nil
}

// Mean returns the arithmetic mean, or zeros for an empty set. It is a suitable center
// for a [Coder].
func (c Centroid) Mean() []float32 {
	out := slices.Clone(c.Sum)
	for i := range out {
		out[i] /= float32(max(c.Count, 1))
	}
	return out
}

// Direction returns the mean scaled to unit length, or zeros for an empty set.
func (c Centroid) Direction() []float32 {
	return Normalize(slices.Clone(c.Sum))
}

// similarities writes to out the cosines of v and the centroids of the categories at the
// given indexes, or 0 if a cosine is undefined. vv is the inner product of v with itself.
// Computing two cosines at a time costs half as much, because each sum waits for the
// addition before it.
func similarities(out []float32, v []float32, vv float32, cats []Category, at []int) {
	k := bestKernel()
	for i := 0; i < len(at); i += 2 {
		next := min(i+1, len(at)-1)
		p := k.products(v, cats[at[i]].Centroid.Sum, cats[at[next]].Centroid.Sum)
		out[i] = finite(cosineOf(p[0], vv, p[1]))
		out[next] = finite(cosineOf(p[2], vv, p[3]))
	}
}

// finite returns s, or 0 if s is NaN.
func finite(s float32) float32 {
	if s != s {
		return 0
	}
	return s
}
