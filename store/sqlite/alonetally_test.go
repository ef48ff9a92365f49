package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/nearest"
	"github.com/strata-memory/strata/store"
)

// What a writer remembers of parents and codes changes nothing of
// what it stores or finds: two stores are given the same at random, of which one
// forgets it before each function.
func TestAlone_WhatIsRememberedIsAsReadAnew(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 23))
			list := samples(t, 30+seed, nearest.CodeFrom+1200)
			remembering, forgetting := newRememberingBed(t), newRememberingBed(t)
			forgetting.forgets = true
			both := []*rememberingBed{remembering, forgetting}
			at := nearest.CodeFrom - rng.IntN(200)
			for _, r := range both {
				r.fill(strata.Global(), list[:at])
			}
			for at < len(list) {
				part := list[at:min(at+1+rng.IntN(12), len(list))]
				at += len(part)
				step, pick := rng.IntN(40), rng.Uint64()
				want := forgetting.nearInside(pick, part[0].vector)
				if got := remembering.nearInside(pick, part[0].vector); !slices.Equal(got, want) {
					t.Fatalf("inside of some categories: found %v, want %v", got, want)
				}
				for _, r := range both {
					r.step(step, pick, part)
				}
			}
			if remembering.kept == 0 {
				t.Error("nothing was ever remembered")
			}
			for _, query := range []string{
				`SELECT pack_rows(head, low, high, live, change, numbers, codes, sum) FROM (SELECT * FROM code_block ORDER BY id)`,
				`SELECT pack_rows(block, sum, codes) FROM (SELECT * FROM code_fine ORDER BY block)`,
				`SELECT pack_rows(id, coded, uncoded, change, removed, center) FROM (SELECT * FROM code_head ORDER BY id)`,
				`SELECT pack_rows(head, number) FROM (SELECT * FROM uncoded ORDER BY head, number)`,
				`SELECT pack_rows(number, name, passages, words) FROM (SELECT * FROM parent ORDER BY number)`,
				`SELECT pack_rows(place, count, sum) FROM (SELECT * FROM parent_vector ORDER BY place)`,
				`SELECT pack_rows(number, parent, change) FROM (SELECT * FROM passage ORDER BY number)`,
			} {
				want := forgetting.rows(query)
				if got := remembering.rows(query); !bytes.Equal(got, want) || len(want) == 0 {
					t.Errorf("the stores differ in what this tells, %d and %d bytes: %s", len(got), len(want), query)
				}
			}
			remembering.sound()
		})
	}
}

// rememberingBed is a store with a second handle for another process.
type rememberingBed struct {
	*bed
	other   *bed
	forgets bool // before each function
	kept    int  // functions before which anything was remembered
}

func newRememberingBed(t *testing.T) *rememberingBed {
	b := newBed(t)
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	t.Cleanup(func() { db.Close() })
	return &rememberingBed{bed: b, other: &bed{TB: t, db: db, path: b.path}}
}

// begin is called before a function.
func (r *rememberingBed) begin() {
	y := r.db.alone.tally
	switch {
	case r.forgets:
		r.db.alone.tally = nil
	case y != nil:
		r.kept++
	}
}

// nearInside searches inside of two of five categories, as a writer.
func (r *rememberingBed) nearInside(pick uint64, v []float32) (found []store.Near) {
	r.Helper()
	r.begin()
	r.update(func(ctx context.Context, x *tx) {
		parents, err := x.numberList(ctx, `SELECT number FROM parent WHERE passages > 0 ORDER BY number LIMIT 5`)
		r.ok(err)
		inside := []int64{parents[pick%5], parents[pick/5%5]}
		found, err = x.Nearest(ctx, strata.Global(), "test", v, inside, store.Filter{Kinds: []strata.Kind{strata.KindFact}}, 5)
		r.ok(err)
	})
	return found
}

// step saves some facts, by one function or by several, or does something that
// what is remembered must not outlive.
func (r *rememberingBed) step(step int, pick uint64, part []sample) {
	r.Helper()
	r.begin()
	save := func(ctx context.Context, x *tx, s sample) {
		r.put(ctx, x, strata.Global(), s.category, s.text, s.vector)
	}
	switch step {
	case 0: // undone
		undone := errors.New("undone")
		err := r.db.Update(context.Background(), func(w store.Writer) error {
			for _, s := range part {
				save(context.Background(), w.(*tx), s)
			}
			return undone
		})
		if !errors.Is(err, undone) {
			r.Fatal(err)
		}
	case 1: // by another process
		r.other.facts = r.facts
		for _, s := range part {
			r.other.save(strata.Global(), s.category, s.text, s.vector)
		}
		r.facts = r.other.facts
	case 2, 3, 4: // removed, from a block or from those that wait
		r.update(func(ctx context.Context, x *tx) {
			numbers, err := x.numberList(ctx, `SELECT number FROM passage ORDER BY number DESC LIMIT 300`)
			r.ok(err)
			number := numbers[pick%uint64(len(numbers))]
			r.ok(x.removePassage(ctx, number))
			_, err = x.exec(ctx, `DELETE FROM fact WHERE number = ?`, number)
			r.ok(err)
		})
	case 5: // retired
		r.update(func(ctx context.Context, x *tx) {
			var id string
			r.ok(x.queryRow(ctx, `SELECT id FROM fact WHERE retired_at IS NULL ORDER BY number LIMIT 1 OFFSET ?`, pick%1000).Scan(&id))
			r.ok(x.RetireFact(ctx, strata.Global(), id, 1, ""))
		})
	case 13: // merged
		r.update(func(ctx context.Context, x *tx) {
			parents, err := x.numberList(ctx, `SELECT number FROM parent WHERE passages > 0 ORDER BY number`)
			r.ok(err)
			from, into := pick%uint64(len(parents)), pick/7%uint64(len(parents))
			if from != into {
				r.ok(x.MergeCategories(ctx, strata.Global(), parents[from], parents[into]))
			}
		})
	case 6: // read in between
		r.update(func(ctx context.Context, x *tx) {
			for _, s := range part {
				save(ctx, x, s)
				_, err := x.Nearest(ctx, strata.Global(), "test", s.vector, nil, store.Filter{}, 3)
				r.ok(err)
			}
		})
	case 7, 8, 9, 10, 11, 12: // one at a time
		for _, s := range part {
			r.update(func(ctx context.Context, x *tx) { save(ctx, x, s) })
		}
	default:
		r.update(func(ctx context.Context, x *tx) {
			for _, s := range part {
				save(ctx, x, s)
			}
		})
	}
}

// rows returns the rows that a query packs.
func (r *rememberingBed) rows(query string) (packed []byte) {
	r.Helper()
	r.view(func(ctx context.Context, x *tx) {
		var err error
		packed, err = x.queryBlob(ctx, query)
		r.ok(err)
	})
	return packed
}

// A center of codes that is damaged is found by the next save, which makes the
// codes anew.
func TestDamagedCenterIsMadeAnewByTheNextSave(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, nearest.CodeFrom+200)
	b.fill(strata.Global(), list)
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.exec(ctx, `UPDATE code_head SET center = x'00000000'`)
		b.ok(err)
	})
	b.save(strata.Global(), "c", "one more", list[0].vector)
	b.sound()
}

// What a writer remembers of models and of what waits for them is what a reader
// reads, whatever happens to them.
func TestAlone_ModelsAreAsRead(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 24))
			r := newRememberingBed(t)
			r.save(strata.Global(), "c", "the first", []float32{1, 0})
			models := []store.Model{planar, {Name: "other", Dim: 3}, {Name: "third", Dim: 2}}
			told := make(map[store.Embedding]bool)
			for range 150 {
				b := r.bed
				if rng.IntN(6) == 0 {
					b = r.other
					b.facts = r.facts + 1000*rng.IntN(1000)
				}
				m, pick := models[rng.IntN(len(models))], rng.IntN(7)
				b.update(func(ctx context.Context, x *tx) { b.changeModels(ctx, x, pick, m) })
				r.facts = max(r.facts, b.facts)
				var written, read store.Embedding
				r.update(func(ctx context.Context, x *tx) {
					var err error
					written, err = x.Embedding(ctx)
					r.ok(err)
				})
				r.view(func(ctx context.Context, x *tx) {
					var err error
					read, err = x.Embedding(ctx)
					r.ok(err)
				})
				if written != read {
					t.Fatalf("after %d a writer knows of %+v, a reader of %+v", pick, written, read)
				}
				told[read] = true
			}
			if len(told) < 10 {
				t.Errorf("only %d states were met", len(told))
			}
		})
	}
}

// changeModels does one of the things that change what waits for which model.
func (b *bed) changeModels(ctx context.Context, x *tx, pick int, m store.Model) {
	b.Helper()
	_, err := x.Embedding(ctx) // known from here on
	b.ok(err)
	v := make([]float32, m.Dim)
	v[0] = 1
	switch pick {
	case 0:
		b.put(ctx, x, strata.Global(), "c", "with a vector", []float32{0, 1})
	case 1:
		b.put(ctx, x, strata.Global(), "c", "without one", nil)
	case 2:
		b.ok(x.WantModel(ctx, m))
	case 3:
		b.ok(x.KeepModel(ctx, m))
	case 4:
		_, err := x.SwitchModel(ctx, m)
		b.ok(err)
	default:
		waiting, err := x.Unembedded(ctx, m, 100)
		b.ok(err)
		for i, u := range waiting {
			if i == 0 && pick == 6 {
				b.ok(x.DelayEmbedding(ctx, m, []int64{u.Number}))
				continue
			}
			b.ok(x.PutVector(ctx, u.Number, m.Name, v))
		}
	}
}
