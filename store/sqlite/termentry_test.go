package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// Walking through the index yields what is selected row by row, whichever scopes
// lie before and behind.
func TestTermEntries_AreTheSameByEachWay(t *testing.T) {
	b := newBed(t)
	rnd := rand.New(rand.NewPCG(3, 7))
	scopes := []strata.Scope{strata.Global(), strata.InWorkspace("a"), strata.InWorkspace("b")}
	b.update(func(ctx context.Context, x *tx) {
		for range 900 {
			words := make([]string, 1+rnd.IntN(9))
			for i := range words {
				words[i] = fmt.Sprint("w", rnd.IntN(12))
			}
			b.put(ctx, x, scopes[rnd.IntN(len(scopes))], "c", strings.Join(words, " "), nil)
		}
	})
	b.view(func(ctx context.Context, x *tx) {
		total := 0
		for _, scope := range scopes {
			no, ok, err := x.scopeNo(ctx, scope, false)
			if b.ok(err); !ok {
				t.Fatalf("no scope %s", scope)
			}
			waiting, err := x.waitingTerms(ctx, no)
			b.ok(err)
			for word := range 13 { // the last is in no passage
				var lists [2][]termEntry
				for i, walk := range []bool{false, true} {
					x.walks = map[int64]bool{no: walk}
					b.ok(x.termEntries(ctx, no, waiting, fmt.Sprint("w", word), func(entries []termEntry) {
						lists[i] = slices.Clone(entries)
					}))
				}
				if !slices.Equal(lists[0], lists[1]) {
					t.Fatalf("w%d in %s: %v by rows, %v by the walk", word, scope, lists[0], lists[1])
				}
				if !slices.IsSortedFunc(lists[0], func(a, b termEntry) int { return int(a.number() - b.number()) }) {
					t.Fatalf("w%d in %s: not by number: %v", word, scope, lists[0])
				}
				total += len(lists[0])
			}
		}
		if total < 900 {
			t.Errorf("only %d entries", total)
		}
	})
}

// A scope that holds most of the index is walked through, a small one is not.
func TestWalksIndex_WhereTheScopeIsMostOfIt(t *testing.T) {
	b := newBed(t)
	for i := range 9 {
		b.save(strata.Global(), "c", fmt.Sprint("word ", i), nil)
	}
	for i := range 3 {
		b.save(strata.InWorkspace("a"), "c", fmt.Sprint("word ", i), nil)
	}
	b.view(func(ctx context.Context, x *tx) {
		for scope, want := range map[strata.Scope]bool{strata.Global(): true, strata.InWorkspace("a"): false} {
			no, _, err := x.scopeNo(ctx, scope, false)
			b.ok(err)
			got, err := x.walksIndex(ctx, no)
			if b.ok(err); got != want {
				t.Errorf("%s: walks %v", scope, got)
			}
		}
	})
}
