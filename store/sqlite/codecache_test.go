package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// What is kept of codes in memory is, after any changes by any process, what a
// search would read from the database.
func TestKeptCodesAreThoseOfTheDatabase(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			b := newBed(t)
			db, err := Open(context.Background(), b.path, nil)
			b.ok(err)
			defer db.Close()
			other := &bed{TB: t, db: db, path: b.path, facts: 1_000_000}
			list := samples(t, seed, codeFrom+1500)
			b.fill(strata.Global(), list[:codeFrom])
			next := codeFrom
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
	list := samples(t, 7, codeFrom+blockCodes)
	b.fill(strata.Global(), list[:codeFrom])
	b.compareKeptCodes()
	b.view(func(ctx context.Context, old *tx) {
		before, err := old.Nearest(ctx, strata.Global(), "test", list[0].vector, nil, store.Filter{}, 20)
		b.ok(err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.fill(strata.Global(), list[codeFrom:])
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
	list := samples(t, 8, codeFrom+2*blockCodes)
	b.fill(strata.Global(), list[:codeFrom])
	b.compareKeptCodes()
	undone := fmt.Errorf("undone")
	err := b.db.Update(context.Background(), func(w store.Writer) error {
		for i, s := range list[codeFrom : codeFrom+blockCodes+1] {
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
	b.fill(strata.Global(), list[codeFrom+blockCodes:])
	b.compareKeptCodes()
}

func TestCodeCacheDropsWhatWasNotUsedForLongest(t *testing.T) {
	var cc codeCache
	const big = maxCodeCache / 3
	for id := range int64(3) {
		cc.keep(id+1, cc.head(id+1), big)
	}
	cc.head(1) // used again
	cc.keep(4, cc.head(4), big)
	if cc.heads[2] != nil || cc.heads[1] == nil || cc.heads[3] == nil || cc.heads[4] == nil {
		t.Errorf("kept: %v, want 1, 3 and 4", cc.heads)
	}
	cc.keep(5, cc.head(5), 2*maxCodeCache)
	if len(cc.heads) != 0 || cc.bytes != 0 {
		t.Errorf("more than fits is kept: %d heads, %d bytes", len(cc.heads), cc.bytes)
	}
}

// forgetSome removes a few passages for good.
func (b *bed) forgetSome(rng *rand.Rand, n int) {
	b.Helper()
	b.update(func(ctx context.Context, x *tx) {
		facts, err := x.Facts(ctx, strata.Global(), strata.FactFilter{Limit: 10_000})
		b.ok(err)
		for range n {
			_, err := x.Forget(ctx, strata.Global(), facts[rng.IntN(len(facts))].ID)
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
	m, _, err := x.wantedModel(ctx, "test", 384)
	b.ok(err)
	heads, err := x.codeHeads(ctx, 1, m, ^0)
	b.ok(err)
	for _, h := range heads {
		if h.coded == 0 {
			continue
		}
		kept, err := x.openCodes(ctx, m, h)
		b.ok(err)
		read, err := x.readCodes(ctx, m, h, nil)
		b.ok(err)
		if got, want := byPassage(b, kept), byPassage(b, read); !slices.Equal(got, want) {
			b.Fatalf("%d codes are kept, %d stand in the database, or others", len(got), len(want))
		}
	}
}

// byPassage lists each passage with its code, sorted.
func byPassage(b *bed, c *codes) []string {
	b.Helper()
	var out []string
	for _, s := range c.segments {
		size := vector.CodeBytes(s.dim)
		for i, n := range s.numbers {
			if n == 0 {
				continue
			}
			var code []byte
			for at := range size {
				code = append(code, s.groups.bytes[i/vector.GroupCodes*vector.GroupCodes*size+at*vector.GroupCodes+i%vector.GroupCodes])
			}
			out = append(out, fmt.Sprintf("%d %x", n, code))
		}
	}
	slices.Sort(out)
	if len(slices.Compact(slices.Clone(out))) != len(out) {
		b.Fatal("a passage is kept twice")
	}
	return out
}
