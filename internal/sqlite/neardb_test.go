package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/store"
)

// What is kept of codes in memory is, after any changes by any process, what a
// search would read from the database.
func TestKeptCodesAreThoseOfTheDatabase(t *testing.T) {
	t.Parallel()
	for seed := range uint64(rounds(3)) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			b := newBed(t)
			db, err := Open(context.Background(), b.path, nil)
			b.ok(err)
			defer db.Close()
			other := &bed{TB: t, db: db, path: b.path, facts: 1_000_000}
			list := samples(t, seed, nearest.CodeFrom+1500)
			b.fill(strata.Global(), list[:nearest.CodeFrom])
			next := nearest.CodeFrom
			for range 40 {
				writer := []*bed{b, other}[rng.IntN(2)]
				switch rng.IntN(4) {
				case 0, 1:
					n := min(1+rng.IntN(200), len(list)-next)
					writer.fill(strata.Global(), list[next:next+n])
					next += n
				case 2:
					writer.forgetSome(rng, 1+rng.IntN(3))
				}
				for _, reader := range []*bed{b, other} {
					reader.compareKeptCodes()
				}
			}
			b.sound()
		})
	}
}

// An older transaction keeps seeing the codes of its own time.
func TestKeptCodesServeTransactionsOfTheirTimeOnly(t *testing.T) {
	b := newBed(t)
	list := samples(t, 7, nearest.CodeFrom+nearest.BlockCodes)
	b.fill(strata.Global(), list[:nearest.CodeFrom])
	b.compareKeptCodes()
	b.view(func(ctx context.Context, old *tx) {
		before, err := old.Nearest(ctx, strata.Global(), "test", list[0].vector, nil, store.Filter{}, 20)
		b.ok(err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.fill(strata.Global(), list[nearest.CodeFrom:])
			b.compareKeptCodes()
		}()
		<-done
		b.compareIn(ctx, old)
		after, err := old.Nearest(ctx, strata.Global(), "test", list[0].vector, nil, store.Filter{}, 20)
		b.ok(err)
		same(t, "nearest of the older time", after, before)
	})
	b.compareKeptCodes()
}

// A change that is undone leaves nothing behind in memory.
func TestKeptCodesKnowNothingOfWhatWasUndone(t *testing.T) {
	b := newBed(t)
	list := samples(t, 8, nearest.CodeFrom+2*nearest.BlockCodes)
	b.fill(strata.Global(), list[:nearest.CodeFrom])
	b.compareKeptCodes()
	undone := fmt.Errorf("undone")
	err := b.db.Update(context.Background(), func(w store.Writer) error {
		for i, s := range list[nearest.CodeFrom : nearest.CodeFrom+nearest.BlockCodes+1] {
			b.put(context.Background(), w.(*tx), strata.Global(), "c", fmt.Sprint("undone ", i), s.vector)
		}
		if _, err := w.Nearest(context.Background(), strata.Global(), "test", list[0].vector, nil, store.Filter{}, 5); err != nil {
			return err
		}
		return undone
	})
	if err != undone {
		t.Fatalf("got %v, want the function's own error", err)
	}
	b.compareKeptCodes()
	b.fill(strata.Global(), list[nearest.CodeFrom+nearest.BlockCodes:])
	b.compareKeptCodes()
}

// forgetSome removes a few passages for good.
func (b *bed) forgetSome(rng *rand.Rand, n int) {
	b.Helper()
	b.update(func(ctx context.Context, x *tx) {
		facts, err := x.Facts(ctx, strata.Global(), strata.FactFilter{Limit: 10_000})
		b.ok(err)
		for range n {
			_, err := x.Forget(ctx, strata.Global(), facts[rng.IntN(len(facts))].ID, nil)
			if strata.CodeOf(err) != strata.CodeNotFound { // drawn twice
				b.ok(err)
			}
		}
	})
}

// compareKeptCodes compares what a search would use with the database.
func (b *bed) compareKeptCodes() {
	b.Helper()
	b.view(b.compareIn)
}

func (b *bed) compareIn(ctx context.Context, x *tx) {
	b.Helper()
	fresh := new(nearest.Index)
	for _, v := range samples(b, 99, 3) {
		q, err := x.nearQuery(ctx, strata.Global(), "test", v.vector)
		b.ok(err)
		q.K = 20
		b.ok(b.db.near.Load(ctx, nearSource{x}, q, len(q.Vector))) // fails for codes that are damaged
		b.ok(fresh.Load(ctx, nearSource{x}, q, len(q.Vector)))
		got, err := b.db.near.Nearest(ctx, nearSource{x}, q)
		b.ok(err)
		want, err := fresh.Nearest(ctx, nearSource{x}, q)
		b.ok(err)
		same(b, "nearest by what is kept in memory", got, want)
	}
}
