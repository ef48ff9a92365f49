package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A stored value is off by half of a step at the most, and the stored bytes are
// those of the rounded vector.
func TestScaled_IsOffByHalfAStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]float32{1e-30, 1e-6, 1, 1e6}).Draw(t, "size")
		v := rapid.SliceOfN(rapid.Float32Range(-size, size), 1, 40).Draw(t, "v")
		r := RoundScaled(v)
		largest := float64(0)
		for _, x := range v {
			largest = max(largest, math.Abs(float64(x)))
		}
		// Half a step, and what float32 rounds of the quotient and of the product.
		most := largest*(0.5/scaledSteps+2*0x1p-24) + 1e-40
		for i := range v {
			if d := math.Abs(float64(v[i]) - float64(r[i])); d > most {
				t.Errorf("%g becomes %g beside %g", v[i], r[i], largest)
			}
		}
		b := EncodeScaled(v)
		if len(b) != ScaledBytes(len(v)) {
			t.Errorf("%v is stored in %d bytes", v, len(b))
		}
		// A factor below the normal numbers has few digits, and what is rounded by
		// it may be rounded again.
		if normal := largest/scaledSteps >= 0x1p-126; normal && !bytes.Equal(b[4:], EncodeScaled(r)[4:]) {
			t.Errorf("%v is stored as %x, but rounded as %x", v, b, EncodeScaled(r))
		}
		if back, err := DecodeScaled(b, len(v)); err != nil || !slices.Equal(back, r) {
			t.Errorf("%v is read back as %v (%v), but rounded to %v", v, back, err, r)
		}
	})
}

// What is no stored vector of that many values is refused.
func TestDecodeScaled_RefusesWhatIsNoVector(t *testing.T) {
	whole := EncodeScaled([]float32{1, -0.5, 0})
	for _, b := range [][]byte{nil, whole[:3], whole[:9], append(slices.Clone(whole), 0)} {
		if v, err := DecodeScaled(b, 3); !errors.Is(err, ErrLength) {
			t.Errorf("%x: got %v and %v, want %v", b, v, err, ErrLength)
		}
	}
	for _, factor := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat32} {
		b := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(factor)))
		if v, err := DecodeScaled(append(b, whole[4:]...), 3); !errors.Is(err, ErrNotFinite) {
			t.Errorf("scaled by %v: got %v and %v, want %v", factor, v, err, ErrNotFinite)
		}
	}
}

func TestScaled_OfNothing(t *testing.T) {
	if got := RoundScaled([]float32{0, 0}); got[0] != 0 || got[1] != 0 {
		t.Errorf("zeros become %v", got)
	}
	if got := EncodeScaled(nil); len(got) != 4 {
		t.Errorf("no value takes %d bytes", len(got))
	}
}

// Cosines of stored vectors are those of the vectors, but for what float32
// itself rounds.
func TestScaled_KeepsCosines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) []float32 {
			return Normalize(rapid.SliceOfN(rapid.Float32Range(-1, 1), 384, 384).
				Filter(func(v []float32) bool { return v[0] != 0 }).Draw(t, name))
		}
		a, b := draw("a"), draw("b")
		r := RoundScaled(b)
		var exact, got float64
		for i := range a {
			exact += float64(a[i]) * float64(b[i])
			got += float64(a[i]) * float64(r[i])
		}
		if d := math.Abs(got - exact); d > 2e-5 {
			t.Errorf("a cosine of %g becomes %g", exact, got)
		}
	})
}

// Steps are counted and rounded by bits; the result is that of the formula.
func TestScaled_IsTheNearestStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float32 {
			x := math.Float32frombits(rapid.Uint32().Draw(t, "bits"))
			if x-x != 0 {
				return 0
			}
			return x
		}), 1, 40).Draw(t, "v")
		if rapid.Bool().Draw(t, "of one size") {
			for i, x := range v {
				v[i] = x / 0x1p127
			}
		}
		largest := float32(0)
		for _, x := range v {
			largest = max(largest, x, -x)
		}
		factor := largest / scaledSteps
		rounded := slices.Clone(v)
		before := []byte("before")
		encoded, ok := bytes.CutPrefix(AppendScaled(slices.Clone(before), rounded), before)
		if !ok {
			t.Fatalf("%v is not appended", v)
		}
		if got := math.Float32frombits(binary.LittleEndian.Uint32(encoded)); got != factor {
			t.Fatalf("%v is scaled by %v, want %v", v, got, factor)
		}
		for i, x := range v {
			var want float64
			if factor > 0 {
				want = max(-scaledSteps, min(scaledSteps, math.RoundToEven(float64(x/factor))))
			}
			if got := int16(binary.LittleEndian.Uint16(encoded[4+2*i:])); got != int16(want) || rounded[i] != float32(got)*factor {
				t.Fatalf("%g beside %g becomes %d and %g, want %v", x, largest, got, rounded[i], want)
			}
		}
		if !bytes.Equal(encoded, EncodeScaled(v)) || !slices.Equal(rounded, RoundScaled(v)) {
			t.Fatal("both at once are not what each is alone")
		}
	})
}

// RoundScaled returns v as it is after [EncodeScaled].
func RoundScaled(v []float32) []float32 {
	rounded := slices.Clone(v)
	AppendScaled(nil, rounded)
	return rounded
}
