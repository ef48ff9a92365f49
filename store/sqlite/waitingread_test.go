package sqlite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// largeScope is a bed with a scope in which common words may be deferred. The
// same seed makes the same.
type largeScope struct {
	*bed
	rng  *rand.Rand
	zipf *rand.Zipf
}

func newLargeScope(t *testing.T, seed uint64, cut int64) *largeScope {
	s := &largeScope{bed: newBed(t), rng: rand.New(rand.NewPCG(seed, 4))}
	s.zipf = rand.NewZipf(s.rng, 1.1, 2, 400)
	s.db.MergePendingFrom(cut)
	s.db.postings.limits.asked = math.MaxInt64
	s.more(deferFrom + 150)
	return s
}

func (s *largeScope) terms(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint("w", s.zipf.Uint64())
	}
	return out
}

func (s *largeScope) more(n int) {
	s.update(func(ctx context.Context, x *tx) {
		for range n {
			s.put(ctx, x, strata.Global(), "c", strings.Join(s.terms(8), " "), nil)
		}
	})
}

// change adds some facts, and retires and forgets one of those that are there.
func (s *largeScope) change() {
	s.more(1 + s.rng.IntN(40))
	s.update(func(ctx context.Context, x *tx) {
		id := func() string { return fmt.Sprintf("fact_%026d", s.facts-s.rng.IntN(60)) }
		if err := x.RetireFact(ctx, strata.Global(), id(), 1, ""); err != nil && strata.CodeOf(err) != strata.CodeNotFound && strata.CodeOf(err) != strata.CodeConflict {
			s.ok(err)
		}
		if _, err := x.Forget(ctx, strata.Global(), id()); err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			s.ok(err)
		}
	})
}

// In a large scope the lists of words have what waits, those read for one
// question and those kept in memory.
func TestWaiting_InALargeScope(t *testing.T) {
	seed := rand.Uint64()
	t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
		waits, indexed := newLargeScope(t, seed, pendingTexts), newLargeScope(t, seed, 1)
		questions := rand.New(rand.NewPCG(seed, 5))
		several := 0
		for step := range 20 {
			if step == 10 {
				waits.db.KeepPostingsAtOnce()
				indexed.db.KeepPostingsAtOnce()
			}
			waits.change()
			indexed.change()
			if n, _ := waits.stored(1); n > 1 {
				several++
			}
			for _, f := range []store.Filter{{}, {Enough: 150}, {Enough: 20, Contenders: 10, Most: 5}} {
				terms := []string{fmt.Sprint("w", questions.IntN(4)), fmt.Sprint("w", questions.IntN(40)), fmt.Sprint("w", questions.IntN(400))}
				got, want := waits.match(strata.Global(), f, terms...), indexed.match(strata.Global(), f, terms...)
				if !reflect.DeepEqual(plainMatches(got), plainMatches(want)) {
					t.Fatalf("step %d, %q in %+v: got %+v, want %+v", step, terms, f, got, want)
				}
			}
		}
		if several < 5 {
			t.Errorf("words waited %d times only", several)
		}
	})
}

// kept is what a database keeps of the words of a scope that wait, after a reader
// has asked for it.
func (b *bed) keptWaiting(scope strata.Scope) (s *waitingTerms) {
	b.Helper()
	b.view(func(ctx context.Context, x *tx) {
		no, _, err := x.scopeNo(ctx, scope, false)
		b.ok(err)
		s, err = x.waitingTerms(ctx, no)
		b.ok(err)
	})
	return s
}

func sameCount(t *testing.T, what string, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %d, want %d", what, got, want)
	}
}

// What waits is read once; then what is new is added, until it is cut.
func TestWaiting_AddsWhatIsNew(t *testing.T) {
	b := newBed(t)
	global := strata.Global()
	for i := range 5 {
		b.save(global, "c", fmt.Sprint("cat number ", i), nil)
	}
	first := b.keptWaiting(global)
	if again := b.keptWaiting(global); again != first {
		t.Error("what did not change is read again")
	}
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.Forget(ctx, global, "fact_00000000000000000000000002")
		b.ok(err)
	})
	b.save(global, "c", "cat and cat", nil)
	next := b.keptWaiting(global)
	if unsafe.StringData(next.rows[0].terms) != unsafe.StringData(first.rows[0].terms) {
		t.Error("all is read again after two changes")
	}
	sameCount(t, "before", len(first.entries("cat")), 5)
	sameCount(t, "after", len(next.entries("cat")), 5)
	sameCount(t, "of one that is new", int(next.entries("cat")[4].count()), 2)
	b.update(func(ctx context.Context, x *tx) {
		for i := range 2 * maxWaitingNews {
			b.put(ctx, x, global, "c", fmt.Sprint("dog number ", i), nil)
		}
	})
	if all := b.keptWaiting(global); unsafe.StringData(all.rows[0].terms) == unsafe.StringData(first.rows[0].terms) || len(all.rows) != 5+2*maxWaitingNews {
		t.Errorf("after many changes %d rows are kept, not read anew", len(all.rows))
	}
	b.db.MergePendingFrom(1)
	b.save(global, "c", "the last cat", nil)
	if b.keptWaiting(global) != nothingWaits {
		t.Error("what was cut waits")
	}
	b.ok(b.db.Compact(context.Background()))
	if len(b.db.waiting.scopes) > 0 {
		t.Error("words are kept after compaction")
	}
}

// A set that was read before a cut is not taken for what waits after it.
func TestWaiting_SeesThatTextsWereCut(t *testing.T) {
	b := newBed(t)
	global := strata.Global()
	for i := range 5 {
		b.save(global, "c", fmt.Sprint("cat number ", i), nil)
	}
	b.keptWaiting(global)
	b.db.MergePendingFrom(1)
	b.save(global, "c", "cat number five", nil)
	b.db.MergePendingFrom(pendingTexts)
	b.save(global, "c", "cat number six", nil)
	sameCount(t, "entries that wait", len(b.keptWaiting(global).entries("cat")), 1)
	if m := b.match(global, store.Filter{}, "cat"); len(m.Passages) != 7 || len(m.Terms[0]) != 7 {
		t.Errorf("found %+v, want 7 cats, each once", m)
	}
}

// Of many scopes the words of some are kept.
func TestWaiting_KeepsSomeScopes(t *testing.T) {
	b := newBed(t)
	for i := range maxWaitingScopes + 5 {
		scope := strata.InWorkspace(fmt.Sprint("w", i))
		b.save(scope, "c", "a cat", nil)
		sameCount(t, "entries", len(b.keptWaiting(scope).entries("cat")), 1)
	}
	sameCount(t, "scopes", len(b.db.waiting.scopes), maxWaitingScopes)
	last := strata.InWorkspace(fmt.Sprint("w", maxWaitingScopes+4))
	if before := b.keptWaiting(last); before != b.keptWaiting(last) {
		t.Error("the scope that was used last is not kept")
	}
}

// before0016 makes the schema what it was before that step.
const before0016 = before0017 + `
	INSERT INTO word (word, rank) VALUES ('usermerge', 4);
	INSERT INTO piece (piece, rank) VALUES ('usermerge', 4);
	DROP INDEX passage_place;
	CREATE INDEX passage_place ON passage (parent, seq);
	CREATE TABLE diary (
		scope_no INTEGER NOT NULL REFERENCES scope (no),
		change   INTEGER NOT NULL,
		kind     TEXT NOT NULL,
		ref      TEXT NOT NULL,
		detail   TEXT NOT NULL,
		at       INTEGER NOT NULL,
		PRIMARY KEY (scope_no, change)
	) STRICT, WITHOUT ROWID;
	INSERT INTO diary SELECT scope_no, number & (1 << 40) - 1, kind, ref, detail, at FROM event;
	DROP TABLE event;
	ALTER TABLE diary RENAME TO event;
	DELETE FROM schema_migration WHERE version >= 16;`

// before0015 makes the schema what it was before that step: the words of what
// waits are in the index of words.
const before0015 = before0016 + `
	INSERT INTO word (rowid, terms) SELECT number, terms FROM uncut WHERE terms IS NOT NULL ORDER BY number;
	ALTER TABLE uncut DROP COLUMN terms;
	DELETE FROM schema_migration WHERE version >= 15`

// In a home from before, words of texts that wait are where they were, until the
// texts are merged together with those that came since.
func TestMigrate_LeavesWordsWhereTheyAre(t *testing.T) {
	b := newBed(t)
	global := strata.Global()
	for i := range 5 {
		b.save(global, "c", fmt.Sprint("cat number ", i), nil)
	}
	_, err := b.db.writing.ExecContext(context.Background(), before0015)
	b.ok(err)
	b.ok(b.db.Close())
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	t.Cleanup(func() { db.Close() })
	db.KeepNoSmallScopes()
	b.db = db
	check := func(when string, cats, wait, words int) {
		t.Helper()
		m := b.match(global, store.Filter{}, "cat")
		sameCount(t, "cats "+when, len(m.Terms[0]), cats)
		sameCount(t, "words that wait "+when, len(b.keptWaiting(global).entries("cat")), wait)
		b.view(func(ctx context.Context, x *tx) {
			n, err := x.lookIntegers(ctx, 1, `SELECT count(*) FROM word_content`)
			b.ok(err)
			sameCount(t, "words in the index "+when, int(n[0]), words)
			found, err := x.MatchSubstring(ctx, global, "cat num", store.Filter{}, 100)
			b.ok(err)
			sameCount(t, "parts "+when, len(found), cats)
		})
		b.sound()
	}
	check("as it was opened", 5, 0, 5)
	b.save(global, "c", "cat number five", nil)
	check("with another", 6, 1, 5)
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.Forget(ctx, global, "fact_00000000000000000000000002")
		b.ok(err)
	})
	check("without one from before", 5, 1, 4)
	b.db.MergePendingFrom(1)
	b.save(global, "c", "cat number six", nil)
	check("after all were merged", 6, 0, 6)
}

func TestAreTerms(t *testing.T) {
	for s, want := range map[string]bool{"": true, "cat": true, "cat 会議 v2\uE0004": true, "カ‿ ‿キ": false, "cat ☃": false, "a \u0301": false} {
		if got := areTerms(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

// A save writes words at once only where the index parts one of them.
func TestWaiting_WordsAreWrittenTogether(t *testing.T) {
	b := newBed(t)
	for i, c := range []struct {
		text  string
		words int64
	}{{"a cat", 0}, {"?!", 0}, {"カ‿キ", 1}, {"a dog", 1}} {
		b.save(strata.Global(), "c", c.text, nil)
		b.view(func(ctx context.Context, x *tx) {
			n, err := x.lookIntegers(ctx, 2, `SELECT (SELECT count(*) FROM word_content), (SELECT count(*) FROM pending WHERE terms IS NULL)`)
			b.ok(err)
			if n[0] != c.words || n[1] != c.words {
				t.Errorf("after %d saves the index has words of %d passages, and %d wait without, want %d", i+1, n[0], n[1], c.words)
			}
		})
	}
	b.db.MergePendingFrom(1)
	b.save(strata.Global(), "c", "the end", nil)
	b.sound()
}
