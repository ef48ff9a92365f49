package vector

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// kernels are those that this processor can run.
func kernels() []kernel { return slices.Compact([]kernel{plain, other, bestKernel()}) }

// Every kernel computes what the one in Go computes, to the bit.
func TestKernelsAgree(t *testing.T) {
	if len(kernels()) == 1 {
		t.Skip("there is one kernel only")
	}
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.SampledFrom([]int{1, 2, 8, 63, 64, 65, 100, 384, 768, 1024, 4096}).Draw(t, "dims")
		random := rapid.Uint64().Draw(t, "seed")
		byteOf := func() byte { return byte(splitMix(&random) >> 56) }
		fill := func(n int, most byte) []byte {
			out := make([]byte, n)
			for i := range out {
				out[i] = min(byteOf(), most)
			}
			return out
		}
		n := GroupCodes * rapid.IntRange(1, 6).Draw(t, "groups")
		codes := fill(n*CodeBytes(dims), 255)
		table := fill(32*CodeBytes(dims), byte(min(127, (maxScore-1)/(2*CodeBytes(dims)))))
		low := uint16(splitMix(&random)) >> rapid.IntRange(0, 15).Draw(t, "shift")
		type result struct {
			groups []byte
			scores []uint16
			above  []int32
			counts []uint32
		}
		var want result
		for i, k := range kernels() {
			got := result{make([]byte, len(codes)), make([]uint16, n), make([]int32, n-1), make([]uint32, 4096)}
			k.interleave(got.groups, codes, CodeBytes(dims))
			k.scan(got.scores, got.groups, table, CodeBytes(dims))
			got.above = got.above[:k.above(got.above, got.scores, low)]
			k.count(got.counts, got.scores, binShift)
			if i == 0 {
				want = got
				continue
			}
			if !slices.Equal(got.groups, want.groups) {
				t.Fatalf("kernel %d interleaves in another way", k)
			}
			if !slices.Equal(got.scores, want.scores) {
				t.Fatalf("kernel %d: scores %v, want %v", k, got.scores, want.scores)
			}
			if !slices.Equal(got.above, want.above) {
				t.Fatalf("kernel %d: above %d: %v, want %v", k, low, got.above, want.above)
			}
			if !slices.Equal(got.counts, want.counts) {
				t.Fatalf("kernel %d counts differently", k)
			}
		}
	})
}

// A score is the inner product of the query with the signs of a code, up to the
// rounding of the table.
func TestScoresAreInnerProductsWithSigns(t *testing.T) {
	for _, dims := range []int{1, 63, 100, 384, 2000} {
		rapid.Check(t, func(t *rapid.T) {
			c, err := NewCoder(dims, vectors(dims).Draw(t, "center"))
			if err != nil {
				t.Fatal(err)
			}
			query := vectors(dims).Draw(t, "query")
			var codes []byte
			for i := range GroupCodes {
				codes, err = c.AppendCode(codes, vectors(dims).Draw(t, "v"))
				if err != nil {
					t.Fatal(i, err)
				}
			}
			probe, err := c.Probe(query)
			if err != nil {
				t.Fatal(err)
			}
			groups, scores := make([]byte, len(codes)), make([]uint16, GroupCodes)
			if err := Interleave(groups, codes, dims); err != nil {
				t.Fatal(err)
			}
			if err := probe.Scan(scores, groups); err != nil {
				t.Fatal(err)
			}
			rotated := make([]float32, dims)
			if err := c.rotation.Apply(rotated, query); err != nil {
				t.Fatal(err)
			}
			var widest float64
			for at := 0; at < dims; at += 4 {
				widest = max(widest, 2*magnitude(rotated[at:min(at+4, dims)]))
			}
			quarters := 2 * CodeBytes(dims)
			most := float64(min(127, (maxScore-1)/quarters))
			for i, score := range scores {
				inner := magnitude(rotated)
				for j, x := range rotated {
					if codes[i*CodeBytes(dims)+j/8]>>(j%8)&1 != 0 {
						inner += float64(x)
					} else {
						inner -= float64(x)
					}
				}
				want := 1.0
				if widest > 0 {
					want += inner * (most - 1) / widest
				}
				if score == 0 || math.Abs(float64(score)-want) > float64(quarters)/2+0.5 {
					t.Fatalf("score %d, want %.2f", score, want)
				}
			}
		})
	}
}

func TestHistogramFindsTheBestWithoutSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Uint16Range(0, 3000), 0, 200).Draw(t, "scores")
		n := rapid.IntRange(0, 250).Draw(t, "n")
		var one, two, histogram Histogram
		half := len(scores) / 2
		one.Add(scores[:half])
		two.Add(scores[half:])
		histogram.Join(&one)
		histogram.Join(&two)
		low := histogram.Least(n)
		slots := make([]int32, len(scores))
		slots = slots[:Above(slots, scores, low)]
		counted := 0
		for _, s := range scores {
			if s > 0 {
				counted++
			}
		}
		if low == 0 || len(slots) < min(n, counted) {
			t.Fatalf("%d scores are at least %d, want %d", len(slots), low, min(n, counted))
		}
		if reach := histogram.Reach(low); reach < len(slots) {
			t.Errorf("%d may be at least %d, and %d are", reach, low, len(slots))
		}
		sorted := slices.Clone(scores)
		slices.Sort(sorted)
		if n > 0 && n <= len(sorted) && int(sorted[len(sorted)-n])-int(low) >= 16 {
			t.Errorf("the least of the best %d is %d, got %d", n, sorted[len(sorted)-n], low)
		}
		for _, s := range slots {
			if scores[s] < low {
				t.Errorf("%d is below %d", scores[s], low)
			}
		}
	})
}
