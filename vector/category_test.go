package vector

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// category returns a category of count equal vectors.
func category(t testing.TB, name string, count int, v ...float32) Category {
	t.Helper()
	c := Category{Name: name}
	for range count {
		if err := c.Centroid.Add(v); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestCentroidFollowsItsVectors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const dims = 8
		in := rapid.SliceOfN(vectors(dims), 1, 20).Draw(t, "in")
		out := rapid.IntRange(0, len(in)).Draw(t, "out")
		var c Centroid
		for _, v := range in {
			if err := c.Add(v); err != nil {
				t.Fatal(err)
			}
		}
		for _, v := range in[:out] {
			if err := c.Remove(v); err != nil {
				t.Fatal(err)
			}
		}
		rest := in[out:]
		if c.Count != len(rest) {
			t.Fatalf("count %d, want %d", c.Count, len(rest))
		}
		mean := c.Mean()
		for i := range dims {
			var want float64
			for _, v := range rest {
				want += float64(v[i]) / float64(len(rest))
			}
			if !near(float64(mean[i]), want, 1e-3) {
				t.Errorf("mean[%d] = %v, want %v", i, mean[i], want)
			}
		}
		if len(rest) == 0 && Dot(c.Sum, c.Sum) != 0 {
			t.Errorf("an empty centroid kept %v", c.Sum)
		}
		if d := c.Direction(); Dot(c.Sum, c.Sum) > 1e-3 && !near(float64(Dot(d, d)), 1, 1e-5) {
			t.Errorf("squared length of the direction %v", Dot(d, d))
		}
	})
}

func TestCentroidRefusesAndStaysAsItWas(t *testing.T) {
	c := category(t, "", 2, 1, 2).Centroid
	tests := []struct {
		name string
		err  error
		want error
	}{
		{"longer vector", c.Add([]float32{1, 2, 3}), ErrLength},
		{"NaN", c.Add([]float32{nan, 0}), ErrNotFinite},
		{"shorter vector out", c.Remove([]float32{1}), ErrLength},
		{"infinity out", c.Remove([]float32{inf, 0}), ErrNotFinite},
		{"out of nothing", new(Centroid).Remove([]float32{1}), ErrEmpty},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !errors.Is(tt.err, tt.want) {
				t.Errorf("error %v, want %v", tt.err, tt.want)
			}
		})
	}
	if c.Count != 2 || !slices.Equal(c.Sum, []float32{2, 4}) {
		t.Errorf("centroid became %v", c)
	}
}

func TestAssign(t *testing.T) {
	pets := category(t, "pets", 5, 1, 0, 0)
	work := category(t, "work", 5, 0, 1, 0)
	both := []Category{pets, work}
	tests := []struct {
		name  string
		v     []float32
		cats  []Category
		from  float32
		index int // -1 for a new category
	}{
		{"nothing there yet", []float32{1, 0, 0}, nil, JoinFrom, -1},
		{"nearest", []float32{0.2, 0.9, 0}, both, JoinFrom, 1},
		{"near to none", []float32{0.1, 0.1, 1}, both, JoinFrom, -1},
		{"near enough for less", []float32{0.1, 0.2, 1}, both, -1, 1},
		{"not near enough for more", []float32{0.2, 0.9, 0.3}, both, 0.99, -1},
		{"a vector twice as long is no nearer", []float32{0.8, 0, 1.8}, []Category{pets}, JoinFrom, -1},
		{"empty category", []float32{1, 0, 0}, []Category{{Name: "pets"}}, -1, -1},
		{"zero vector", []float32{0, 0, 0}, []Category{pets}, JoinFrom, -1},
		{"wrong length", []float32{1, 0}, []Category{pets}, -1, -1},
		{"not finite", []float32{nan, 0, 0}, []Category{pets}, JoinFrom, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			index, similarity, ok := Assign(tt.v, tt.cats, tt.from)
			if index != tt.index || ok != (tt.index >= 0) {
				t.Fatalf("Assign = %d, %v, %v; want %d", index, similarity, ok, tt.index)
			}
			if ok && !near(float64(similarity), float64(Cosine(tt.v, tt.cats[index].Centroid.Sum)), 1e-6) {
				t.Errorf("similarity %v is not the cosine", similarity)
			}
		})
	}
}

// Similarity is the cosine itself, whatever the lengths of the vectors, and not
// a distance that merely grows with it.
func TestThresholdIsACosine(t *testing.T) {
	cats := []Category{category(t, "", 3, 5, 0)}
	for _, tt := range []struct {
		cosine float32
		joins  bool
	}{{0.69, false}, {0.71, true}} {
		v := []float32{tt.cosine * 7, 7 * float32(math.Sqrt(1-float64(tt.cosine)*float64(tt.cosine)))}
		if _, s, ok := Assign(v, cats, 0.7); ok != tt.joins || ok && !near(float64(s), float64(tt.cosine), 1e-5) {
			t.Errorf("cosine %v: similarity %v, joins %v", tt.cosine, s, ok)
		}
	}
}

func TestThereAreNeverTooManyCategories(t *testing.T) {
	cats := make([]Category, MaxCategories)
	for i := range cats {
		v := make([]float32, MaxCategories+1)
		v[i] = 1
		cats[i] = category(t, fmt.Sprint(i), 1, v...)
	}
	v := make([]float32, MaxCategories+1)
	v[MaxCategories], v[7] = 1, 0.01
	if i, _, ok := Assign(v, cats, JoinFrom); !ok || i != 7 {
		t.Errorf("Assign = %d, %v; want the nearest, 7", i, ok)
	}
}

func TestNearest(t *testing.T) {
	cats := []Category{
		category(t, "a", 1, 1, 0),
		category(t, "b", 30, 0.99, 0.1),
		category(t, "c", 5, 0, 1),
		{Name: "empty"},
		category(t, "other dimension", 5, 1),
	}
	index := func(ms []Match) (out []int) {
		for _, m := range ms {
			out = append(out, m.Index)
		}
		return out
	}
	if got := index(Nearest([]float32{1, 0}, cats, 9)); !slices.Equal(got, []int{1, 0, 2}) {
		t.Errorf("Nearest = %v: of two about equal the larger comes first", got)
	}
	if got := index(Nearest([]float32{0, 1}, cats, 1)); !slices.Equal(got, []int{2}) {
		t.Errorf("Nearest = %v: size does not make up for distance", got)
	}
	for _, k := range []int{-1, 0} {
		if got := Nearest([]float32{1, 0}, cats, k); len(got) != 0 {
			t.Errorf("Nearest %d = %v", k, got)
		}
	}
	if got := Nearest(nil, cats, 3); len(got) != 0 {
		t.Errorf("Nearest to no vector = %v", got)
	}
}

// What is left unlooked at changes no answer, whatever is equal or missing.
func TestNearestFew_IsTheBeginningOfNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	beginnings, all := 0, 0
	for range 3000 {
		dims := 1 + r.IntN(5) // few, so that there are equals
		draw := func(n int) []float32 {
			v := make([]float32, n)
			for i := range v {
				v[i] = float32(r.IntN(5) - 2)
			}
			return v
		}
		cats := make([]Category, r.IntN(14))
		for i := range cats {
			cats[i].Centroid = Centroid{Sum: draw(dims), Count: r.IntN(4) * r.IntN(30)}
			if r.IntN(9) == 0 {
				cats[i].Centroid.Sum = draw(dims + 1)
			}
		}
		v, k, most := draw(dims), r.IntN(5), r.IntN(80)
		want, room := Nearest(v, cats, k), most
		for i, m := range want {
			if room -= cats[m.Index].Centroid.Count; room < 0 {
				want = want[:i]
				break
			}
		}
		if got := NearestFew(v, cats, k, most); !slices.Equal(got, want) {
			t.Fatalf("NearestFew(%v, %v, %d, %d) = %v, want %v", v, cats, k, most, got, want)
		}
		if all++; len(want) > 0 {
			beginnings++
		}
	}
	if beginnings < all/5 || beginnings > all*4/5 {
		t.Errorf("%d of %d answers hold anything: too few, or all", beginnings, all)
	}
}
