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
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// postedBed is a scope of facts and turns whose words are searched in memory
// from the first search on.
type postedBed struct {
	*factBed
	zipf *rand.Zipf
}

func newPostedBed(t testing.TB, seed uint64) *postedBed {
	b := &postedBed{factBed: newFactBed(t, seed)}
	for _, db := range b.dbs {
		db.KeepPostingsAtOnce()
	}
	b.zipf = rand.NewZipf(b.rng, 1.1, 2, 400)
	return b
}

// words are some of which few are common and many rare.
func (b *postedBed) words(n int) []string {
	var out []string
	for range n {
		out = append(out, fmt.Sprint("w", b.zipf.Uint64()))
	}
	return out
}

// addLong adds turns of words, in one transaction.
func (b *postedBed) addLong(n int) {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		for range n {
			b.n++
			u, number, err := w.AppendTurn(ctx, strata.Turn{ID: fmt.Sprint("turn_", b.n), Scope: b.scope, Session: "s", Role: strata.RoleUser, Text: strings.Join(b.words(9), " ")})
			if err != nil {
				return err
			}
			p := store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: b.scope, Parent: "s", Seq: u.Seq, Text: u.Text}
			if err := w.PutPassage(ctx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// filters are some of each kind.
func (b *postedBed) filters(ctx context.Context, x *tx) []store.Filter {
	parents, err := x.Parents(ctx, b.scope, strata.KindFact, nil)
	if err != nil {
		b.Fatal(err)
	}
	out := []store.Filter{
		{}, {Enough: 20}, {Enough: 5, Contenders: 3}, {Enough: 10, Contenders: 40}, {Kinds: []strata.Kind{strata.KindTurn}}, {Kinds: []strata.Kind{strata.KindFact, strata.KindTurn}, Enough: 5},
		{Types: []strata.Type{strata.TypeUser, strata.TypeProject}}, {NotTypes: []strata.Type{strata.TypeFeedback}, Enough: 50},
		{NotPrivate: true, System: true}, {Kinds: []strata.Kind{strata.KindSection}},
	}
	for _, p := range parents {
		out = append(out, store.Filter{Parent: p.Number})
	}
	return out
}

// compareMatch compares what is found in memory with what the index finds, and
// reports how many searches were answered in memory.
func (b *postedBed) compareMatch(ctx context.Context, x *tx, q *rand.Rand) (served int) {
	b.Helper()
	for _, f := range b.filters(ctx, x) {
		terms := indexTerms(strings.Join([]string{factWords[q.IntN(len(factWords))], factWords[q.IntN(len(factWords))]}, " "))
		for range q.IntN(5) {
			terms = append(terms, fmt.Sprint("w", q.IntN(420)), fmt.Sprint("w", q.IntN(5)))
		}
		got, err := x.Match(ctx, b.scope, terms, f)
		if err != nil {
			b.Fatal(err)
		}
		if x.posted != nil {
			served++
		}
		want := b.byIndex(ctx, x, terms, f)
		if !reflect.DeepEqual(plainMatches(got), plainMatches(want)) {
			b.Fatalf("%q in %+v: got %+v, want %+v", terms, f, got, want)
		}
	}
	return served
}

// byIndex is Match from the term index, with its counts made anew.
func (b *postedBed) byIndex(ctx context.Context, x *tx, terms []string, f store.Filter) store.Matches {
	b.Helper()
	db, posted := x.db, x.posted
	x.db = &DB{opts: db.opts}
	x.db.scopes.no = make(map[strata.Scope]int64)
	x.db.postings.limits.asked = math.MaxInt64
	x.posted = nil
	defer func() { x.db, x.posted = db, posted }()
	m, err := x.Match(ctx, b.scope, terms, f)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// plainMatches is m with nil for what is empty.
func plainMatches(m store.Matches) store.Matches {
	if len(m.Passages) == 0 {
		m.Passages = nil
	}
	for i, hits := range m.Terms {
		if len(hits) == 0 {
			m.Terms[i] = nil
		}
	}
	return m
}

func (b *postedBed) compareInAll(seed uint64) (served int) {
	b.Helper()
	for _, db := range b.dbs {
		err := db.view(context.Background(), func(x *tx) error {
			served += b.compareMatch(context.Background(), x, rand.New(rand.NewPCG(seed, 9)))
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return served
}

// What is found in memory is, after any changes by any process, what the index
// finds.
func TestPostings_AnswerAsTheIndex(t *testing.T) {
	for range 3 {
		seed := rand.Uint64()
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			b := newPostedBed(t, seed)
			b.addLong(300)
			served := 0
			for range 30 {
				for range b.rng.IntN(4) {
					b.change()
				}
				if b.rng.IntN(3) == 0 {
					b.addLong(1 + b.rng.IntN(9))
				}
				served += b.compareInAll(b.rng.Uint64())
			}
			if served < 200 {
				t.Errorf("only %d searches were answered in memory", served)
			}
		})
	}
}

// In a large scope common terms are deferred, in memory as by the index.
func TestPostings_DeferCommonTermsAsTheIndexDoes(t *testing.T) {
	b := newPostedBed(t, 11)
	for _, db := range b.dbs {
		db.postings.limits.read = 700 // in several parts, while it changes
	}
	b.addLong(3000)
	served := 0
	for range 25 {
		b.change()
		served += b.compareInAll(b.rng.Uint64())
	}
	if served == 0 {
		t.Error("nothing was answered in memory")
	}
}

// An older transaction finds what was there in its time, though a newer one has
// read more since.
func TestPostings_ServeTransactionsOfTheirTime(t *testing.T) {
	ctx := context.Background()
	b := newPostedBed(t, 3)
	b.addLong(200)
	terms := []string{"boat", "harbor", "w1", "w2", "w3"}
	for _, early := range []bool{false, true} {
		b.compareInAll(1)
		err := b.dbs[0].view(ctx, func(old *tx) error {
			if _, err := old.Facts(ctx, b.scope, strata.FactFilter{}); err != nil { // its time begins
				return err
			}
			if early {
				if _, err := old.Match(ctx, b.scope, terms[:1], store.Filter{}); err != nil {
					return err
				}
			}
			want := b.byIndex(ctx, old, terms, store.Filter{})
			b.addLong(5)
			b.update(func(ctx context.Context, w *tx) error {
				for _, f := range b.some(ctx, w, 3) {
					if _, err := w.Forget(ctx, b.scope, f.ID); err != nil {
						return err
					}
				}
				return nil
			})
			if b.compareInAll(5) == 0 {
				t.Error("a newer transaction is not served")
			}
			got, err := old.Match(ctx, b.scope, terms, store.Filter{})
			if err != nil {
				return err
			}
			if !reflect.DeepEqual(plainMatches(got), plainMatches(want)) {
				t.Errorf("asked early %v: got %+v, want %+v", early, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A writer is not served: what it sees may never be committed. Nor is a search
// of another time or of sessions of a kind.
func TestPostings_ServeReadersOfNowOnly(t *testing.T) {
	ctx := context.Background()
	b := newPostedBed(t, 4)
	b.compareInAll(1)
	now := time.Now()
	err := b.dbs[0].view(ctx, func(x *tx) error {
		for _, f := range []store.Filter{{AsOf: &now}, {SessionKind: strata.SessionGroup}} {
			if _, err := x.Match(ctx, b.scope, []string{"boat"}, f); err != nil {
				return err
			}
			if x.posted != nil {
				t.Errorf("served from memory: %+v", f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.update(func(ctx context.Context, w *tx) error {
		if err := b.putText(ctx, w, "fact_own", "a quetzal in the harbor"); err != nil {
			return err
		}
		m, err := w.Match(ctx, b.scope, []string{"quetzal"}, store.Filter{})
		if len(m.Passages) != 1 || w.posted != nil {
			t.Errorf("a writer finds %d of its own passages, from memory %v", len(m.Passages), w.posted != nil)
		}
		return err
	})
}

// putText saves a fact of a text.
func (b *postedBed) putText(ctx context.Context, w *tx, id, s string) error {
	f := plainFact(id, s)
	number, err := w.PutFact(ctx, f)
	if err != nil {
		return err
	}
	return w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: b.scope, Parent: "c", Type: f.Type, Text: f.Text})
}

// What was forgotten is not found, and the list of a word that was in nothing
// else is given up.
func TestPostings_KeepNothingOfWhatIsForgotten(t *testing.T) {
	ctx := context.Background()
	b := newPostedBed(t, 5)
	b.update(func(ctx context.Context, w *tx) error {
		return b.putText(ctx, w, "fact_secret", "the xylophonist lives in a boat")
	})
	term := text.Terms("xylophonist")[0]
	match := func(x *tx) store.Matches {
		return must(x.Match(ctx, b.scope, []string{term, "boat"}, store.Filter{}))(t)
	}
	for _, db := range b.dbs {
		err := db.view(ctx, func(x *tx) error {
			if m := match(x); len(m.Terms[0]) != 1 || x.posted == nil {
				t.Errorf("before: %+v, from memory %v", m.Terms[0], x.posted != nil)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	b.update(func(ctx context.Context, w *tx) error { _, err := w.Forget(ctx, b.scope, "fact_secret"); return err })
	for _, db := range b.dbs {
		err := db.view(ctx, func(x *tx) error {
			m := must(x.Match(ctx, b.scope, []string{"boat"}, store.Filter{}))(t)
			for _, set := range x.posted {
				if set.lists.get(term) != nil {
					t.Error("the list of a forgotten word is kept")
				}
			}
			if len(m.Passages) == 0 || x.posted == nil {
				t.Errorf("nothing else is found in memory: %+v", m)
			}
			if m := match(x); len(m.Terms[0]) != 0 || m.Frequency[0] != 0 {
				t.Errorf("after: %+v", m)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := b.dbs[0].Compact(ctx); err != nil {
		t.Fatal(err)
	}
	if p := &b.dbs[0].postings; p.bytes != 0 || len(p.scopes) != 0 {
		t.Error("postings are kept after a compaction")
	}
	b.compareInAll(3)
}

// A process that asks a few questions, and a small scope, are answered from the term index.
func TestPostings_AreReadForScopesThatAreAskedAgain(t *testing.T) {
	ctx := context.Background()
	b := newPostedBed(t, 6)
	ask := func(db *DB) (kept bool) {
		err := db.view(ctx, func(x *tx) error {
			_, err := x.Match(ctx, b.scope, []string{"boat"}, store.Filter{})
			kept = x.posted != nil
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	b.dbs[0].postings.limits = postingLimits{passages: 100, asked: 4, read: 50}
	want := []bool{false, false, false, false, false, false, false, false, true, true} // 220 passages in parts of 50
	var got []bool
	for range want {
		got = append(got, ask(b.dbs[0]))
	}
	same(t, "kept", got, want)
	b.dbs[1].postings.limits = postingLimits{passages: 1000, asked: 1, read: 5000}
	for range 10 {
		if ask(b.dbs[1]) {
			t.Fatal("a small scope is kept")
		}
	}
}

// Readers at the same time, of words that are read and while others are added,
// find what the index finds.
func TestPostings_ServeManyReadersAtOnce(t *testing.T) {
	ctx := context.Background()
	b := newPostedBed(t, 8)
	b.addLong(300)
	db := b.dbs[0]
	const readers = 4
	errs := make(chan error, readers)
	for r := range readers {
		go func() {
			q := rand.New(rand.NewPCG(uint64(r), 1))
			errs <- func() error {
				for range 40 {
					terms := []string{"boat", fmt.Sprint("w", q.IntN(400)), fmt.Sprint("w", q.IntN(9))}
					err := db.view(ctx, func(x *tx) error {
						got, err := x.Match(ctx, b.scope, terms, store.Filter{})
						if err != nil {
							return err
						}
						no, _, err := x.scopeNo(ctx, b.scope, false)
						if err != nil {
							return err
						}
						x.posted = map[int64]*postingSet{no: nil}
						want, err := x.Match(ctx, b.scope, terms, store.Filter{})
						if err == nil && !slices.Equal(found(got.Passages), found(want.Passages)) {
							err = fmt.Errorf("%q: got %v, want %v", terms, found(got.Passages), found(want.Passages))
						}
						return err
					})
					if err != nil {
						return err
					}
				}
				return nil
			}()
		}()
	}
	for range 15 {
		b.addLong(3)
		b.update(func(ctx context.Context, w *tx) error {
			_, err := w.Forget(ctx, b.scope, b.some(ctx, w, 1)[0].ID)
			return err
		})
	}
	for range readers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// A term that stands in a passage more often than a posting has bits for.
func TestPostings_CountWhatIsRepeated(t *testing.T) {
	b := newPostedBed(t, 7)
	b.compareInAll(1)
	for _, n := range []int{254, 255, 256, 5000} {
		b.update(func(ctx context.Context, w *tx) error {
			u, number, err := w.AppendTurn(ctx, strata.Turn{ID: fmt.Sprint("turn_many_", n), Scope: b.scope, Session: "s", Role: strata.RoleUser, Text: "x"})
			if err != nil {
				return err
			}
			return w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: b.scope, Parent: "s", Seq: u.Seq, Text: strings.Repeat("cat ", n)})
		})
		for _, db := range b.dbs {
			err := db.view(context.Background(), func(x *tx) error {
				m := must(x.Match(context.Background(), b.scope, []string{"cat"}, store.Filter{}))(t)
				if h := m.Terms[0]; len(h) == 0 || h[len(h)-1].Count != int32(n) || x.posted == nil {
					t.Errorf("%d times: got %v", n, h)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		b.dbs[1].postings.drop() // read from the index, not added
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

func TestPostingCache_FitsItsBound(t *testing.T) {
	var pc postingCache
	set := func(passages int) *cachedPostings {
		s := &postingSet{order: newPostedOrder(), lists: new(postingLists)}
		s.reserve(passages)
		c := new(cachedPostings)
		c.set.Store(s)
		return c
	}
	pc.scopes = make(map[int64]*cachedPostings)
	const third = maxPostings / 16 / 3
	for no := range int64(3) {
		pc.scopes[no] = set(third)
		pc.scope(no)
		pc.keep(no, pc.scopes[no])
	}
	if pc.scopes[0] != nil || pc.scopes[1] == nil || pc.scopes[2] == nil {
		t.Errorf("kept: %v, want 1 and 2", pc.scopes)
	}
	huge := set(4 * third)
	pc.scopes[9] = huge
	pc.keep(9, huge)
	if !huge.unfit.Load() || huge.set.Load() != nil || pc.bytes != 0 {
		t.Errorf("a scope that does not fit is kept: %d bytes", pc.bytes)
	}
}

func TestPostPassage_RefusesWhatDoesNotFit(t *testing.T) {
	const no = 7
	number := int64(no<<passage.ScopeBits + 5)
	p, ok := postPassage(no, number, number+1, 3, 40, 2, passage.TypeSystem, true)
	if want := (store.Meta{Number: number, Parent: number + 1, Seq: 3, Words: 40, Kind: strata.KindTurn}); !ok || p.meta(no) != want {
		t.Errorf("got %+v, want %+v", p.meta(no), want)
	}
	for name, v := range map[string][6]int64{
		"number":        {no<<passage.ScopeBits + 1<<32, number, 0, 0, 1, 0},
		"other scope":   {9 << passage.ScopeBits, number, 0, 0, 1, 0},
		"parent":        {number, no<<passage.ScopeBits + 1<<32, 0, 0, 1, 0},
		"parent's home": {number, 3, 0, 0, 1, 0},
		"seq":           {number, number, 1 << 32, 0, 1, 0},
		"negative seq":  {number, number, -1, 0, 1, 0},
		"words":         {number, number, 0, 1 << 24, 1, 0},
		"kind":          {number, number, 0, 0, 4, 0},
		"type":          {number, number, 0, 0, 1, 16},
	} {
		if _, ok := postPassage(no, v[0], v[1], v[2], v[3], v[4], v[5], false); ok {
			t.Errorf("%s: fits", name)
		}
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

// The terms of a passage that is added in memory are those that the index has.
func TestPostings_TermsAreThoseOfTheIndex(t *testing.T) {
	b := newBed(t)
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.exec(ctx, `CREATE VIRTUAL TABLE temp.token USING fts5vocab(main, word, row)`)
		b.ok(err)
		want := make(map[string]bool)
		var all strings.Builder
		for _, r := range everyRune() {
			terms, _, _ := indexed(fmt.Sprintf("a%cb %c", r, r))
			counts := make(map[string]int64)
			if !countTerms(terms, counts) {
				continue // read from the index
			}
			for term := range counts {
				want[term] = true
			}
			all.WriteString(terms + " ")
		}
		_, err = x.exec(ctx, `INSERT INTO word (rowid, terms) VALUES (1, ?)`, all.String())
		b.ok(err)
		rows, err := x.query(ctx, `SELECT term FROM token`)
		b.ok(err)
		defer rows.Close()
		for rows.Next() {
			var term string
			b.ok(rows.Scan(&term))
			if !want[term] {
				t.Errorf("the index has %q (%+q)", term, term)
			}
			delete(want, term)
		}
		b.ok(rows.Err())
		for term := range want {
			t.Errorf("the index lacks %q (%+q)", term, term)
		}
	})
}
