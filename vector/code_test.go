package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRotationKeepsInnerProducts(t *testing.T) {
	for _, dims := range []int{1, 2, 3, 7, 64, 100, 384, 768, 1024} {
		r := NewRotation(dims)
		rapid.Check(t, func(t *rapid.T) {
			a, b := vectors(dims).Draw(t, "a"), vectors(dims).Draw(t, "b")
			ra, rb := make([]float32, dims), make([]float32, dims)
			if err := errors.Join(r.Apply(ra, a), r.Apply(rb, b)); err != nil {
				t.Fatal(err)
			}
			tolerance := 1e-4 * (1 + math.Sqrt(float64(Dot(a, a))*float64(Dot(b, b))))
			if !near(float64(Dot(ra, rb)), float64(Dot(a, b)), tolerance) {
				t.Errorf("%d dimensions: inner product %v became %v", dims, Dot(a, b), Dot(ra, rb))
			}
		})
	}
}

func TestRotationSpreadsASingleValueOverAllDimensions(t *testing.T) {
	const dims = 384
	r := NewRotation(dims)
	for _, at := range []int{0, 100, 200, 383} {
		v := make([]float32, dims)
		v[at] = 1
		if err := r.Apply(v, v); err != nil {
			t.Fatal(err)
		}
		var largest float64
		var small int
		for _, x := range v {
			largest = max(largest, math.Abs(float64(x)))
			if math.Abs(float64(x)) < 1e-6 {
				small++
			}
		}
		if largest > 0.25 || small > dims/20 {
			t.Errorf("value %d: largest %.3f, %d values near zero", at, largest, small)
		}
	}
}

// Codes are stored: the same vector must have the same codes for ever.
func TestCodesNeverChange(t *testing.T) {
	c, err := NewCoder(384, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float32, 384)
	for i := range v {
		v[i] = float32(i%7) - 3
	}
	code, err := c.AppendCode(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, w := range []uint64{0xb81027860b341524, 0xa058f25a123588dc, 0x2db2c18fd33f3029, 0x7cfd3a5040612a11, 0x13f2b61c96b861b1, 0xb1d26fb64e143e11} {
		want = binary.LittleEndian.AppendUint64(want, w)
	}
	if !bytes.Equal(code, want) {
		t.Errorf("code %x, want %x", code, want)
	}
}

// codeOf returns the code of v.
func codeOf(t *rapid.T, c *Coder, v []float32) []byte {
	code, err := c.AppendCode(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestEncodeInt8_KeepsTheDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := vectors(64).Filter(func(v []float32) bool { return Dot(v, v) > 1 }).Draw(t, "v")
		rounded := make([]float32, len(v))
		largest := 0
		for i, b := range EncodeInt8(v) {
			rounded[i] = float32(int8(b))
			largest = max(largest, int(math.Abs(float64(int8(b)))))
		}
		if largest != math.MaxInt8 {
			t.Errorf("the largest value has %d steps", largest)
		}
		if c := Cosine(v, rounded); c < 0.999 {
			t.Errorf("%v became %v, cosine %v", v, rounded, c)
		}
		if again := EncodeInt8(rounded); !bytes.Equal(again, EncodeInt8(v)) {
			t.Errorf("encoded again %v became %v", rounded, again)
		}
	})
	if got := EncodeInt8(make([]float32, 3)); !bytes.Equal(got, make([]byte, 3)) {
		t.Errorf("zeros became %v", got)
	}
}

func TestCodesOfNearVectorsDifferInFewBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, err := NewCoder(384, nil)
		if err != nil {
			t.Fatal(err)
		}
		v := vectors(384).Filter(func(v []float32) bool { return Dot(v, v) > 100 }).Draw(t, "v")
		near, opposite := slices.Clone(v), slices.Clone(v)
		for i := range v {
			near[i] *= 1 + 0.01*float32(i%3)
			opposite[i] *= -1
		}
		own := codeOf(t, c, v)
		distance := func(other []byte) (n int) {
			for i := range own {
				n += bits.OnesCount8(own[i] ^ other[i])
			}
			return n
		}
		if d := distance(codeOf(t, c, near)); d > 40 {
			t.Errorf("near vectors differ in %d bits", d)
		}
		if d := distance(codeOf(t, c, opposite)); d < 344 {
			t.Errorf("opposite vectors differ in only %d bits", d)
		}
	})
}

func TestCenterIsTheOriginOfCodes(t *testing.T) {
	center := make([]float32, 100)
	for i := range center {
		center[i] = float32(i)
	}
	centered, err := NewCoder(100, center)
	if err != nil {
		t.Fatal(err)
	}
	center[0] = 1e6 // the coder has its own copy
	plain, err := NewCoder(100, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, difference := make([]float32, 100), make([]float32, 100)
	for i := range v {
		v[i] = float32(i * i % 31)
		difference[i] = v[i] - float32(i)
	}
	a, errA := centered.AppendCode(nil, v)
	b, errB := plain.AppendCode(nil, difference)
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("code %x, want that of the difference %x", a, b)
	}
}

func TestWrongInputIsAnErrorAndNoPanic(t *testing.T) {
	c, err := NewCoder(100, nil)
	if err != nil {
		t.Fatal(err)
	}
	short, ok := make([]float32, 99), make([]float32, 100)
	bad := slices.Clone(ok)
	bad[50] = nan
	probe, err := c.Probe(ok)
	if err != nil {
		t.Fatal(err)
	}
	appended := func(v []float32) error { return second(c.AppendCode(nil, v)) }
	tests := []struct {
		name string
		err  error
		want error
	}{
		{"no dimensions", second(NewCoder(0, nil)), ErrLength},
		{"negative dimensions", second(NewCoder(-5, nil)), ErrLength},
		{"short center", second(NewCoder(100, short)), ErrLength},
		{"center with NaN", second(NewCoder(100, bad)), ErrNotFinite},
		{"short vector", appended(short), ErrLength},
		{"vector with NaN", appended(bad), ErrNotFinite},
		{"short query", second(c.Probe(short)), ErrLength},
		{"query with NaN", second(c.Probe(bad)), ErrNotFinite},
		{"rotation of a short vector", NewRotation(100).Apply(ok, short), ErrLength},
		{"rotation into a short vector", NewRotation(100).Apply(short, ok), ErrLength},
		{"part of a group", probe.Scan(make([]uint16, 31), make([]byte, 31*16)), ErrLength},
		{"groups of another length", probe.Scan(make([]uint16, 32), make([]byte, 32*16-1)), ErrLength},
		{"part of a group to interleave", Interleave(make([]byte, 16), make([]byte, 16), 100), ErrLength},
		{"interleave into less", Interleave(make([]byte, 16), make([]byte, 32*16), 100), ErrLength},
		{"interleave no dimensions", Interleave(nil, nil, 0), ErrLength},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !errors.Is(tt.err, tt.want) {
				t.Errorf("error %v, want %v", tt.err, tt.want)
			}
		})
	}
	if err := errors.Join(probe.Scan(nil, nil), Interleave(nil, nil, 100)); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
