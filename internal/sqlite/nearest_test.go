package sqlite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

func numbersNear(list []store.Near) (out []int64) {
	for _, n := range list {
		out = append(out, n.Number)
	}
	return out
}

// angle is a vector of two dimensions; the nearest have the nearest angles.
func angle(degrees float64) []float32 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return []float32{float32(c), float32(s)}
}

func (b *bed) nearest(scope strata.Scope, v []float32, parents []int64, f store.Filter, k int) (list []store.Near) {
	b.Helper()
	b.view(func(ctx context.Context, x *tx) {
		var err error
		list, err = x.Nearest(ctx, scope, "test", v, parents, f, k)
		b.ok(err)
	})
	return list
}

// rounding is how far the cosine of two vectors of two dimensions may be off, which are
// stored and asked for in eight bits a value.
const rounding = 0.005

func TestNearestOrdersByCosine(t *testing.T) {
	b := newBed(t)
	far := b.save(strata.Global(), "c", "far", angle(170))
	near := b.save(strata.Global(), "c", "near", angle(18))
	long := b.save(strata.Global(), "c", "near and long", []float32{500, 0}) // length says nothing
	none := b.save(strata.Global(), "c", "without direction", []float32{0, 0})
	b.save(strata.Global(), "c", "without vector", nil)
	list := b.nearest(strata.Global(), angle(10), nil, store.Filter{}, 10)
	same(t, "order", numbersNear(list), []int64{near, long, far})
	for i, degrees := range []float64{8, 10, 160} {
		want := math.Cos(degrees * math.Pi / 180)
		if got := float64(list[i].Similarity); math.Abs(got-want) > rounding {
			t.Errorf("similarity %d: got %v, want %v", i, got, want)
		}
	}
	same(t, "k", numbersNear(b.nearest(strata.Global(), angle(10), nil, store.Filter{}, 1)), []int64{near})
	same(t, "k of 0", numbersNear(b.nearest(strata.Global(), angle(10), nil, store.Filter{}, 0)), nil)
	same(t, "no direction", numbersNear(b.nearest(strata.Global(), []float32{0, 0}, nil, store.Filter{}, 5)), nil)
	b.view(func(ctx context.Context, x *tx) {
		got, err := x.Similarities(ctx, strata.Global(), "test", angle(18), []int64{far, 99, none, near, far})
		b.ok(err)
		for i, degrees := range []float64{152, 90, 90, 0, 152} {
			if want := math.Cos(degrees * math.Pi / 180); math.Abs(float64(got[i])-want) > rounding {
				t.Errorf("similarity of place %d: got %v, want %v", i, got[i], want)
			}
		}
		_, err = x.Nearest(ctx, strata.Global(), "test", []float32{1, 2, 3}, nil, store.Filter{}, 5)
		if strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("wrong length: got %v, want invalid", err)
		}
		list, err := x.Nearest(ctx, strata.Global(), "another", []float32{1, 2, 3}, nil, store.Filter{}, 5)
		if err != nil || list != nil {
			t.Errorf("unknown model: got %v, %v, want nothing", list, err)
		}
	})
	b.sound()
}

// A category with one fact among 60 nearer ones of others, as it must come out.
func TestCategoryIsSearchedBeforeTheCutOff(t *testing.T) {
	b := newBed(t)
	var lone int64
	b.update(func(ctx context.Context, x *tx) {
		for i := range 60 {
			b.put(ctx, x, strata.Global(), "crowd", fmt.Sprint("crowd ", i), angle(float64(i)/60))
		}
		lone = b.put(ctx, x, strata.Global(), "lone", "lone", angle(90))
	})
	b.view(func(ctx context.Context, x *tx) {
		cats, err := x.Categories(ctx, strata.Global(), large)
		b.ok(err)
		for _, c := range cats {
			if c.Name != "lone" {
				continue
			}
			list, err := x.Nearest(ctx, strata.Global(), "test", angle(0), []int64{c.Number}, store.Filter{}, 3)
			b.ok(err)
			same(t, "inside", numbersNear(list), []int64{lone})
			list, err = x.Nearest(ctx, strata.Global(), "test", angle(0), nil, store.Filter{Parent: c.Number}, 3)
			b.ok(err)
			same(t, "by filter", numbersNear(list), []int64{lone})
		}
	})
}

func TestOtherScopesDoNotStarveTheResult(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, 3000)
	b.fill(strata.InWorkspace("crowd"), list[:2999])
	mine := b.save(strata.InWorkspace("mine"), "c", "mine", list[2999].vector)
	same(t, "nearest", numbersNear(b.nearest(strata.InWorkspace("mine"), list[0].vector, nil, store.Filter{}, 5)), []int64{mine})
	same(t, "nobody's", numbersNear(b.nearest(strata.InWorkspace("new"), list[0].vector, nil, store.Filter{}, 5)), nil)
	b.view(func(ctx context.Context, x *tx) {
		cats, err := x.Categories(ctx, strata.InWorkspace("crowd"), large)
		b.ok(err)
		list, err := x.Nearest(ctx, strata.InWorkspace("mine"), "test", list[0].vector, []int64{cats[0].Number}, store.Filter{}, 5)
		b.ok(err)
		same(t, "a parent of another scope", numbersNear(list), nil)
	})
}

// nearestExact is Nearest by measuring every vector and reading every row.
func (t *tx) nearestExact(ctx context.Context, scope strata.Scope, name string, v []float32, f store.Filter, k int) (out []store.Near, err error) {
	q, err := t.nearQuery(ctx, scope, name, v)
	if err != nil || q.Vector == nil {
		return nil, err
	}
	filter := passage.NewFilter(f, nil)
	err = nearSource{t}.Closest(ctx, q.Model, q.Vector, nearest.Passages{Scope: q.Scope}, math.MaxInt, func(r *passage.Row, cosine float32) error {
		if len(out) < k && filter.Passes(r) {
			out = append(out, store.Near{Number: r.Number, Similarity: cosine})
		}
		return nil
	})
	return out, err
}

// agree compares Nearest with measuring everything, over questions.
func (b *bed) agree(questions []sample, f store.Filter, k int) (recall float64) {
	b.Helper()
	hits, all := 0, 0
	b.view(func(ctx context.Context, x *tx) {
		for _, q := range questions {
			want, err := x.nearestExact(ctx, strata.Global(), "test", q.vector, f, k)
			b.ok(err)
			got, err := x.Nearest(ctx, strata.Global(), "test", q.vector, nil, f, k)
			b.ok(err)
			if len(got) != len(want) {
				b.Fatalf("got %d passages, want %d", len(got), len(want))
			}
			in := make(map[int64]bool)
			for _, n := range want {
				in[n.Number] = true
			}
			for _, n := range got {
				if in[n.Number] {
					hits++
				}
			}
			all += len(want)
		}
	})
	if all == 0 {
		return 1
	}
	return float64(hits) / float64(all)
}

func TestCodesFindWhatMeasuringEverythingFinds(t *testing.T) {
	t.Parallel()
	n := 6000
	if testing.Short() {
		n = 3000
	}
	b := newBed(t)
	b.fill(strata.Global(), samples(t, 1, n))
	questions := samples(t, 2, 50)
	for _, k := range []int{1, 10, 100} {
		recall := b.agree(questions, store.Filter{}, k)
		t.Logf("recall@%d over %d: %.4f", k, n, recall)
		if recall < 0.99 {
			t.Errorf("recall@%d: got %.4f, want at least 0.99", k, recall)
		}
	}
	b.sound()
}

func TestRemovedAndReplacedVectorsLeaveTheCodes(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	list := samples(t, 1, 4000)
	b.fill(strata.Global(), list)
	numbers := make([]int64, len(list))
	b.view(func(ctx context.Context, x *tx) {
		var err error
		numbers, err = x.queryIntegers(ctx, 1, `SELECT number FROM passage ORDER BY number`)
		b.ok(err)
	})
	r := rand.New(rand.NewPCG(3, 3))
	b.update(func(ctx context.Context, x *tx) {
		for i, n := range numbers {
			switch {
			case i < 600: // the whole first block and part of the second
				b.ok(x.removePassage(ctx, n))
				_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, n)
				b.ok(err)
			case r.IntN(10) == 0:
				b.ok(x.PutVector(ctx, n, "test", list[r.IntN(len(list))].vector))
			}
		}
	})
	if recall := b.agree(samples(t, 2, 30), store.Filter{}, 10); recall < 0.99 {
		t.Errorf("recall@10: %.4f", recall)
	}
	b.sound()
}

// Vectors of two models lie side by side; each is searched alone.
func TestModelsAreKeptApart(t *testing.T) {
	b := newBed(t)
	one := b.save(strata.Global(), "c", "one", angle(0))
	two := b.save(strata.Global(), "c", "two", angle(90))
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.PutVector(ctx, one, "newer", []float32{0, 1, 0})) // not wanted yet
		b.ok(x.SetTargetModel(ctx, store.Model{Name: "newer", Dim: 3}))
		b.ok(x.PutVector(ctx, two, "newer", []float32{1, 0, 0}))
	})
	b.view(func(ctx context.Context, x *tx) {
		list, err := x.Nearest(ctx, strata.Global(), "newer", []float32{1, 0, 0}, nil, store.Filter{}, 5)
		b.ok(err)
		same(t, "newer", numbersNear(list), []int64{two})
		parents, err := x.NearestParents(ctx, strata.Global(), "newer", []float32{1, 0, 0}, strata.KindFact, store.Filter{}, 5)
		b.ok(err)
		if len(parents) != 1 || math.Abs(float64(parents[0].Similarity)-1) > 1e-5 {
			t.Errorf("parents of newer: %v", parents)
		}
	})
	same(t, "old", numbersNear(b.nearest(strata.Global(), angle(0), nil, store.Filter{}, 5)), []int64{one, two})
	err := b.db.Update(context.Background(), func(w store.Writer) error {
		return w.PutVector(context.Background(), one, "newer", angle(0))
	})
	if strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("another length for a known model: got %v, want invalid", err)
	}
	b.sound()
}

// Inside of a category, where all are measured first, those that do not pass take
// no place from those that do, however near and many they are.
func TestNearest_RetiredFactsTakeNoPlacesInsideACategory(t *testing.T) {
	b := newBed(t)
	var current []int64
	b.update(func(ctx context.Context, x *tx) {
		for i := range 40 { // from the nearest on
			number := b.put(ctx, x, strata.Global(), "pets", fmt.Sprint("text ", i), []float32{1, float32(i) / 40})
			if i < 25 {
				b.ok(x.retirePassage(ctx, number, micros(x.now)))
			} else {
				current = append(current, number)
			}
		}
		b.put(ctx, x, strata.Global(), "garden", "nearer, but elsewhere", []float32{1, 0})
	})
	b.view(func(ctx context.Context, x *tx) {
		parents, err := x.Parents(ctx, strata.Global(), strata.KindFact, nil)
		b.ok(err)
		for _, k := range []int{1, 4, 15, 20} {
			near, err := x.Nearest(ctx, strata.Global(), "test", []float32{1, 0}, []int64{parents[0].Number}, store.Filter{}, k)
			b.ok(err)
			same(t, fmt.Sprint("the nearest ", k), numbersNear(near), current[:min(k, len(current))])
		}
	})
}
