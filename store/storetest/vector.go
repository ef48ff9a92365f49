package storetest

import (
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// cosineOff is the allowed error of a cosine: vectors with few dimensions stored in eight
// bits per value have such errors.
const cosineOff = 1e-2

// near fails the test unless a cosine is nearly what it should be.
func (b *bench) near(what string, got float32, want float64) {
	b.Helper()
	if d := float64(got) - want; d > cosineOff || d < -cosineOff {
		b.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

var vectorTests = []test{
	{"the nearest come closest first", func(b *bench) {
		query := vectorOf("the query")
		var want []float64
		cosines := make(map[int64]float64)
		b.update(func(w store.Writer) {
			for i := range 300 {
				f := b.fact(global, fmt.Sprint("fact ", i))
				c := cosine(query, vectorOf(f.Text))
				want, cosines[b.put(w, f)] = append(want, c), c
			}
		})
		slices.Sort(want)
		slices.Reverse(want)
		b.view(func(r store.Reader) {
			for _, k := range []int{1, 10, 299, 1000} {
				got, err := r.Nearest(b.ctx, global, model, query, nil, store.Filter{}, k)
				b.ok(err)
				b.equal(fmt.Sprint("found of ", k), len(got), min(k, 300))
				for i, n := range got {
					b.near(fmt.Sprint("similarity at ", i), n.Similarity, want[i])
					b.near("similarity of its vector", n.Similarity, cosines[n.Number])
					if i > 0 && n.Similarity > got[i-1].Similarity {
						b.Errorf("place %d is closer than the one before", i)
					}
					if slices.Contains(got[:i], n) {
						b.Errorf("%d is found twice", n.Number)
					}
				}
			}
		})
	}},
	{"the nearest keep to the parents and filters asked for", func(b *bench) {
		query := vectorOf("the query")
		var inPets []int64
		b.update(func(w store.Writer) {
			for i := range 40 {
				f := b.fact(global, fmt.Sprint("fact ", i))
				if i%10 == 3 {
					f.Category, f.Type = "pets", strata.TypeUser
				}
				number := b.put(w, f)
				if i%10 == 3 {
					inPets = append(inPets, number)
				}
			}
		})
		b.say(global, "s1", "a turn")
		b.view(func(r store.Reader) {
			pets := b.parent(r, global, strata.KindFact, "pets")
			for _, c := range []struct {
				parents []int64
				f       store.Filter
			}{
				{[]int64{pets.Number}, store.Filter{}},
				{nil, store.Filter{Types: []strata.Type{strata.TypeUser}}},
				{nil, store.Filter{Parent: pets.Number}},
			} {
				got, err := r.Nearest(b.ctx, global, model, query, c.parents, c.f, 10)
				b.ok(err)
				var numbers []int64
				for _, n := range got {
					numbers = append(numbers, n.Number)
				}
				slices.Sort(numbers)
				b.equal("found", numbers, inPets)
			}
			got, err := r.Nearest(b.ctx, global, model, query, nil, store.Filter{Kinds: []strata.Kind{strata.KindTurn}}, 10)
			b.ok(err)
			b.equal("turns", len(got), 1)
			got, err = r.Nearest(b.ctx, global, "other/model", query, nil, store.Filter{}, 10)
			b.ok(err)
			b.equal("of another model", len(got), 0)
		})
	}},
	{"turns of a kind of session are nearest before any cut-off", func(b *bench) {
		for i := range 20 {
			b.say(global, fmt.Sprintf("private %d", i), "the question")
		}
		b.inGroup(global, "party", "something else")
		v := vectorOf("the question")
		b.view(func(r store.Reader) {
			party := b.parent(r, global, strata.KindTurn, "party")
			got, err := r.Nearest(b.ctx, global, model, v, nil, store.Filter{SessionKind: strata.SessionGroup}, 3)
			b.ok(err)
			b.equal("turns", len(got), 1)
			items, err := r.Items(b.ctx, global, []int64{got[0].Number})
			b.ok(err)
			b.equal("session", items[0].Turn.Session, "party")
			private := b.parent(r, global, strata.KindTurn, "private 0")
			got, err = r.Nearest(b.ctx, global, model, v, []int64{private.Number}, store.Filter{SessionKind: strata.SessionGroup}, 3)
			b.ok(err)
			b.equal("inside a private session", len(got), 0)
			got, err = r.NearestParents(b.ctx, global, model, v, strata.KindTurn, store.Filter{SessionKind: strata.SessionGroup}, 3)
			b.ok(err)
			b.equal("sessions", len(got), 1)
			b.equal("the nearest session", got[0].Number, party.Number)
		})
	}},
	{"what is retired is near only as of its time", func(b *bench) {
		f := b.fact(global, "one")
		numbers := b.save(f)
		b.change(global, f.ID, "two")
		b.view(func(r store.Reader) {
			got, err := r.Nearest(b.ctx, global, model, vectorOf("one"), nil, store.Filter{}, 10)
			b.ok(err)
			b.equal("current", len(got), 1)
			if got[0].Number == numbers[0] {
				b.Error("a retired version is found")
			}
			versions, err := r.FactVersions(b.ctx, global, f.ID)
			b.ok(err)
			if at := versions[0].RecordedAt; at.Before(versions[1].RecordedAt) {
				got, err = r.Nearest(b.ctx, global, model, vectorOf("one"), nil, store.Filter{AsOf: &at}, 10)
				b.ok(err)
				b.equal("as of its time", got[0].Number, numbers[0])
				b.near("similarity", got[0].Similarity, 1)
			}
		})
	}},
	{"similarities follow the order asked for", func(b *bench) {
		f, g := b.fact(global, "one"), b.fact(global, "two")
		numbers := b.save(f, g)
		b.view(func(r store.Reader) {
			got, err := r.Similarities(b.ctx, global, model, vectorOf("one"), []int64{numbers[1], 12345, numbers[0], numbers[1]})
			b.ok(err)
			b.equal("number of answers", len(got), 4)
			other := cosine(vectorOf("one"), vectorOf("two"))
			for i, want := range []float64{other, 0, 1, other} {
				b.near(fmt.Sprint("similarity ", i), got[i], want)
			}
		})
	}},
	{"parents are as near as the mean of their passages", func(b *bench) {
		cats, trains := vectorOf("cats"), vectorOf("trains")
		b.update(func(w store.Writer) {
			for i, c := range []string{"cats", "cats", "trains", "trains"} {
				f := b.fact(global, fmt.Sprint(c, i))
				f.Category = c
				number, err := w.PutFact(b.ctx, f)
				b.ok(err)
				p := factPassage(w, f, number)
				p.Vector = mix(vectorOf(c), vectorOf(f.Text), 0.2)
				b.ok(w.PutPassage(b.ctx, p))
			}
		})
		b.say(global, "cats", "a session of that name")
		b.view(func(r store.Reader) {
			for _, c := range []struct {
				v    []float32
				name string
			}{{cats, "cats"}, {trains, "trains"}} {
				got, err := r.NearestParents(b.ctx, global, model, c.v, strata.KindFact, store.Filter{}, 2)
				b.ok(err)
				b.equal("number found", len(got), 2)
				info, err := r.Parents(b.ctx, global, strata.KindFact, []int64{got[0].Number})
				b.ok(err)
				b.equal("nearest", info[0].Name, c.name)
			}
			got, err := r.NearestParents(b.ctx, global, model, cats, strata.KindTurn, store.Filter{}, 2)
			b.ok(err)
			b.equal("sessions", len(got), 1)
			list, err := r.Categories(b.ctx, global, theModel)
			b.ok(err)
			b.equal("categories", len(list), 2)
			for _, c := range list {
				b.equal("facts", c.Facts, 2)
				sum := unit(slices.Clone(c.Sum))
				if cosine(sum, vectorOf(c.Name)) < 0.9 {
					b.Errorf("the sum of %s points elsewhere", c.Name)
				}
			}
		})
	}},
	{"a passage without a vector waits for it", func(b *bench) {
		var numbers []int64
		b.update(func(w store.Writer) {
			b.ok(w.SetTargetModel(b.ctx, theModel))
			for i := range 3 {
				f := b.fact([]strata.Scope{global, workspace}[i%2], fmt.Sprint("waiting ", i))
				number, err := w.PutFact(b.ctx, f)
				b.ok(err)
				p := factPassage(w, f, number)
				p.Vector = nil
				b.ok(w.PutPassage(b.ctx, p))
				numbers = append(numbers, number)
			}
		})
		b.update(func(w store.Writer) { b.ok(w.DelayEmbedding(b.ctx, theModel, []int64{numbers[0]})) })
		b.view(func(r store.Reader) {
			got, err := r.Unembedded(b.ctx, theModel, 10)
			b.ok(err)
			b.equal("waiting", len(got), 3)
			last := got[2]
			b.equal("the one that failed is last", []any{last.Number, last.Fact.Text, last.Attempts}, []any{numbers[0], "waiting 0", 1})
			if last.Turn != nil {
				b.Error("a fact that waits is a turn, too")
			}
			got, err = r.Unembedded(b.ctx, theModel, 2)
			b.ok(err)
			b.equal("limit", len(got), 2)
		})
		b.update(func(w store.Writer) { b.ok(w.PutVector(b.ctx, numbers[0], model, vectorOf("waiting 0"))) })
		b.view(func(r store.Reader) {
			got, err := r.Unembedded(b.ctx, theModel, 10)
			b.ok(err)
			b.equal("still waiting", len(got), 2)
			near, err := r.Nearest(b.ctx, global, model, vectorOf("waiting 0"), nil, store.Filter{}, 10)
			b.ok(err)
			b.equal("found", near[0].Number, numbers[0])
		})
	}},
	{"vectors of two models stand side by side", func(b *bench) {
		f := b.fact(global, "one")
		numbers := b.save(f)
		b.update(func(w store.Writer) {
			b.ok(w.SetTargetModel(b.ctx, store.Model{Name: "other/model", Dim: 8}))
			b.ok(w.PutVector(b.ctx, numbers[0], "other/model", []float32{0.6, 0.8, 0, 0, 0, 0, 0, 0}))
		})
		b.view(func(r store.Reader) {
			near, err := r.Nearest(b.ctx, global, model, vectorOf("one"), nil, store.Filter{}, 10)
			b.ok(err)
			b.near("of the first", near[0].Similarity, 1)
			near, err = r.Nearest(b.ctx, global, "other/model", []float32{0.8, 0.6, 0, 0, 0, 0, 0, 0}, nil, store.Filter{}, 10)
			b.ok(err)
			b.near("of the second", near[0].Similarity, 0.96)
		})
		b.equal("vectors", b.stats(global).Vectors, 2)
	}},
}

// parent returns the parent with a name.
func (b *bench) parent(r store.Reader, scope strata.Scope, kind strata.Kind, name string) store.ParentInfo {
	b.Helper()
	list, err := r.Parents(b.ctx, scope, kind, nil)
	b.ok(err)
	for _, p := range list {
		if p.Name == name {
			return p
		}
	}
	b.Fatalf("no parent named %s among %v", name, list)
	return store.ParentInfo{}
}
