package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/index/small"
	"github.com/strata-memory/strata/store"
)

// factBed is a scope with few facts and, as a rule, many turns, open twice as by two
// processes.
type factBed struct {
	testing.TB
	rng   *rand.Rand
	dbs   []*DB
	n     int // facts and turns so far
	scope strata.Scope
}

func newFactBed(t testing.TB, seed uint64) *factBed { return newFactBedWith(t, seed, 200) }

func newFactBedWith(t testing.TB, seed uint64, turns int) *factBed {
	t.Helper()
	path := filepath.Join(t.TempDir(), "strata.db")
	b := &factBed{TB: t, rng: rand.New(rand.NewPCG(seed, 2)), scope: strata.Global()}
	for range 2 {
		db, err := Open(context.Background(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		b.dbs = append(b.dbs, db)
	}
	b.update(func(ctx context.Context, w *tx) error {
		return w.OpenSession(ctx, strata.Session{ID: "s", Scope: b.scope})
	})
	b.addTurns(turns)
	b.addFacts(20)
	return b
}

func (b *factBed) update(fn func(context.Context, *tx) error) {
	b.Helper()
	ctx := context.Background()
	err := b.dbs[b.rng.IntN(len(b.dbs))].Update(ctx, func(w store.Writer) error { return fn(ctx, w.(*tx)) })
	if err != nil {
		b.Fatal(err)
	}
}

var factWords = strings.Fields("harbor boat boats ferry Nora nora's Quito 会議 e-mail a_b v2.4 tea coffee can't 16 ledger lantern")

func (b *factBed) sentence(n int) string {
	var out []string
	for range n {
		out = append(out, factWords[b.rng.IntN(len(factWords))])
	}
	return strings.Join(out, " ")
}

func (b *factBed) direction() []float32 {
	v := make([]float32, 16)
	for i := range v {
		v[i] = float32(b.rng.NormFloat64())
	}
	return v
}

func (b *factBed) addTurns(n int) {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		for range n {
			b.n++
			u, number, err := w.AppendTurn(ctx, strata.Turn{ID: fmt.Sprint("turn_", b.n), Scope: b.scope, Session: "s", Role: strata.RoleUser, Text: b.sentence(7)})
			if err != nil {
				return err
			}
			p := store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: b.scope, Parent: "s", Seq: u.Seq, Text: u.Text, Model: "m", Vector: b.direction()}
			if err := w.PutPassage(ctx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *factBed) addFacts(n int) {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		for range n {
			b.n++
			if err := b.putFact(ctx, w, fmt.Sprint("fact_", b.n), 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// putFact stores a version of a fact; one in four waits for its vector.
func (b *factBed) putFact(ctx context.Context, w *tx, id string, generation int64) error {
	f := plainFact(id, fmt.Sprint(b.sentence(5), " ", id, generation))
	f.Generation, f.Type, f.Category = generation, strata.Types()[b.rng.IntN(4)], fmt.Sprint("c", b.rng.IntN(3))
	number, err := w.PutFact(ctx, f)
	if err != nil {
		return err
	}
	p := store.Passage{Number: number, Kind: strata.KindFact, Ref: id, Scope: b.scope, Parent: f.Category, Type: f.Type, Text: f.Text, Said: f.Text}
	if b.rng.IntN(4) > 0 {
		p.Model, p.Vector = "m", b.direction()
	}
	return w.PutPassage(ctx, p)
}

// some returns a few of the current facts.
func (b *factBed) some(ctx context.Context, w *tx, n int) []strata.Fact {
	b.Helper()
	facts, err := w.Facts(ctx, b.scope, strata.FactFilter{Limit: 10_000})
	if err != nil {
		b.Fatal(err)
	}
	b.rng.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
	return facts[:min(n, len(facts))]
}

// change does one thing that changes what is found.
func (b *factBed) change() {
	b.Helper()
	switch b.rng.IntN(11) {
	case 0:
		b.addFacts(1 + b.rng.IntN(5))
	case 1:
		b.addTurns(1 + b.rng.IntN(4))
	case 2: // another version
		b.update(func(ctx context.Context, w *tx) error {
			for _, f := range b.some(ctx, w, 2) {
				if err := w.RetireFact(ctx, b.scope, f.ID, f.Generation, ""); err != nil {
					return err
				}
				if err := b.putFact(ctx, w, f.ID, f.Generation+1); err != nil {
					return err
				}
			}
			return nil
		})
	case 3: // deleted
		b.update(func(ctx context.Context, w *tx) error {
			for _, f := range b.some(ctx, w, 1) {
				if err := w.RetireFact(ctx, b.scope, f.ID, f.Generation, ""); err != nil {
					return err
				}
			}
			return nil
		})
	case 4: // forgotten
		b.update(func(ctx context.Context, w *tx) error {
			for _, f := range b.some(ctx, w, 2) {
				if _, err := w.Forget(ctx, b.scope, f.ID, nil); err != nil {
					return err
				}
			}
			return nil
		})
	case 5: // vectors come later
		b.update(func(ctx context.Context, w *tx) error {
			waiting, err := w.Unembedded(ctx, store.Model{Name: "m", Dim: 16}, 3)
			for _, p := range waiting {
				if err == nil {
					err = w.PutVector(ctx, p.Number, "m", b.direction())
				}
			}
			return err
		})
	case 6: // another category
		b.update(func(ctx context.Context, w *tx) error {
			parents, err := w.Parents(ctx, b.scope, strata.KindFact, nil)
			if err != nil || len(parents) < 2 {
				return err
			}
			if b.n%2 == 0 {
				f, err := w.Facts(ctx, b.scope, strata.FactFilter{Category: parents[0].Name, Limit: 1})
				if err != nil || len(f) == 0 {
					return err
				}
				_, err = w.MoveFacts(ctx, b.scope, f[0].Category, parents[1].Name, []string{f[0].ID})
				return err
			}
			if parents[0].Passages == 0 {
				return nil
			}
			return w.RenameCategory(ctx, b.scope, parents[0].Name, parents[1].Name)
		})
	case 7: // undone
		undone := errors.New("undone")
		err := b.dbs[b.rng.IntN(len(b.dbs))].Update(context.Background(), func(w store.Writer) error {
			b.n++
			if err := b.putFact(context.Background(), w.(*tx), fmt.Sprint("undone_", b.n), 1); err != nil {
				return err
			}
			if _, err := w.Match(context.Background(), b.scope, []string{"boat"}, factsOnly, store.MatchOptions{}); err != nil {
				return err
			}
			return undone
		})
		if err != undone {
			b.Fatalf("got %v, want the function's own error", err)
		}
	case 8: // of use
		b.update(func(ctx context.Context, w *tx) error {
			for _, f := range b.some(ctx, w, 2) {
				if err := w.RecordAccess(ctx, b.scope, []string{f.ID}); err != nil {
					return err
				}
			}
			return nil
		})
	case 9: // another name
		b.update(func(ctx context.Context, w *tx) error {
			parents, err := w.Parents(ctx, b.scope, strata.KindFact, nil)
			if err != nil || len(parents) == 0 {
				return err
			}
			no, _, err := w.scopeNo(ctx, b.scope, false)
			if err != nil {
				return err
			}
			return w.renameCategory(ctx, no, parents[0].Number, parents[0].Name, fmt.Sprint("d", b.rng.IntN(5)))
		})
	case 10: // indexed anew
		if b.rng.IntN(4) == 0 {
			b.reindex()
		}
	}
}

func (b *factBed) reindex() {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		if err := w.DropIndex(ctx, b.scope); err != nil {
			return err
		}
		for after := int64(0); ; {
			list, err := w.Sources(ctx, b.scope, after, 1000)
			if err != nil || len(list) == 0 {
				return err
			}
			for _, s := range list {
				p := store.Passage{Number: s.Number, Scope: b.scope}
				switch {
				case s.Fact != nil:
					p.Kind, p.Ref, p.Parent, p.Type, p.Text = strata.KindFact, s.Fact.ID, s.Fact.Category, s.Fact.Type, s.Fact.Text
					p.Said, p.RetiredAt = s.Fact.Text, s.Fact.RetiredAt
				case s.Turn != nil:
					p.Kind, p.Ref, p.Parent, p.Seq, p.Text = strata.KindTurn, s.Turn.ID, "s", s.Turn.Seq, s.Turn.Text
				}
				if err := w.PutPassage(ctx, p); err != nil {
					return err
				}
				after = s.Number
			}
		}
	})
}

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

// compare compares what is found from memory with what the database finds.
func (b *factBed) compare(ctx context.Context, x *tx, seed uint64) {
	b.Helper()
	got := b.ask(ctx, x, seed)
	no, _, err := x.scopeNo(ctx, b.scope, false)
	if err != nil {
		b.Fatal(err)
	}
	kept := x.small
	x.small = map[int64]*small.Set{no: nil}
	want := b.ask(ctx, x, seed)
	x.small = kept
	b.same(got, want)
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

// compareAll compares in every process.
func (b *factBed) compareAll(seed uint64) {
	b.Helper()
	for _, db := range b.dbs {
		err := db.view(context.Background(), func(x *tx) error {
			b.compare(context.Background(), x, seed)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// isKept reports whether a reader of a handle is served from memory.
func (b *factBed) isKept(ctx context.Context, x *tx, f store.Filter) bool {
	b.Helper()
	no, _, err := x.scopeNo(ctx, b.scope, false)
	if err != nil {
		b.Fatal(err)
	}
	set, err := x.smallScope(ctx, no, f)
	if err != nil {
		b.Fatal(err)
	}
	return set != nil
}

// What is found in the facts kept in memory is, after any changes by any
// process, what the database finds.
func TestSmallScope_AnswerAsTheDatabase(t *testing.T) {
	t.Parallel()
	for i := range 6 {
		seed, turns := rand.Uint64(), []int{200, 0}[i%2]
		t.Run(fmt.Sprint("turns=", turns, " seed=", seed), func(t *testing.T) {
			b := newFactBedWith(t, seed, turns)
			for range 40 {
				for range b.rng.IntN(3) {
					b.change()
				}
				b.compareAll(b.rng.Uint64())
			}
			for _, p := range must(b.dbs[0].Check(context.Background(), nil))(t) {
				t.Errorf("%+v", p)
			}
		})
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// An older transaction sees the facts of its own time, before and after a newer
// one has read them.
func TestSmallScope_ServeTransactionsOfTheirTimeOnly(t *testing.T) {
	ctx := context.Background()
	b := newFactBed(t, 1)
	for _, asked := range []bool{false, true} {
		err := b.dbs[0].view(ctx, func(old *tx) error {
			if _, err := old.Facts(ctx, b.scope, strata.FactFilter{}); err != nil { // its time begins
				return err
			}
			var before answers
			if asked {
				before = b.ask(ctx, old, 5)
			}
			b.addFacts(4)
			b.update(func(ctx context.Context, w *tx) error {
				_, err := w.Forget(ctx, b.scope, b.some(ctx, w, 1)[0].ID, nil)
				return err
			})
			b.compareAll(5)
			if asked {
				b.same(b.ask(ctx, old, 5), before)
			} else if b.isKept(ctx, old, factsOnly) {
				t.Error("an older transaction is served what a newer one read")
			}
			b.compare(ctx, old, 6)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Only searches for the current facts alone are served, and no writer: what it
// sees may never be committed.
func TestSmallScope_ServeReadersOfCurrentFactsOnly(t *testing.T) {
	ctx := context.Background()
	b := newFactBed(t, 2)
	now := time.Now()
	err := b.dbs[0].view(ctx, func(x *tx) error {
		if !b.isKept(ctx, x, factsOnly) {
			t.Error("few facts are not kept")
		}
		for _, f := range []store.Filter{
			{}, {Kinds: []strata.Kind{strata.KindTurn}}, {Kinds: []strata.Kind{strata.KindFact, strata.KindTurn}},
			{Kinds: factsOnly.Kinds, AsOf: &now},
		} {
			if b.isKept(ctx, x, f) {
				t.Errorf("served from memory: %+v", f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.update(func(ctx context.Context, w *tx) error {
		if b.isKept(ctx, w, factsOnly) {
			t.Error("a writer is served from memory")
		}
		return nil
	})
}

// A scope is not served the facts of another.
func TestSmallScope_StayInTheirScope(t *testing.T) {
	ctx := context.Background()
	b := newFactBed(t, 3)
	other := strata.InWorkspace("01JABCDEFGHJKMNPQRSTVWXYZ0")
	b.compareAll(1)
	err := b.dbs[0].Update(ctx, func(w store.Writer) error {
		for i := range 9 {
			kind, parent := strata.KindFact, "general"
			f := plainFact(fmt.Sprint("elsewhere_", i), "boat boat boat")
			f.Scope = other
			number, err := w.PutFact(ctx, f)
			if err != nil {
				return err
			}
			if i > 0 { // indexed as what outnumbers the facts
				kind, parent = strata.KindTurn, "s"
			}
			if err := w.PutPassage(ctx, store.Passage{Number: number, Kind: kind, Ref: f.ID, Scope: other, Parent: parent, Text: f.Text}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = b.dbs[0].View(ctx, func(r store.Reader) error {
		m, err := r.Match(ctx, other, []string{"boat"}, factsOnly, store.MatchOptions{})
		if err == nil && (len(m.Passages) != 1 || len(r.(*tx).small) != 1) {
			t.Errorf("found %+v", m)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.compareAll(2)
}

// After a compaction, which ends a forget, nothing of the facts is in memory.
func TestSmallScope_AreGivenUpWhenTheStoreIsCompacted(t *testing.T) {
	b := newFactBed(t, 4)
	b.compareAll(1)
	if b.dbs[0].small.Bytes() == 0 {
		t.Fatal("nothing is kept")
	}
	if err := b.dbs[0].Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if b.dbs[0].small.Bytes() != 0 {
		t.Error("facts are kept")
	}
	b.compareAll(2)
}
