package storetest

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// The models that follow the one that other tests use.
var (
	nextModel  = store.Model{Name: "next/model", Dim: 16}
	thirdModel = store.Model{Name: "third/model", Dim: dimension}
	// longModel has the name of the first model but longer vectors.
	longModel = store.Model{Name: model, Dim: 48}
)

// vectorIn returns a unit vector of a model that depends on s and the model.
func vectorIn(m store.Model, s string) []float32 {
	v := vectorOf(m.Name + fmt.Sprint(m.Dim) + s)
	return unit(slices.Concat(v, v)[:m.Dim])
}

// embedding returns which models are wanted.
func (b *bench) embedding() store.Embedding {
	b.Helper()
	var st store.Embedding
	b.view(func(r store.Reader) {
		var err error
		st, err = r.Embedding(b.ctx)
		b.ok(err)
	})
	return st
}

func (b *bench) want(m store.Model) {
	b.Helper()
	b.update(func(w store.Writer) { b.ok(w.SetTargetModel(b.ctx, m)) })
}

// backfill gives the next batch, of up to limit passages, vectors of the target and moves
// on. It reports whether the backfill is complete.
func (b *bench) backfill(m store.Model, limit int) bool {
	b.Helper()
	over := false
	b.update(func(w store.Writer) {
		s, err := w.NextBackfill(b.ctx, m, limit)
		b.ok(err)
		over = s.Through == 0
		for _, u := range s.Missing {
			b.ok(w.PutVector(b.ctx, u.Number, m.Name, vectorIn(m, textOf(u.Source))))
		}
		b.ok(w.AdvanceBackfill(b.ctx, m, s))
	})
	return over
}

func textOf(s store.Source) string {
	if s.Turn != nil {
		return s.Turn.Text
	}
	return s.Fact.Text
}

// switchTo tries to make a model serve.
func (b *bench) switchTo(m store.Model) bool {
	b.Helper()
	done := false
	b.update(func(w store.Writer) {
		var err error
		done, err = w.SwitchModel(b.ctx, m)
		b.ok(err)
	})
	return done
}

// embedAll completes the backfill, embeds the queue and switches.
func (b *bench) embedAll(m store.Model) {
	b.Helper()
	for !b.backfill(m, 10) {
	}
	b.embedQueue(m)
	if !b.switchTo(m) {
		b.Fatalf("%v has every vector and does not serve: %+v", m, b.embedding())
	}
}

// embedQueue gives the passages that wait for a model their vectors.
func (b *bench) embedQueue(m store.Model) {
	b.Helper()
	b.update(func(w store.Writer) {
		waiting, err := w.Unembedded(b.ctx, m, 1000)
		b.ok(err)
		for _, u := range waiting {
			b.ok(w.PutVector(b.ctx, u.Number, m.Name, vectorIn(m, textOf(u.Source))))
		}
	})
}

// dropStale removes all stale vectors, a few at a time.
func (b *bench) dropStale() (steps int) {
	b.Helper()
	for more := true; more; steps++ {
		b.update(func(w store.Writer) {
			var err error
			more, err = w.DropStale(b.ctx, 3)
			b.ok(err)
		})
		if steps > 10_000 {
			b.Fatal("stale vectors never end")
		}
	}
	return steps
}

// countNear counts what a search with a model finds.
func (b *bench) countNear(scope strata.Scope, m store.Model) int {
	b.Helper()
	n := 0
	b.view(func(r store.Reader) {
		near, err := r.Nearest(b.ctx, scope, m.Name, vectorIn(m, "query"), nil, store.Filter{}, 1000)
		b.ok(err)
		n = len(near)
	})
	return n
}

// saveBare stores a fact without a vector.
func (b *bench) saveBare(scope strata.Scope, s string) int64 {
	b.Helper()
	var number int64
	b.update(func(w store.Writer) {
		f := b.fact(scope, s)
		var err error
		number, err = w.PutFact(b.ctx, f)
		b.ok(err)
		p := factPassage(w, f, number)
		p.Vector = nil
		b.ok(w.PutPassage(b.ctx, p))
	})
	return number
}

var embeddingTests = []test{
	{"the first vector makes its model the serving one", func(b *bench) {
		b.equal("before", b.embedding(), store.Embedding{})
		bare := b.saveBare(global, "waits for any model")
		b.equal("waits for the model to come", b.embedding().ServingWaits, true)
		b.view(func(r store.Reader) {
			waiting, err := r.Unembedded(b.ctx, store.Model{}, 10)
			b.ok(err)
			b.equal("waiting for the model to come", len(waiting), 1)
		})
		b.save(b.fact(global, "brings a vector"))
		b.equal("after", b.embedding(), store.Embedding{Serving: theModel, ServingWaits: true})
		b.view(func(r store.Reader) {
			waiting, err := r.Unembedded(b.ctx, theModel, 10)
			b.ok(err)
			if len(waiting) != 1 || waiting[0].Number != bare {
				b.Errorf("%+v wait for the serving model", waiting)
			}
			waiting, err = r.Unembedded(b.ctx, store.Model{}, 10)
			b.ok(err)
			b.equal("still waiting for the model to come", len(waiting), 0)
		})
		b.embedQueue(theModel)
		b.equal("found", b.countNear(global, theModel), 2)
		b.equal("nothing waits", b.embedding(), store.Embedding{Serving: theModel})
	}},
	{"the old vectors serve until the new ones are complete", func(b *bench) {
		for i := range 25 {
			b.save(b.fact([]strata.Scope{global, workspace}[i%2], fmt.Sprint("fact ", i)))
		}
		b.say(global, "s1", "a turn", "another")
		gone := b.fact(global, "retired")
		b.save(gone)
		b.update(func(w store.Writer) { b.ok(w.RetireFact(b.ctx, global, gone.ID, 1, "")) })
		b.want(nextModel)
		st := b.embedding()
		if st.Serving != theModel || st.Target != nextModel || st.Total != 28 || st.Done != 0 || st.Since.IsZero() {
			b.Fatalf("after the new target: %+v", st)
		}
		for steps := 0; !b.backfill(nextModel, 4); steps++ {
			b.equal("found by the old", b.countNear(global, theModel), 15)
			if b.switchTo(nextModel) && steps < 6 {
				b.Fatal("it serves before it is complete")
			}
			if b.embedding().Target.IsZero() {
				break
			}
		}
		if st := b.embedding(); st.Target == nextModel {
			b.equal("all were seen", st.Done, st.Total)
			b.equal("switched", b.switchTo(nextModel), true)
		}
		st = b.embedding()
		b.equal("serving", st, store.Embedding{Serving: nextModel, Stale: 1})
		b.equal("found by the new", b.countNear(global, nextModel), 15)
		b.equal("in the other scope", b.countNear(workspace, nextModel), 12)
		b.equal("found by the old", b.countNear(global, theModel), 0)
		b.sound()
		if steps := b.dropStale(); steps < 10 {
			b.Errorf("28 vectors went in %d steps of at most 3", steps)
		}
		b.equal("nothing is stale", b.embedding().Stale, 0)
		b.equal("vectors", b.stats(global).Vectors+b.stats(workspace).Vectors, 28)
	}},
	{"the new model's parents are complete at the switch", func(b *bench) {
		for i := range 12 {
			f := b.fact(global, fmt.Sprint("fact ", i))
			f.Category = []string{"pets", "trains", "tea"}[i%3]
			b.save(f)
		}
		b.say(global, "s1", "a turn")
		b.want(nextModel)
		for !b.backfill(nextModel, 5) {
		}
		b.view(func(r store.Reader) {
			list, err := r.Categories(b.ctx, global, nextModel)
			b.ok(err)
			b.equal("categories", len(list), 3)
			for _, c := range list {
				b.equal("length of the sum", len(c.Sum), nextModel.Dim)
			}
			near, err := r.NearestParents(b.ctx, global, nextModel.Name, vectorIn(nextModel, "x"), strata.KindTurn, store.Filter{}, 5)
			b.ok(err)
			b.equal("sessions", len(near), 1)
		})
	}},
	{"a new passage waits for each vector it does not bring", func(b *bench) {
		b.save(b.fact(global, "first"))
		b.want(nextModel)
		number := b.save(b.fact(global, "brings that of the serving model"))[0]
		bare := b.saveBare(workspace, "brings none")
		waiting := func(m store.Model) (numbers []int64) {
			b.view(func(r store.Reader) {
				list, err := r.Unembedded(b.ctx, m, 10)
				b.ok(err)
				for _, u := range list {
					numbers = append(numbers, u.Number)
				}
			})
			slices.Sort(numbers)
			return numbers
		}
		b.equal("for the serving", waiting(theModel), []int64{bare})
		b.equal("for the target", waiting(nextModel), []int64{number, bare})
		b.equal("for another", len(waiting(thirdModel)), 0)
		b.equal("waiting passages", b.stats(global).Unembedded+b.stats(workspace).Unembedded, 2)
		b.view(func(r store.Reader) {
			s, err := r.NextBackfill(b.ctx, nextModel, 10)
			b.ok(err)
			b.equal("the backfill leaves what waits to the queue", []any{len(s.Missing), s.Seen}, []any{1, 3})
		})
		for !b.backfill(nextModel, 10) {
		}
		b.equal("switched while some wait", b.switchTo(nextModel), false)
		b.embedQueue(nextModel)
		b.equal("switched", b.switchTo(nextModel), true)
		b.equal("found", b.countNear(global, nextModel)+b.countNear(workspace, nextModel), 3)
		// Passages that waited for the old model no longer wait.
		b.equal("waiting passages after the switch", waiting(nextModel), []int64(nil))
		b.dropStale()
		b.equal("waiting passages in the end", b.stats(workspace).Unembedded, 0)
	}},
	{"vectors of a model that is not wanted are left out", func(b *bench) {
		number := b.save(b.fact(global, "first"))[0]
		b.update(func(w store.Writer) {
			b.ok(w.PutVector(b.ctx, number, nextModel.Name, vectorIn(nextModel, "first")))
			f := b.fact(global, "second")
			n, err := w.PutFact(b.ctx, f)
			b.ok(err)
			p := factPassage(w, f, n)
			p.Model, p.Vector = nextModel.Name, vectorIn(nextModel, "second")
			b.ok(w.PutPassage(b.ctx, p))
		})
		b.equal("found by it", b.countNear(global, nextModel), 0)
		b.equal("vectors", b.stats(global).Vectors, 1)
		b.equal("waiting", b.stats(global).Unembedded, 1)
	}},
	{"a model that changes its length is another model", func(b *bench) {
		number := b.save(b.fact(global, "first"))[0]
		err := b.tryUpdate(func(w store.Writer) error {
			return w.PutVector(b.ctx, number, model, vectorIn(longModel, "first"))
		})
		b.code(err, strata.CodeInvalid)
		b.want(longModel)
		b.equal("both are wanted", []store.Model{b.embedding().Serving, b.embedding().Target}, []store.Model{theModel, longModel})
		b.embedAll(longModel)
		b.equal("found by the new", b.countNear(global, longModel), 1)
	}},
	{"to want the serving model ends a change of model", func(b *bench) {
		for i := range 9 {
			b.save(b.fact(global, fmt.Sprint("fact ", i)))
		}
		b.want(nextModel)
		b.backfill(nextModel, 4)
		b.want(nextModel) // setting it again changes nothing
		b.equal("done", b.embedding().Done, 4)
		b.saveBare(global, "came meanwhile")
		b.want(theModel)
		b.equal("wanted", b.embedding(), store.Embedding{Serving: theModel, Stale: 1, ServingWaits: true})
		b.sound()
		b.embedQueue(theModel)
		b.equal("found", b.countNear(global, theModel), 10)
		b.want(nextModel) // again, while the first attempt is still recorded
		b.equal("done again", b.embedding().Done, 0)
		b.embedAll(nextModel)
		b.equal("found by the new", b.countNear(global, nextModel), 10)
		b.dropStale()
		b.equal("vectors", b.stats(global).Vectors, 10)
	}},
	{"another target midway takes the place of the first", func(b *bench) {
		for i := range 9 {
			b.save(b.fact(global, fmt.Sprint("fact ", i)))
		}
		b.want(nextModel)
		b.backfill(nextModel, 4)
		b.want(thirdModel)
		b.equal("wanted", []store.Model{b.embedding().Serving, b.embedding().Target}, []store.Model{theModel, thirdModel})
		b.equal("nobody can finish the first", b.switchTo(nextModel), false)
		b.equal("its backfill is over", b.backfill(nextModel, 4), true)
		b.embedAll(thirdModel)
		b.equal("stale", b.embedding().Stale, 2)
		b.dropStale()
		b.equal("vectors", b.stats(global).Vectors, 9)
	}},
	{"a passage that failed in the backfill waits in the queue", func(b *bench) {
		numbers := b.save(b.fact(global, "one"), b.fact(global, "two"))
		b.want(nextModel)
		b.update(func(w store.Writer) {
			s, err := w.NextBackfill(b.ctx, nextModel, 10)
			b.ok(err)
			b.ok(w.DelayEmbedding(b.ctx, nextModel, []int64{numbers[0], numbers[1]}))
			b.ok(w.PutVector(b.ctx, numbers[1], nextModel.Name, vectorIn(nextModel, "two")))
			b.ok(w.AdvanceBackfill(b.ctx, nextModel, s))
			b.ok(w.AdvanceBackfill(b.ctx, nextModel, s)) // doing it twice changes nothing
			b.ok(w.DelayEmbedding(b.ctx, thirdModel, numbers))
		})
		b.equal("done", b.embedding().Done, 2)
		b.view(func(r store.Reader) {
			waiting, err := r.Unembedded(b.ctx, nextModel, 10)
			b.ok(err)
			if len(waiting) != 1 || waiting[0].Number != numbers[0] || waiting[0].Attempts != 1 {
				b.Errorf("waiting: %+v", waiting)
			}
		})
		b.equal("switched", b.switchTo(nextModel), false)
	}},
	{"one at a time holds the backfill", func(b *bench) {
		b.save(b.fact(global, "one"))
		b.want(nextModel)
		lease := func(holder string, d time.Duration) (ok bool) {
			b.update(func(w store.Writer) {
				var err error
				ok, err = w.LeaseBackfill(b.ctx, holder, w.Now().Add(d))
				b.ok(err)
			})
			return ok
		}
		b.equal("first", lease("a", time.Hour), true)
		b.equal("second", lease("b", time.Hour), false)
		b.equal("renewed", lease("a", time.Hour), true)
		b.equal("holder", b.embedding().Holder, "a")
		lease("b", -time.Second) // gives nothing back, because b has no lease
		b.equal("holder still", b.embedding().Holder, "a")
		lease("a", -time.Second)
		b.equal("given back", lease("b", time.Microsecond), true)
		for !lease("c", time.Hour) { // free after a microsecond
		}
		b.want(theModel)
		b.equal("of no backfill", b.embedding().Holder, "")
	}},
	{"a dropped index keeps its vectors", func(b *bench) {
		kept, gone := b.fact(global, "kept"), b.fact(global, "gone")
		numbers := b.save(kept, gone)
		b.update(func(w store.Writer) {
			b.ok(w.DropIndex(b.ctx, global))
			_, err := w.Forget(b.ctx, global, gone.ID, nil)
			b.ok(err)
		})
		b.equal("found while it is dropped", b.countNear(global, theModel), 0)
		b.update(func(w store.Writer) {
			p := factPassage(w, kept, numbers[0])
			p.Vector = nil
			b.ok(w.PutPassage(b.ctx, p))
		})
		b.equal("found again", b.countNear(global, theModel), 1)
		b.equal("and waits for a new vector", b.stats(global).Unembedded, 1)
		b.view(func(r store.Reader) {
			s, err := r.Similarities(b.ctx, global, model, vectorOf("kept"), numbers)
			b.ok(err)
			b.near("the vector is the one it had", s[0], 1)
			list, err := r.Categories(b.ctx, global, theModel)
			b.ok(err)
			if len(list) != 1 || list[0].Sum == nil {
				b.Errorf("the category has no vector: %+v", list)
			}
		})
	}},
	{"what is forgotten is forgotten in every model", func(b *bench) {
		f := b.fact(global, "the secret garden")
		b.save(f, b.fact(global, "another"))
		b.want(nextModel)
		for !b.backfill(nextModel, 10) {
		}
		b.switchTo(nextModel) // the first model is stale now, but its vectors are still stored
		b.want(thirdModel)
		b.backfill(thirdModel, 1)
		b.update(func(w store.Writer) {
			_, err := w.Forget(b.ctx, global, f.ID, nil)
			b.ok(err)
		})
		b.sound()
		b.embedAll(thirdModel)
		b.dropStale()
		b.equal("vectors", b.stats(global).Vectors, 1)
	}},
	{"whatever is done in whatever order, what serves finds all it should", func(b *bench) {
		run := 0
		rapid.Check(b.T, func(r *rapid.T) {
			run++
			scope := strata.InWorkspace(fmt.Sprint("models", run))
			var facts []strata.Fact
			bare := make(map[string]bool) // facts saved without a vector of the serving model
			pick := func() int { return rapid.IntRange(0, len(facts)-1).Draw(r, "fact") }
			r.Repeat(map[string]func(*rapid.T){
				"save": func(r *rapid.T) {
					f := b.fact(scope, fmt.Sprint("fact ", b.ids))
					f.Category = rapid.SampledFrom([]string{"one", "two"}).Draw(r, "category")
					without := rapid.Bool().Draw(r, "without")
					b.update(func(w store.Writer) {
						number, err := w.PutFact(b.ctx, f)
						b.ok(err)
						st, err := w.Embedding(b.ctx)
						b.ok(err)
						p := factPassage(w, f, number)
						p.Vector = nil
						if !without {
							m := st.Serving
							if m.IsZero() {
								m = theModel
							}
							p.Model, p.Vector = m.Name, vectorIn(m, f.Text)
						}
						b.ok(w.PutPassage(b.ctx, p))
					})
					facts, bare[f.ID] = append(facts, f), without
				},
				"want": func(r *rapid.T) {
					if st := b.embedding(); !st.Serving.IsZero() {
						if st.Stale > 20 { // a store can hold 63 models at a time
							b.dropStale()
						}
						b.want(rapid.SampledFrom([]store.Model{theModel, nextModel, thirdModel, longModel}).Draw(r, "model"))
					}
				},
				"backfill": func(r *rapid.T) { b.backfill(b.embedding().Target, rapid.IntRange(1, 5).Draw(r, "passages")) },
				"queue": func(*rapid.T) {
					if st := b.embedding(); !st.Serving.IsZero() {
						b.embedQueue(st.Serving)
						clear(bare)
					}
				},
				"switch": func(*rapid.T) {
					if st := b.embedding(); !st.Target.IsZero() {
						b.embedQueue(st.Target)
						if b.switchTo(st.Target) {
							clear(bare)
						}
					}
				},
				"drop": func(*rapid.T) {
					b.update(func(w store.Writer) {
						_, err := w.DropStale(b.ctx, 2)
						b.ok(err)
					})
				},
				"forget": func(*rapid.T) {
					if len(facts) > 0 {
						i := pick()
						b.update(func(w store.Writer) {
							_, err := w.Forget(b.ctx, scope, facts[i].ID, nil)
							b.ok(err)
						})
						facts = slices.Delete(facts, i, i+1)
					}
				},
				"rebuild": func(*rapid.T) {
					b.update(func(w store.Writer) {
						b.ok(w.DropIndex(b.ctx, scope))
						sources, err := w.Sources(b.ctx, scope, 0, 1000)
						b.ok(err)
						for _, s := range sources {
							p := factPassage(w, *s.Fact, s.Number)
							p.Vector = nil
							b.ok(w.PutPassage(b.ctx, p))
						}
					})
				},
				"": func(*rapid.T) {
					st := b.embedding()
					if st.Serving.IsZero() {
						return
					}
					want := 0
					for _, f := range facts {
						if !bare[f.ID] {
							want++
						}
					}
					b.equal(fmt.Sprintf("found by %v", st.Serving), b.countNear(scope, st.Serving), want)
				},
			})
			b.sound()
		})
	}},
}
