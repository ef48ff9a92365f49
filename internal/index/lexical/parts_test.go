package lexical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Whatever the numbers and gaps between them, each is found at its last ordinal,
// and no other is.
func TestOrdinals_FindEachNumberAtItsLast(t *testing.T) {
	seed := seed()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		o := newOrdinals()
		last := make(map[uint32]uint32)
		number, gap := rng.Uint32N(1<<31), 1+rng.Uint32N(1<<rng.Uint32N(24))
		smallest := number
		for at := range rng.Uint32N(300) {
			switch rng.IntN(20) {
			case 0: // out of order
				number -= min(number, rng.Uint32N(gap))
			case 1: // again
			default:
				number += 1 + rng.Uint32N(gap)
			}
			o.add(number, at)
			last[number] = at
			smallest = min(smallest, number)
		}
		for n := range last {
			for _, n := range []uint32{n - 1, n, n + 1} {
				got, ok := o.find(n)
				if want, there := last[n]; ok != there || got != want {
					t.Fatalf("number %d is at %d, %v; want %d, %v", n, got, ok, want, there)
				}
			}
		}
		for _, n := range []uint32{0, smallest - 1, 1<<32 - 1} {
			if _, there := last[n]; there {
				continue
			}
			if got, ok := o.find(n); ok {
				t.Fatalf("number %d of no passage is at %d", n, got)
			}
		}
		if most := int64(len(last)+sparse) * sparse / 4; o.bytes() > most {
			t.Fatalf("%d passages take %d bytes", len(last), o.bytes())
		}
	}
}

func TestNewCached_RefusesWhatDoesNotFit(t *testing.T) {
	row := func(change func(*passage.Row)) *passage.Row {
		r := &passage.Row{Meta: store.Meta{Number: number(5), Parent: number(6), Seq: 3, Words: 40, Kind: strata.KindTurn}, Type: passage.TypeSystem, Retired: 1}
		change(r)
		return r
	}
	r := row(func(*passage.Row) {})
	if p, ok := newCached(testScope, r); !ok || p.meta(testScope) != r.Meta {
		t.Errorf("got %+v, want %+v", p.meta(testScope), r.Meta)
	}
	for name, change := range map[string]func(*passage.Row){
		"number":        func(r *passage.Row) { r.Number = number(1 << 32) },
		"other scope":   func(r *passage.Row) { r.Number = 9 << passage.ScopeBits },
		"parent":        func(r *passage.Row) { r.Parent = number(1 << 32) },
		"parent's home": func(r *passage.Row) { r.Parent = 3 },
		"seq":           func(r *passage.Row) { r.Seq = 1 << 32 },
		"negative seq":  func(r *passage.Row) { r.Seq = -1 },
		"words":         func(r *passage.Row) { r.Words = 1 << 24 },
		"kind":          func(r *passage.Row) { r.Kind = "" },
		"type":          func(r *passage.Row) { r.Type = 16 },
	} {
		if _, ok := newCached(testScope, row(change)); ok {
			t.Errorf("%s: fits", name)
		}
	}
}

func TestPostingLists_DropWhatWasNotUsedForLongest(t *testing.T) {
	var pl postingLists
	for i := range 10 {
		l := new(postingList)
		l.grow(100)
		pl.put(fmt.Sprint(i), l)
	}
	pl.get("0")
	pl.dropOldest(pl.size() / 2)
	for i, want := range []bool{true, false, false, false, false, false, true, true, true, true} {
		if got := pl.get(fmt.Sprint(i)) != nil; got != want {
			t.Errorf("list %d: kept %v, want %v", i, got, want)
		}
	}
	pl.dropOldest(0)
	if pl.size() != 0 {
		t.Errorf("%d bytes of nothing", pl.size())
	}
}

func TestIndex_FitsItsBound(t *testing.T) {
	x := NewIndex(nil)
	scope := func(no, n int64) *cachedScope {
		var totals Totals
		totals[1].Passages = n * 16 / 17
		c := x.scope(no)
		c.passages.Store(newPassages(no, 1, totals))
		x.count(no, c)
		return c
	}
	const third = maxBytes / cachedBytes / 3
	for no := range int64(3) {
		scope(no, third)
	}
	if x.scopes[0] != nil || x.scopes[1] == nil || x.scopes[2] == nil {
		t.Errorf("kept: %v, want 1 and 2", x.scopes)
	}
	huge := scope(9, 4*third)
	if !huge.unfit.Load() || huge.passages.Load() != nil || x.Bytes() != 0 {
		t.Errorf("a scope that does not fit is kept: %d bytes", x.Bytes())
	}
}

func TestGallop_FindsTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(0, 50), 0, 60).Draw(t, "list")
		slices.Sort(list)
		x := rapid.IntRange(-1, 52).Draw(t, "x")
		want, _ := slices.BinarySearch(list, x)
		if got := gallop(len(list), func(i int) bool { return list[i] >= x }); got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
	})
}
