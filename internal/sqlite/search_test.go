package sqlite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

var factsOnly = store.Filter{Kinds: []strata.Kind{strata.KindFact}}

// answers are those of all searches for facts, in one transaction.
type answers struct {
	Match     []store.Matches
	Phrase    [][]store.Meta
	Substring [][]store.Meta
	Near      [][]store.Near
	Similar   [][]float32
}

// ask asks the same questions again for the same seed.
func (b *factBed) ask(ctx context.Context, x *tx, seed uint64) answers {
	b.Helper()
	q := &factBed{TB: b.TB, rng: rand.New(rand.NewPCG(seed, 3))}
	ok := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	parents, err := x.Parents(ctx, b.scope, strata.KindFact, nil)
	ok(err)
	filters := []store.Filter{factsOnly, {Kinds: factsOnly.Kinds, NotPrivate: true, SessionKind: strata.SessionGroup},
		{Kinds: factsOnly.Kinds, Types: []strata.Type{strata.TypeUser, strata.TypeReference}}}
	var numbers []int64
	for _, p := range parents {
		filters = append(filters, store.Filter{Kinds: factsOnly.Kinds, Parent: p.Number})
		numbers = append(numbers, p.Number)
	}
	var out answers
	for _, f := range filters {
		m, err := x.Match(ctx, b.scope, indexTerms(q.sentence(4)), f, store.MatchOptions{})
		ok(err)
		out.Match = append(out.Match, m)
		for _, phrase := range [][]string{{"boat"}, {"bo"}, indexTerms(q.sentence(2))} {
			for _, prefix := range []bool{false, true} {
				found, err := x.MatchPhrase(ctx, b.scope, phrase, prefix, f, 7)
				ok(err)
				out.Phrase = append(out.Phrase, found)
			}
		}
		for _, s := range []string{"oat", "会議", "fact_1", "no such thing"} {
			found, err := x.MatchSubstring(ctx, b.scope, s, f, 7)
			ok(err)
			out.Substring = append(out.Substring, found)
		}
		v := q.direction()
		near, err := x.Nearest(ctx, b.scope, "m", v, nil, f, 6)
		ok(err)
		out.Near = append(out.Near, near)
		inside, err := x.Nearest(ctx, b.scope, "m", v, numbers[:min(2, len(numbers))], f, 6)
		ok(err)
		out.Near = append(out.Near, inside)
		var list []int64
		for _, n := range append(near, inside...) {
			list = append(list, n.Number)
		}
		similar, err := x.Similarities(ctx, b.scope, "m", v, append(list, 1))
		ok(err)
		known, err := x.Similarities(ctx, b.scope, "m", v, list)
		ok(err)
		out.Similar = append(out.Similar, similar, known)
	}
	return out
}

// indexTerms are words as terms of the index, as far as these go.
func indexTerms(s string) []string {
	return slices.Collect(passage.Terms(strings.ToLower(s)))
}

func (b *factBed) same(got, want answers) {
	b.Helper()
	if !reflect.DeepEqual(got.Match, want.Match) {
		b.Fatalf("terms: got %+v, want %+v", got.Match, want.Match)
	}
	if !reflect.DeepEqual(got.Phrase, want.Phrase) {
		b.Fatalf("phrases: got %+v, want %+v", got.Phrase, want.Phrase)
	}
	if !reflect.DeepEqual(got.Substring, want.Substring) {
		b.Fatalf("substrings: got %+v, want %+v", got.Substring, want.Substring)
	}
	// Where C fuses a product with a sum, the last bit differs.
	for i := range got.Near {
		if !slices.EqualFunc(got.Near[i], want.Near[i], func(a, b store.Near) bool {
			return a.Number == b.Number && math.Abs(float64(a.Similarity-b.Similarity)) < 1e-6
		}) {
			b.Fatalf("nearest: got %+v, want %+v", got.Near[i], want.Near[i])
		}
	}
	for i := range got.Similar {
		if !slices.EqualFunc(got.Similar[i], want.Similar[i], func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 }) {
			b.Fatalf("similarities: got %v, want %v", got.Similar[i], want.Similar[i])
		}
	}
}

// askIn asks in a transaction of its own.
func (b *factBed) askIn(db *DB, seed uint64) (a answers) {
	b.Helper()
	err := db.view(context.Background(), func(x *tx) error {
		a = b.ask(context.Background(), x, seed)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return a
}

// askAnew asks as a process does that begins now: it has nothing in memory.
func (b *factBed) askAnew(seed uint64) answers {
	b.Helper()
	db, err := Open(context.Background(), b.dbs[0].file.Path, &Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	return b.askIn(db, seed)
}

// compareAll compares what every process finds with what a new one does.
func (b *factBed) compareAll(seed uint64) {
	b.Helper()
	want := b.askAnew(seed)
	for _, db := range b.dbs {
		b.same(b.askIn(db, seed), want)
	}
}

// newSearchBed returns a bed whose second process searches words in memory from the
// first search on.
func newSearchBed(t testing.TB, seed uint64, turns int) *factBed {
	b := newFactBedWith(t, seed, turns)
	b.dbs[1].KeepPostingsAtOnce()
	return b
}

// Whatever changed, by any process: every process finds what a new one finds.
func TestSearch_AnswersAsANewProcess(t *testing.T) {
	t.Parallel()
	for i := range 6 {
		seed, turns := rand.Uint64(), []int{200, 0}[i%2]
		t.Run(fmt.Sprint("turns=", turns, " seed=", seed), func(t *testing.T) {
			b := newSearchBed(t, seed, turns)
			for range 40 {
				for range b.rng.IntN(3) {
					b.change()
				}
				b.compareAll(b.rng.Uint64())
			}
			problems, err := b.dbs[0].Check(context.Background(), nil)
			if err != nil || len(problems) > 0 {
				t.Errorf("check found %+v, %v", problems, err)
			}
		})
	}
}

// An older transaction sees the facts of its own time, before and after a newer one
// has read them.
func TestSearch_SeesTheTimeOfItsTransaction(t *testing.T) {
	ctx := context.Background()
	b := newSearchBed(t, 1, 200)
	for _, db := range b.dbs {
		for _, asked := range []bool{false, true} {
			want, after := b.askAnew(5), b.askAnew(6)
			err := db.view(ctx, func(old *tx) error {
				if _, err := old.Facts(ctx, b.scope, strata.FactFilter{}); err != nil { // its time begins
					return err
				}
				if asked {
					b.same(b.ask(ctx, old, 5), want)
				}
				b.addFacts(4)
				b.update(func(ctx context.Context, w *tx) error {
					_, err := w.Forget(ctx, b.scope, b.some(ctx, w, 1)[0].ID, nil)
					return err
				})
				b.compareAll(5)
				b.same(b.ask(ctx, old, 5), want)
				b.same(b.ask(ctx, old, 6), after)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A search of a scope finds nothing of another, whether the texts of both are pending or
// in the index.
func TestSearch_StaysInItsScope(t *testing.T) {
	other := strata.InWorkspace("01JABCDEFGHJKMNPQRSTVWXYZ0")
	for name, merge := range map[string]int64{"pending": pendingTexts, "indexed": 1} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			b := newSearchBed(t, 3, 0)
			for _, db := range b.dbs {
				db.MergePendingFrom(merge)
			}
			b.addFacts(1)
			before := b.askAnew(1)
			b.update(func(ctx context.Context, w *tx) error {
				for i := range 9 {
					f := plainFact(fmt.Sprint("elsewhere_", i), "boat boat boat")
					f.Scope = other
					number, err := w.PutFact(ctx, f)
					if err != nil {
						return err
					}
					if err := w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: other, Parent: f.Category, Text: f.Text}); err != nil {
						return err
					}
				}
				return nil
			})
			for _, db := range b.dbs {
				err := db.View(ctx, func(r store.Reader) error {
					m, err := r.Match(ctx, other, []string{"boat"}, factsOnly, store.MatchOptions{})
					if err == nil && len(m.Passages) != 9 {
						t.Errorf("found %+v", m)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				b.same(b.askIn(db, 1), before)
			}
		})
	}
}
