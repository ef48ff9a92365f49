package vector

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// vectors generates vectors of a dimension with values of ordinary size. Only a
// seed is drawn: hundreds of values each would take rapid longer than the test.
func vectors(dims int) *rapid.Generator[[]float32] {
	return rapid.Custom(func(t *rapid.T) []float32 {
		state := rapid.Uint64().Draw(t, "seed")
		scale := rapid.Float32Range(0, 10).Draw(t, "scale")
		v := make([]float32, dims)
		for i := range v {
			v[i] = scale * (float32(splitMix(&state)>>40)/(1<<23) - 1)
		}
		return v
	})
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		v    []float32
		dims int
		want error
	}{
		{"right", []float32{1, -2}, 2, nil},
		{"zero vector", []float32{0, 0}, 2, nil},
		{"largest", []float32{math.MaxFloat32, -math.MaxFloat32}, 2, nil},
		{"nothing", nil, 0, nil},
		{"too short", []float32{1}, 2, ErrLength},
		{"too long", []float32{1, 2, 3}, 2, ErrLength},
		{"nil", nil, 2, ErrLength},
		{"NaN", []float32{1, nan}, 2, ErrNotFinite},
		{"infinity", []float32{inf, 1}, 2, ErrNotFinite},
		{"negative infinity", []float32{-inf, 1}, 2, ErrNotFinite},
		{"NaN of all bits", []float32{1, math.Float32frombits(math.MaxUint32)}, 2, ErrNotFinite},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := Check(tt.v, tt.dims); !errors.Is(err, tt.want) {
				t.Errorf("Check = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestNormalize(t *testing.T) {
	tests := []struct {
		name     string
		in, want []float32
	}{
		{"plain", []float32{3, 4}, []float32{0.6, 0.8}},
		{"zero stays", []float32{0, 0}, []float32{0, 0}},
		{"huge", []float32{3e38, 0}, []float32{1, 0}},
		{"tiny", []float32{0, -1e-40}, []float32{0, -1}},
		{"not finite stays", []float32{inf, 2}, []float32{inf, 2}},
		{"empty", []float32{}, []float32{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Normalize(tt.in)
			if !slices.EqualFunc(got, tt.want, func(a, b float32) bool { return a == b || near(float64(a), float64(b), 1e-6) }) {
				t.Errorf("Normalize = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestDotAndDistanceAgreeWithTheirDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-10, 10), 0, 40)
		a, b := v.Draw(t, "a"), v.Draw(t, "b")
		var dot float64
		for i := range max(len(a), len(b)) {
			var x, y float64
			if i < len(a) {
				x = float64(a[i])
			}
			if i < len(b) {
				y = float64(b[i])
			}
			dot += x * y
		}
		if got := Dot(a, b); !near(float64(got), dot, 1e-2) {
			t.Errorf("Dot = %v, want %v", got, dot)
		}
	})
}

func TestCosine(t *testing.T) {
	tests := []struct {
		name string
		a, b []float32
		want float32
	}{
		{"same direction, other length", []float32{1, 2}, []float32{10, 20}, 1},
		{"opposite", []float32{1, 2}, []float32{-2, -4}, -1},
		{"orthogonal", []float32{1, 0}, []float32{0, 5}, 0},
		{"zero", []float32{0, 0}, []float32{1, 1}, 0},
		{"empty", nil, []float32{1, 1}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Cosine(tt.a, tt.b); !near(float64(got), float64(tt.want), 1e-6) {
				t.Errorf("Cosine = %v, want %v", got, tt.want)
			}
		})
	}
	if got := Cosine([]float32{nan, 1}, []float32{1, 1}); got == got {
		t.Errorf("Cosine with a NaN = %v", got)
	}
}

func TestDecodeReturnsWhatWasEncoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOf(rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32)).Draw(t, "v")
		got, err := Decode(Encode(v), len(v))
		if err != nil || !slices.Equal(got, v) {
			t.Errorf("Decode = %v, %v", got, err)
		}
	})
}

func TestEncodeIsLittleEndianFloat32(t *testing.T) {
	if got, want := Encode([]float32{1, -2}), []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}; !bytes.Equal(got, want) {
		t.Errorf("Encode = %x, want %x", got, want)
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct {
		name string
		b    []byte
		dims int
		want error
	}{
		{"too short", make([]byte, 4), 2, ErrLength},
		{"too long", make([]byte, 12), 2, ErrLength},
		{"part of a value", make([]byte, 9), 2, ErrLength},
		{"negative dimension", nil, -1, ErrLength},
		{"NaN", Encode([]float32{nan, 0}), 2, ErrNotFinite},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Decode(tt.b, tt.dims); !errors.Is(err, tt.want) {
				t.Errorf("Decode = %v, want %v", err, tt.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 0, 0x80, 0x3f}, 1)
	f.Add([]byte{0, 0, 0xc0, 0x7f}, 1)
	f.Add([]byte{1}, 0)
	f.Fuzz(func(t *testing.T, b []byte, dims int) {
		v, err := Decode(b, dims)
		if err != nil {
			if v != nil {
				t.Fatal("a vector with an error")
			}
			return
		}
		if err := Check(v, dims); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(Encode(v), b) {
			t.Fatalf("Encode(Decode(%x)) = %x", b, Encode(v))
		}
	})
}

// Cosine returns the cosine of the angle between a and b.
func Cosine(a, b []float32) float32 { return cosineOf(Dot(a, b), Dot(a, a), Dot(b, b)) }

// Top returns the k most similar of a list, the most similar first, equals by id.
func Top(list []Scored, k int) []Scored {
	slices.SortFunc(list, compareScored)
	return list[:min(k, len(list))]
}
