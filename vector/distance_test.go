package vector

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Distances of stored vectors are those of the vectors, bit for bit.
func TestDistance_IsTheSameInEveryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 40).Draw(t, "dim")
		draw := func(label string) []float32 {
			return rapid.SliceOfN(rapid.Float32Range(-2, 2), dim, dim).Draw(t, label)
		}
		query := draw("query")
		var plain [4][]float32
		var stored [4][]byte
		for i := range plain {
			stored[i] = EncodeScaled(draw("v"))
			v, err := DecodeScaled(stored[i], dim)
			if err != nil {
				t.Fatal(err)
			}
			plain[i] = v
		}
		got, err := ScaledDistances(&stored, query)
		if err != nil {
			t.Fatal(err)
		}
		side := Distances(&plain, query)
		for i := range plain {
			if want := Distance(plain[i], query); got[i] != want || side[i] != want {
				t.Fatalf("vector %d is %v away, stored %v, beside others %v", i, want, got[i], side[i])
			}
		}
		stored[2] = stored[2][1:]
		if _, err := ScaledDistances(&stored, query); !errors.Is(err, ErrLength) {
			t.Fatalf("a vector that is cut short: got %v", err)
		}
	})
}

func TestSumCosine(t *testing.T) {
	query := []float32{0.6, 0.8}
	for _, c := range []struct {
		sum  []float32
		want float64
		ok   bool
	}{
		{[]float32{3, 4}, 1, true}, {[]float32{-3, -4}, -1, true}, {[]float32{8, -6}, 0, true}, {[]float32{0, 0}, 0, false},
	} {
		got, ok, err := SumCosine(Encode(c.sum), query)
		if err != nil || ok != c.ok || math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("%v: got %v, %v, %v, want %v", c.sum, got, ok, err, c.want)
		}
	}
	if _, _, err := SumCosine(nil, query); !errors.Is(err, ErrLength) {
		t.Errorf("a sum of no values: got %v", err)
	}
}

func BenchmarkScaledDistances(b *testing.B) {
	query := Normalize(make384(1))
	var stored [4][]byte
	for i := range stored {
		stored[i] = EncodeScaled(Normalize(make384(i)))
	}
	for b.Loop() {
		if _, err := ScaledDistances(&stored, query); err != nil {
			b.Fatal(err)
		}
	}
}

func make384(seed int) []float32 {
	v := make([]float32, 384)
	for i := range v {
		v[i] = float32((i*7919+seed*104729)%1000) - 499.5
	}
	return v
}
