package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// wordBed is a scope of facts and turns whose words are searched in memory from
// the first search on.
type wordBed struct {
	*factBed
	zipf *rand.Zipf
	no   int64
}

func newWordBed(t testing.TB, seed uint64) *wordBed {
	b := &wordBed{factBed: newFactBed(t, seed)}
	for _, db := range b.dbs {
		db.KeepPostingsAtOnce()
	}
	b.zipf = rand.NewZipf(b.rng, 1.1, 2, 400)
	b.view(b.dbs[0], func(ctx context.Context, x *tx) {
		var err error
		b.no, _, err = x.scopeNo(ctx, b.scope, false)
		b.ok(err)
	})
	return b
}

func (b *wordBed) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *wordBed) view(db *DB, fn func(ctx context.Context, x *tx)) {
	b.Helper()
	b.ok(db.view(context.Background(), func(x *tx) error {
		fn(context.Background(), x)
		return nil
	}))
}

// addLong adds turns of words, of which few are common and many rare, in one
// transaction.
func (b *wordBed) addLong(n int) {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		for range n {
			b.n++
			words := make([]string, 9)
			for i := range words {
				words[i] = fmt.Sprint("w", b.zipf.Uint64())
			}
			u, number, err := w.AppendTurn(ctx, strata.Turn{ID: fmt.Sprint("turn_", b.n), Scope: b.scope, Session: "s", Role: strata.RoleUser, Text: strings.Join(words, " ")})
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

// inMemory reports whether a transaction searched words in memory.
func (b *wordBed) inMemory(ctx context.Context, x *tx) bool {
	_, ok := x.lexical.Passing(ctx, b.no, store.Filter{}, nil)
	return ok
}

// filters are some of each kind.
func (b *wordBed) filters(ctx context.Context, x *tx) []store.Filter {
	parents, err := x.Parents(ctx, b.scope, strata.KindFact, nil)
	b.ok(err)
	now := time.Now()
	out := []store.Filter{
		{}, {Kinds: []strata.Kind{strata.KindTurn}}, {Types: []strata.Type{strata.TypeUser, strata.TypeProject}},
		{NotPrivate: true, System: true}, {Kinds: []strata.Kind{strata.KindSection}},
		{SessionKind: strata.SessionMain}, {SessionKind: strata.SessionGroup}, {AsOf: &now},
	}
	for _, p := range parents {
		out = append(out, store.Filter{Parent: p.Number})
	}
	return out
}

// compare compares what a handle finds in memory with what entries of terms find
// in the same transaction, and returns how often it was in memory.
func (b *wordBed) compare(db *DB, q *rand.Rand) (served int) {
	b.Helper()
	b.view(db, func(ctx context.Context, x *tx) {
		for _, f := range b.filters(ctx, x) {
			terms := indexTerms(strings.Join([]string{factWords[q.IntN(len(factWords))], factWords[q.IntN(len(factWords))]}, " "))
			for range q.IntN(5) {
				terms = append(terms, fmt.Sprint("w", q.IntN(420)), fmt.Sprint("w", q.IntN(5)))
			}
			for _, o := range []store.MatchOptions{{}, {Limit: 20}} {
				got, err := x.Match(ctx, b.scope, terms, f, o)
				b.ok(err)
				if f.AsOf == nil && b.inMemory(ctx, x) {
					served++
				}
				all := new(lexical.Index).Snapshot(lexicalSource{x}, true)
				query, err := all.Query(ctx, b.no, terms, f, o)
				b.ok(err)
				want, err := all.Entries(ctx, query)
				b.ok(err)
				if !reflect.DeepEqual(plainMatches(got), plainMatches(want)) {
					b.Fatalf("%q in %+v, %+v: got %+v, want %+v", terms, f, o, got, want)
				}
			}
		}
	})
	return served
}

func (b *wordBed) compareInAll() (served int) {
	b.Helper()
	seed := b.rng.Uint64()
	for _, db := range b.dbs {
		served += b.compare(db, rand.New(rand.NewPCG(seed, 9)))
	}
	return served
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

// What is found in memory is, after any changes by any process, what entries of
// terms find.
func TestMatch_InMemoryFindsTheSame(t *testing.T) {
	t.Parallel()
	for _, long := range []int{300, 2500} { // in the second, passages may be left out
		seed := rand.Uint64()
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			b := newWordBed(t, seed)
			b.addLong(long)
			served := 0
			for range 25 {
				for range b.rng.IntN(4) {
					b.change()
				}
				if b.rng.IntN(3) == 0 {
					b.addLong(1 + b.rng.IntN(9))
				}
				served += b.compareInAll()
			}
			if served < 200 {
				t.Errorf("only %d searches were answered in memory", served)
			}
		})
	}
}

// A writer is not served from memory: what it sees may never be committed.
func TestMatch_WritersFindTheirOwn(t *testing.T) {
	b := newWordBed(t, 4)
	b.compareInAll()
	b.update(func(ctx context.Context, w *tx) error {
		f := plainFact("fact_own", "a quetzal in the harbor")
		number, err := w.PutFact(ctx, f)
		if err != nil {
			return err
		}
		if err := w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: b.scope, Parent: "c", Type: f.Type, Text: f.Text}); err != nil {
			return err
		}
		m, err := w.Match(ctx, b.scope, []string{"quetzal"}, store.Filter{}, store.MatchOptions{})
		if len(m.Passages) != 1 || b.inMemory(ctx, w) {
			t.Errorf("a writer finds %d of its own passages, from memory %v", len(m.Passages), b.inMemory(ctx, w))
		}
		return err
	})
	b.compareInAll()
	b.ok(b.dbs[0].Compact(context.Background()))
	if n := b.dbs[0].lexical.Bytes(); n != 0 {
		t.Errorf("%d bytes are kept after a compaction", n)
	}
}

// The terms that package lexical counts in a passage are those that the index has.
func TestLexicalTermsAreThoseOfTheIndex(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.exec(ctx, `CREATE VIRTUAL TABLE temp.token USING fts5vocab(main, term_index, row)`)
		b.ok(err)
		want := make(map[string]bool)
		var all strings.Builder
		for _, r := range everyRune() {
			terms := store.Analyze(text.Analyze(fmt.Sprintf("a%cb %c", r, r)), nil).Terms
			if !passage.AreTerms(terms) {
				continue // read from the index
			}
			for term := range passage.Terms(terms) {
				want[lexical.Fold(term)] = true
			}
			all.WriteString(terms + " ")
		}
		_, err = x.exec(ctx, `INSERT INTO term_index (rowid, terms) VALUES (1, ?)`, all.String())
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

// open returns a new handle that reads scopes in the background, or from blocks,
// which hold few passages.
func (b *wordBed) open(opts *Options) *DB {
	b.Helper()
	db, err := Open(context.Background(), b.dbs[0].file.Path, opts)
	b.ok(err)
	b.Cleanup(func() { db.Close() })
	db.KeepPostingsAtOnce()
	db.lexical.Limits = lexical.Limits{Background: 1, Stale: 12, Anew: 40}
	db.blockPassages = 20
	return db
}

// asks asks a handle some questions, and returns which were answered in memory.
// What they begin in the background has ended.
func (b *wordBed) asks(db *DB, n int) (served []bool) {
	b.Helper()
	for range n {
		b.view(db, func(ctx context.Context, x *tx) {
			_, err := x.Match(ctx, b.scope, []string{"w0"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
			served = append(served, b.inMemory(ctx, x))
		})
		db.background.Wait()
	}
	return served
}

// blocks are those that are stored.
func (b *wordBed) blocks() (list []lexical.Block) {
	b.Helper()
	b.view(b.dbs[0], func(ctx context.Context, x *tx) {
		var err error
		list, err = lexicalSource{x}.Blocks(ctx, b.no)
		b.ok(err)
	})
	return list
}

// wrongBlocks is how many doctor finds.
func (b *wordBed) wrongBlocks() (n int) {
	b.Helper()
	b.view(b.dbs[0], func(ctx context.Context, x *tx) {
		problems, err := x.checkPassageBlocks(ctx)
		b.ok(err)
		n = len(problems)
	})
	return n
}

// packed has the scope packed, so that the next process reads blocks.
func (b *wordBed) packed() {
	b.Helper()
	b.asks(b.open(nil), 4)
	if served := b.asks(b.open(nil), 1); !served[0] || len(b.blocks()) == 0 || b.wrongBlocks() > 0 {
		b.Fatalf("%d blocks, %d of them wrong, a first question in memory %v", len(b.blocks()), b.wrongBlocks(), served)
	}
}

// Whatever changed since blocks were written, by any process: what is read from
// them finds what entries of terms find.
func TestBlocks_FindTheSame(t *testing.T) {
	seed := rand.Uint64()
	t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
		b := newWordBed(t, seed)
		b.addLong(200)
		served := 0
		for range 25 {
			switch b.rng.IntN(5) {
			case 0:
				b.addLong(1 + b.rng.IntN(30))
			case 1:
				b.ok(b.dbs[b.rng.IntN(2)].Compact(context.Background()))
			default:
				for range b.rng.IntN(3) {
					b.change()
				}
			}
			db := b.open(nil)
			b.asks(db, 4)
			served += b.compare(db, b.rng)
			if n := b.wrongBlocks(); n > 0 {
				t.Fatalf("%d blocks are wrong", n)
			}
			b.ok(db.Close())
		}
		if served < 200 {
			t.Errorf("only %d searches were answered in memory", served)
		}
	})
}

// Two processes that pack at once while a third saves leave what is right.
func TestBlocks_SeveralPackAtOnce(t *testing.T) {
	b := newWordBed(t, 31)
	b.addLong(1000)
	done := make(chan error, 2)
	for range 2 {
		db := b.open(nil)
		go func() { done <- lexicalHost{db}.Pack(context.Background(), b.no, lexical.Packing{Wanted: true}) }()
	}
	for range 30 {
		b.addLong(3)
		b.change()
	}
	for range 2 {
		b.ok(<-done)
	}
	if len(b.blocks()) == 0 || b.wrongBlocks() > 0 {
		t.Fatalf("%d blocks, %d of them wrong", len(b.blocks()), b.wrongBlocks())
	}
}

// Doctor names a block that is not what its passages are, and it is made anew.
func TestBlocks_DoctorFindsDamage(t *testing.T) {
	for name, statement := range map[string]string{
		"another byte":        `UPDATE passage_block SET passages = CAST(substr(passages, 1, 14) || x'07' || substr(passages, 16) AS BLOB) WHERE low = (SELECT low FROM passage_block LIMIT 1 OFFSET 2)`,
		"other words":         `UPDATE passage SET words = words + 1 WHERE number = (SELECT low + 3 FROM passage_block LIMIT 1 OFFSET 2)`,
		"gone without record": `DELETE FROM passage WHERE number = (SELECT low + 3 FROM passage_block LIMIT 1 OFFSET 2)`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newWordBed(t, 41)
			b.packed()
			b.update(func(ctx context.Context, w *tx) error { _, err := w.exec(ctx, statement); return err })
			problems, err := b.dbs[0].Check(context.Background(), nil)
			b.ok(err)
			if !slices.ContainsFunc(problems, func(p store.Problem) bool { return p.Kind == "wrong_block" && p.Repair == check.RepairIndex }) {
				t.Errorf("doctor finds %+v", problems)
			}
			if name == "another byte" {
				b.packed()
			}
		})
	}
}

// Compaction, which ends a forget, leaves no block that says anything of what is
// gone, and all others; an index that is dropped takes its blocks along.
func TestBlocks_GoWithWhatIsRemoved(t *testing.T) {
	b := newWordBed(t, 53)
	b.addLong(100) // behind the facts
	b.packed()
	before := b.blocks()
	var number int64
	b.update(func(ctx context.Context, w *tx) error {
		f := b.some(ctx, w, 1)[0]
		if err := w.queryRow(ctx, `SELECT number FROM fact WHERE scope_no = ? AND id = ?`, b.no, f.ID).Scan(&number); err != nil {
			return err
		}
		_, err := w.Forget(ctx, b.scope, f.ID, nil)
		return err
	})
	b.ok(b.dbs[0].Compact(context.Background()))
	want := slices.DeleteFunc(slices.Clone(before), func(p lexical.Block) bool { return p.Low <= number && number <= p.High })
	same(t, "blocks", b.blocks(), want)
	if len(want) != len(before)-1 {
		t.Fatalf("%d of %d blocks hold the fact", len(before)-len(want), len(before))
	}
	b.asks(b.open(nil), 4)
	b.packed()
	if got := b.blocks(); len(got) != len(before) {
		t.Errorf("%d blocks of %d", len(got), len(before))
	}
	b.update(func(ctx context.Context, w *tx) error { return w.DropIndex(ctx, b.scope) })
	if n := len(b.blocks()); n > 0 {
		t.Errorf("%d blocks are left", n)
	}
}

// A handle that only reads is served from blocks, and writes none.
func TestBlocks_ReadersWriteNothing(t *testing.T) {
	b := newWordBed(t, 61)
	b.addLong(500)
	ask := func() {
		if served := b.asks(b.open(&Options{ReadOnly: true}), 4); !served[3] {
			t.Errorf("in memory: %v", served)
		}
	}
	ask()
	if n := len(b.blocks()); n > 0 {
		t.Errorf("%d blocks were written", n)
	}
	b.packed()
	before := b.blocks()
	ask()
	same(t, "blocks", b.blocks(), before)
}

// Closing ends the writing of blocks, and what was written serves.
func TestBlocks_ClosingEndsTheWriting(t *testing.T) {
	b := newWordBed(t, 67)
	b.addLong(3000)
	db := b.open(nil)
	db.blockPassages = 1
	for range 3 {
		b.view(db, func(ctx context.Context, x *tx) {
			_, err := x.Match(ctx, b.scope, []string{"w0"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
		})
	}
	for end := time.Now().Add(time.Minute); len(b.blocks()) == 0; {
		if time.Now().After(end) {
			t.Fatal("no block is written")
		}
	}
	b.ok(db.Close())
	if n := len(b.blocks()); n == 0 || n >= 3000 || b.wrongBlocks() > 0 {
		t.Errorf("%d blocks were written, %d of them wrong", n, b.wrongBlocks())
	}
}
