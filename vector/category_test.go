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
		{"another dimension", c.Join(category(t, "", 1, 1).Centroid), ErrLength},
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
	tests := []struct {
		name  string
		v     []float32
		cats  []Category
		opts  CategoryOptions
		index int // -1 for a new category
	}{
		{"nothing there yet", []float32{1, 0, 0}, nil, CategoryOptions{}, -1},
		{"nearest", []float32{0.2, 0.9, 0}, []Category{pets, work}, CategoryOptions{}, 1},
		{"near to none", []float32{0.1, 0.1, 1}, []Category{pets, work}, CategoryOptions{}, -1},
		{"own threshold", []float32{0.2, 0.9, 0.3}, []Category{pets, work}, CategoryOptions{Join: 0.99}, -1},
		{"the name makes up for a little distance", []float32{0.4, 0, 0.9}, []Category{pets, work}, CategoryOptions{Name: "pets"}, 0},
		{"another name does not", []float32{0.4, 0, 0.9}, []Category{pets, work}, CategoryOptions{Name: "work"}, -1},
		{"a name alone is not enough", []float32{0, 0, 1}, []Category{pets, work}, CategoryOptions{Name: "pets"}, -1},
		{"no name is no common name", []float32{0.4, 0, 0.9}, []Category{category(t, "", 5, 1, 0, 0)}, CategoryOptions{}, -1},
		{"names can be ignored", []float32{0.4, 0, 0.9}, []Category{pets}, CategoryOptions{Name: "pets", SameName: -1}, -1},
		{"a vector twice as long is no nearer", []float32{0.8, 0, 1.8}, []Category{pets}, CategoryOptions{}, -1},
		{"empty category", []float32{1, 0, 0}, []Category{{Name: "pets"}}, CategoryOptions{Name: "pets"}, -1},
		{"zero vector", []float32{0, 0, 0}, []Category{pets}, CategoryOptions{}, -1},
		{"wrong length", []float32{1, 0}, []Category{pets}, CategoryOptions{}, -1},
		{"not finite", []float32{nan, 0, 0}, []Category{pets}, CategoryOptions{}, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			index, similarity, ok := Assign(tt.v, tt.cats, tt.opts)
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
func TestB6_ThresholdIsACosine(t *testing.T) {
	cats := []Category{category(t, "", 3, 5, 0)}
	for _, tt := range []struct {
		cosine float32
		joins  bool
	}{{0.69, false}, {0.71, true}} {
		v := []float32{tt.cosine * 7, 7 * float32(math.Sqrt(1-float64(tt.cosine)*float64(tt.cosine)))}
		if _, s, ok := Assign(v, cats, CategoryOptions{Join: 0.7}); ok != tt.joins || ok && !near(float64(s), float64(tt.cosine), 1e-5) {
			t.Errorf("cosine %v: similarity %v, joins %v", tt.cosine, s, ok)
		}
	}
}

func TestAFullCategoryTakesNoMore(t *testing.T) {
	cats := []Category{
		category(t, "pets", 20, 1, 0, 0),
		category(t, "work", 19, 0, 1, 0),
		category(t, "rest", 61, 0, 0, 1), // over its share, as after deletions elsewhere
	}
	if i, _, ok := Assign([]float32{1, 0, 0}, cats, CategoryOptions{Name: "pets"}); ok {
		t.Errorf("joined category %d though it holds its share", i)
	}
	if i, _, ok := Assign([]float32{0, 1, 0}, cats, CategoryOptions{}); !ok || i != 1 {
		t.Errorf("Assign = %d, %v; there was room in 1", i, ok)
	}
	few := []Category{category(t, "pets", 20, 1, 0, 0)}
	if _, _, ok := Assign([]float32{1, 0, 0}, few, CategoryOptions{}); !ok {
		t.Error("a share was enforced on twenty passages")
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
	if i, _, ok := Assign(v, cats, CategoryOptions{}); !ok || i != 7 {
		t.Errorf("Assign = %d, %v; want the nearest, 7", i, ok)
	}
}

func TestCategoryLimit(t *testing.T) {
	for passages, want := range map[int]int{-1: 12, 0: 12, 100: 12, 3000: 12, 10_000: 17, 1_000_000: 75, 1 << 30: 75} {
		if got := CategoryLimit(passages); got != want {
			t.Errorf("CategoryLimit(%d) = %d, want %d", passages, got, want)
		}
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

// carryOut does what the owner of the categories does with the pairs.
func carryOut(t interface{ Fatal(...any) }, cats []Category, pairs []Pair) []Category {
	gone := make(map[int]bool)
	for _, p := range pairs {
		if gone[p.Into] || gone[p.From] || p.Into == p.From {
			t.Fatal("pair of a category that is gone: ", p)
		}
		gone[p.From] = true
		if err := cats[p.Into].Centroid.Join(cats[p.From].Centroid); err != nil {
			t.Fatal(err)
		}
	}
	var left []Category
	for i, c := range cats {
		if !gone[i] {
			left = append(left, c)
		}
	}
	return left
}

// farApart returns so many categories of one passage each, all equally far from
// each other, in a space that has room for two more.
func farApart(t testing.TB, n int) []Category {
	t.Helper()
	cats := make([]Category, n)
	for i := range cats {
		v := make([]float32, n+2)
		v[i] = 5
		cats[i] = category(t, fmt.Sprint(i), 1, v...)
	}
	return cats
}

// Categories that have grown alike are merged, those that lost all their facts
// go, and counts follow what is there.
func TestB11_CategoriesAreMergedAndRemoved(t *testing.T) {
	n := mergeFactor * MinCategories
	cats := farApart(t, n)
	like := make([]float32, n+2)
	like[n] = 5
	small := category(t, "small", 2, like...)
	like[n+1] = 0.1
	large := category(t, "large", 3, like...)
	cats = append(cats, small, large, Category{Name: "empty"})

	pairs := Merge(cats, CategoryOptions{})
	empty, alike := slices.IndexFunc(pairs, func(p Pair) bool { return p.From == n+2 }), slices.Index(pairs, Pair{Into: n + 1, From: n})
	if empty != 0 || alike != 1 {
		t.Errorf("the empty category went at step %d, the like ones at step %d of %v", empty, alike, pairs)
	}
	left := carryOut(t, slices.Clone(cats), pairs)
	if len(left) != MinCategories {
		t.Errorf("%d categories left", len(left))
	}
	if total(left) != total(cats) {
		t.Errorf("%d passages became %d", total(cats), total(left))
	}
}

func TestMergeWaitsUntilThereAreManyTooMany(t *testing.T) {
	n := mergeFactor * MinCategories
	if pairs := Merge(farApart(t, n), CategoryOptions{}); len(pairs) != 0 {
		t.Errorf("%d pairs of %d categories", len(pairs), n)
	}
	if pairs := Merge(farApart(t, n+1), CategoryOptions{}); len(pairs) != n+1-MinCategories {
		t.Errorf("%d pairs of %d categories", len(pairs), n+1)
	}
}

func TestMergeMakesRoomBelowTheMostCategories(t *testing.T) {
	cats := farApart(t, MaxCategories)
	for i := range cats { // so many passages that three times the limit would be beyond it
		cats[i].Centroid.Count = 10_000
	}
	left := len(cats) - len(Merge(cats, CategoryOptions{}))
	if left != MaxCategories/2 {
		t.Errorf("%d categories left", left)
	}
}

func TestMergePrefersEqualNames(t *testing.T) {
	n := mergeFactor * MinCategories
	cats := farApart(t, n)
	v := make([]float32, n+2)
	v[n] = 4.9 // a little nearer to every other category than those to each other
	cats = append(cats, category(t, "7", 1, v...))
	if pairs := Merge(cats, CategoryOptions{}); len(pairs) == 0 || pairs[0] != (Pair{Into: 7, From: n}) {
		t.Errorf("Merge = %v", pairs)
	}
}

func TestMergeKeepsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "categories")
		cats := make([]Category, n)
		before := 0
		for i := range cats {
			cats[i].Name = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "name")
			v := vectors(4).Draw(t, "v")
			for range rapid.IntRange(0, 12).Draw(t, "count") {
				if err := cats[i].Centroid.Add(v); err != nil {
					t.Fatal(err)
				}
			}
			before = max(before, cats[i].Centroid.Count)
		}
		all := total(cats)
		room := roomFor(all, DefaultMaxShare)
		left := carryOut(t, cats, Merge(cats, CategoryOptions{}))
		if total(left) != all {
			t.Errorf("%d passages became %d", all, total(left))
		}
		for _, c := range left {
			if c.Centroid.Count > max(before, room) {
				t.Errorf("a category of %d of %d passages", c.Centroid.Count, all)
			}
		}
		if n <= mergeFactor*CategoryLimit(all) || len(left) <= CategoryLimit(all) {
			return
		}
		// Beyond the limit nothing that would fit together may be left.
		for i, a := range left {
			for _, b := range left[i+1:] {
				if a.Centroid.Count+b.Centroid.Count <= room {
					t.Fatalf("%d categories left, and two of %d and %d", len(left), a.Centroid.Count, b.Centroid.Count)
				}
			}
		}
	})
}
