package vector

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What becomes of a vector does not depend on the processor: every kernel
// rotates and compares as the one in Go does, to the bit.
func TestKernelsAgreeOnVectors(t *testing.T) {
	if len(kernels()) == 1 {
		t.Skip("there is one kernel only")
	}
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.SampledFrom([]int{1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 384, 386, 1024, 1025}).Draw(t, "dims")
		random := rapid.Uint64().Draw(t, "seed")
		size := rapid.SampledFrom([]float32{1, 1e-42, 1e-20, 1e20}).Draw(t, "size")
		draw := func() []float32 {
			out := make([]float32, dims)
			for i := range out {
				if bits := splitMix(&random); bits%3 > 0 {
					out[i] = size * float32(int32(bits>>32)) / math.MaxInt32
				}
			}
			return out
		}
		r := NewRotation(dims)
		v, a, b := draw(), draw(), draw()
		var wantRotated []float32
		for i, k := range kernels() {
			rotated := slices.Clone(v)
			k.rotate(rotated, r)
			products := k.products(v, a, b)
			if i == 0 {
				wantRotated = rotated
			}
			if !slices.EqualFunc(rotated, wantRotated, sameBits) {
				t.Fatalf("kernel %d rotates %v to %v, want %v", k, v, rotated, wantRotated)
			}
			want := [4]float32{Dot(v, a), Dot(a, a), Dot(v, b), Dot(b, b)}
			if !slices.EqualFunc(products[:], want[:], sameBits) {
				t.Fatalf("kernel %d: inner products %v, want %v", k, products, want)
			}
		}
	})
}

func sameBits(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

// The nearest categories are the first of all by rank.
func TestNearest_AreTheFirstOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const dims = 3
		values := rapid.SampledFrom([]float32{-1, 0, 1, 2})
		cats := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Category {
			n := rapid.SampledFrom([]int{dims, dims, dims, 2}).Draw(t, "n")
			return Category{Centroid: Centroid{Sum: rapid.SliceOfN(values, n, n).Draw(t, "sum"), Count: rapid.IntRange(0, 3).Draw(t, "count")}}
		})).Draw(t, "categories")
		v := rapid.SliceOfN(values, dims, dims).Draw(t, "v")
		k := rapid.IntRange(-1, len(cats)+1).Draw(t, "k")

		type ranked struct {
			Match
			rank float64
		}
		var all []ranked
		for i, c := range cats {
			if c.Centroid.Count > 0 && len(c.Centroid.Sum) == dims {
				s := Cosine(v, c.Centroid.Sum)
				all = append(all, ranked{Match{i, s}, SizedSimilarity(s, c.Centroid.Count, total(cats))})
			}
		}
		slices.SortStableFunc(all, func(a, b ranked) int {
			switch {
			case a.rank > b.rank:
				return -1
			case a.rank < b.rank:
				return 1
			}
			return 0
		})
		got := Nearest(v, cats, k)
		if len(got) != min(max(k, 0), len(all)) {
			t.Fatalf("%d of %d categories, want %d", len(got), len(all), k)
		}
		for i, m := range got {
			if m != all[i].Match {
				t.Fatalf("place %d is %v, want %v", i, m, all[i].Match)
			}
		}
	})
}
