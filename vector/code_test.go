package vector

import (
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

// Codes are stored: the same vector must have the same code for ever.
func TestCodesNeverChange(t *testing.T) {
	c, err := NewCoder(384, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float32, 384)
	for i := range v {
		v[i] = float32(i%7) - 3
	}
	code := make([]uint64, 6)
	if err := c.Code(code, v); err != nil {
		t.Fatal(err)
	}
	want := []uint64{0xb81027860b341524, 0xa058f25a123588dc, 0x2db2c18fd33f3029, 0x7cfd3a5040612a11, 0x13f2b61c96b861b1, 0xb1d26fb64e143e11}
	if !slices.Equal(code, want) {
		t.Errorf("code %#x, want %#x", code, want)
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
		codes := make([][]uint64, 3)
		for i, x := range [][]float32{v, near, opposite} {
			codes[i] = make([]uint64, c.Words())
			if err := c.Code(codes[i], x); err != nil {
				t.Fatal(err)
			}
		}
		distance := func(a, b []uint64) (n int) {
			for i := range a {
				n += bits.OnesCount64(a[i] ^ b[i])
			}
			return n
		}
		if d := distance(codes[0], codes[1]); d > 40 {
			t.Errorf("near vectors differ in %d bits", d)
		}
		if d := distance(codes[0], codes[2]); d < 344 {
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
	a, b := make([]uint64, 2), make([]uint64, 2)
	if err := errors.Join(centered.Code(a, v), plain.Code(b, difference)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a, b) {
		t.Errorf("code %x, want that of the difference %x", a, b)
	}
}

func TestPackedCodesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(1, 20).Draw(t, "words")
		codes := rapid.SliceOf(rapid.SliceOfN(rapid.Uint64(), words, words)).Draw(t, "codes")
		var block []byte
		for _, c := range codes {
			block = PackCode(block, c)
		}
		for i, want := range codes {
			if got, err := UnpackCode(block, words, i); err != nil || !slices.Equal(got, want) {
				t.Errorf("code %d = %x, %v, want %x", i, got, err, want)
			}
		}
		if _, err := UnpackCode(block, words, len(codes)); !errors.Is(err, ErrLength) {
			t.Errorf("code behind the end: %v", err)
		}
	})
}

func TestScanGivesHammingDistances(t *testing.T) {
	for _, words := range []int{1, 5, 6, 7, 16} {
		rapid.Check(t, func(t *rapid.T) {
			code := rapid.SliceOfN(rapid.Uint64(), words, words)
			query := code.Draw(t, "query")
			codes := rapid.SliceOf(code).Draw(t, "codes")
			var block []byte
			for _, c := range codes {
				block = PackCode(block, c)
			}
			next := 0
			err := Scan(block, query, func(i, distance int) {
				want := 0
				for w, x := range codes[i] {
					want += bits.OnesCount64(x ^ query[w])
				}
				if i != next || distance != want {
					t.Errorf("code %d (after %d): distance %d, want %d", i, next-1, distance, want)
				}
				next++
			})
			if err != nil || next != len(codes) {
				t.Errorf("%d of %d codes, %v", next, len(codes), err)
			}
		})
	}
}

func TestTableScoreIsTheInnerProductWithTheSigns(t *testing.T) {
	for _, dims := range []int{1, 63, 100, 384} {
		rapid.Check(t, func(t *rapid.T) {
			c, err := NewCoder(dims, vectors(dims).Draw(t, "center"))
			if err != nil {
				t.Fatal(err)
			}
			query, v := vectors(dims).Draw(t, "query"), vectors(dims).Draw(t, "v")
			table, err := c.Table(query)
			if err != nil {
				t.Fatal(err)
			}
			block, err := c.AppendCode(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			code, err := UnpackCode(block, c.Words(), 0)
			if err != nil {
				t.Fatal(err)
			}
			rotated := make([]float32, dims)
			if err := c.rotation.Apply(rotated, query); err != nil {
				t.Fatal(err)
			}
			var want float64
			for i, x := range rotated {
				if code[i/64]>>(i%64)&1 != 0 {
					want += float64(x)
				} else {
					want -= float64(x)
				}
			}
			if got := table.Score(block); !near(float64(got), want, 1e-2) {
				t.Errorf("score %v, want %v", got, want)
			}
			scores := make([]float32, 2)
			if err := table.ScoreAll(scores, slices.Concat(make([]byte, len(block)), block)); err != nil {
				t.Error(err)
			}
			if scores[1] != table.Score(block) {
				t.Errorf("all scores give %v, score %v", scores[1], table.Score(block))
			}
		})
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
	table, err := c.Table(ok)
	if err != nil {
		t.Fatal(err)
	}
	table.Score(nil)
	table.Score(make([]byte, 99))
	new(Table).Score(make([]byte, 16))
	tests := []struct {
		name string
		err  error
		want error
	}{
		{"no dimensions", second(NewCoder(0, nil)), ErrLength},
		{"negative dimensions", second(NewCoder(-5, nil)), ErrLength},
		{"short center", second(NewCoder(100, short)), ErrLength},
		{"center with NaN", second(NewCoder(100, bad)), ErrNotFinite},
		{"short vector", c.Code(make([]uint64, 2), short), ErrLength},
		{"vector with NaN", c.Code(make([]uint64, 2), bad), ErrNotFinite},
		{"short code", c.Code(make([]uint64, 1), ok), ErrLength},
		{"short vector to append", second(c.AppendCode(nil, short)), ErrLength},
		{"short query", second(c.Table(short)), ErrLength},
		{"query with NaN", second(c.Table(bad)), ErrNotFinite},
		{"rotation of a short vector", NewRotation(100).Apply(ok, short), ErrLength},
		{"rotation into a short vector", NewRotation(100).Apply(short, ok), ErrLength},
		{"block of part of a code", Scan(make([]byte, 17), make([]uint64, 2), func(int, int) {}), ErrLength},
		{"no query", Scan(make([]byte, 16), nil, func(int, int) {}), ErrLength},
		{"block of part of a code, by table", table.ScoreAll(make([]float32, 1), make([]byte, 17)), ErrLength},
		{"empty table", new(Table).ScoreAll(make([]float32, 1), make([]byte, 16)), ErrLength},
		{"negative code", second(UnpackCode(make([]byte, 16), 2, -1)), ErrLength},
		{"code of no words", second(UnpackCode(make([]byte, 16), 0, 0)), ErrLength},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !errors.Is(tt.err, tt.want) {
				t.Errorf("error %v, want %v", tt.err, tt.want)
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

func TestTopKEqualsSortingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(-1, 12).Draw(t, "k")
		// Few different values, so that equals are common.
		similarities := rapid.SliceOf(rapid.SampledFrom([]float32{-1, 0, 0.25, 0.5, 1, nan, -inf})).Draw(t, "similarities")
		top := NewTopK(k)
		var all []Scored
		for i, s := range similarities {
			id := int64(i*7919%101) - 50
			top.Offer(id, s)
			if s == s {
				all = append(all, Scored{id, s})
			}
		}
		slices.SortFunc(all, compareScored)
		if got, want := top.Sorted(), all[:min(max(k, 0), len(all))]; !slices.Equal(got, want) {
			t.Errorf("top %d = %v, want %v", k, got, want)
		}
	})
	new(TopK).Offer(1, 1)
}
