package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// plainPassage is a passage as a plain scan of texts knows it.
type plainPassage struct {
	scope    strata.Scope
	kind     strata.Kind
	id       string
	fact     strata.Fact
	turn     strata.Turn
	text     string
	recorded time.Time
	retired  time.Time // zero while current
}

// passes reports whether a passage passes a filter.
func (p plainPassage) passes(f store.Filter) bool {
	if len(f.Kinds) > 0 && !slices.Contains(f.Kinds, p.kind) {
		return false
	}
	if f.AsOf == nil {
		return p.retired.IsZero()
	}
	return !p.recorded.After(*f.AsOf) && (p.retired.IsZero() || p.retired.After(*f.AsOf))
}

// plainStore is what a store must answer as, and the store.
type plainStore struct {
	*rapid.T
	db       *DB
	path     string
	begin    time.Time
	asked    atomic.Int64 // milliseconds on the clock since; several goroutines look at it
	cut      int64
	ids      int
	passages map[int64]plainPassage
}

var plainScopes = []strata.Scope{strata.Global(), strata.InWorkspace("a"), strata.InWorkspace("b")}

func (s *plainStore) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *plainStore) now() time.Time {
	return s.begin.Add(time.Duration(s.asked.Load()) * time.Millisecond)
}

func (s *plainStore) open() {
	db, err := Open(context.Background(), s.path, &Options{Now: func() time.Time {
		s.asked.Add(1)
		return s.now()
	}})
	s.ok(err)
	db.MergePendingFrom(s.cut)
	s.db = db
}

func (s *plainStore) anyText() string {
	part := rapid.SampledFrom([]string{"ab", "ba", "aab", "b ", "ÄB", "猫の", "\x00", `"`, "%"})
	return "x" + strings.Join(rapid.SliceOfN(part, 0, 9).Draw(s.T, "text"), "")
}

// save saves facts or turns of a scope.
func (s *plainStore) save(ctx context.Context, w *tx) {
	scope := rapid.SampledFrom(plainScopes).Draw(s.T, "scope")
	turns := rapid.Bool().Draw(s.T, "turns")
	if turns {
		s.ok(w.OpenSession(ctx, strata.Session{ID: "s", Scope: scope}))
	}
	for range rapid.IntRange(1, 9).Draw(s.T, "passages") {
		s.ids++
		p := plainPassage{scope: scope, kind: strata.KindFact, id: fmt.Sprint("id_", s.ids), text: s.anyText(), recorded: w.Now()}
		stored := strings.ReplaceAll(p.text, "\x00", "") // the authority takes no NUL
		var number int64
		var err error
		if turns {
			p.kind = strata.KindTurn
			p.turn, number, err = w.AppendTurn(ctx, strata.Turn{ID: p.id, Scope: scope, Session: "s", Role: strata.RoleUser, Text: stored})
		} else {
			p.fact = plainFact(p.id, stored)
			p.fact.Scope, p.fact.Category, p.fact.RecordedAt = scope, "c", w.Now()
			number, err = w.PutFact(ctx, p.fact)
		}
		s.ok(err)
		s.passages[number] = p
		s.index(ctx, w, number)
	}
}

// index puts a passage, as it is known, into the index.
func (s *plainStore) index(ctx context.Context, w *tx, number int64) {
	p := s.passages[number]
	var q store.Passage
	if p.kind == strata.KindTurn {
		q = turnPassage(number, p.turn, nil)
	} else {
		q = passageOf(number, p.fact, nil)
	}
	q.Text, q.RecordedAt = p.text, p.recorded
	if !p.retired.IsZero() {
		q.RetiredAt = &p.retired
	}
	s.ok(w.PutPassage(ctx, q))
}

// some is a passage of those there are; 0 where there is none.
func (s *plainStore) some(passes func(plainPassage) bool) int64 {
	var list []int64
	for n, p := range s.passages {
		if passes(p) {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return rapid.SampledFrom(list).Draw(s.T, "passage")
}

// change does one thing to a store.
func (s *plainStore) change(ctx context.Context, w *tx) {
	isFact := func(p plainPassage) bool { return p.kind == strata.KindFact }
	switch rapid.SampledFrom([]string{"save", "save", "save", "retire", "remove", "supersede", "again", "rebuild"}).Draw(s.T, "do") {
	case "save":
		s.save(ctx, w)
	case "retire":
		n := s.some(func(p plainPassage) bool { return isFact(p) && p.retired.IsZero() })
		if p, ok := s.passages[n]; ok {
			s.ok(w.RetireFact(ctx, p.scope, p.id, 1, ""))
			p.retired = w.Now()
			s.passages[n] = p
		}
	case "remove", "supersede":
		n := s.some(isFact)
		if p, ok := s.passages[n]; ok {
			remove := w.removePassage
			if rapid.Bool().Draw(s.T, "supersede") {
				remove = w.supersedePassage
			}
			s.ok(remove(ctx, n))
			_, err := w.exec(ctx, `DELETE FROM fact WHERE scope_no = ? AND id = ?`, passage.Scope(n), p.id)
			s.ok(err)
			delete(s.passages, n)
		}
	case "again":
		n := s.some(func(plainPassage) bool { return true })
		if p, ok := s.passages[n]; ok {
			p.text = s.anyText()
			s.passages[n] = p
			s.index(ctx, w, n)
		}
	case "rebuild":
		scope := rapid.SampledFrom(plainScopes).Draw(s.T, "scope")
		s.ok(w.DropIndex(ctx, scope))
		var list []int64
		for n, p := range s.passages {
			if p.scope == scope {
				list = append(list, n)
			}
		}
		slices.Sort(list)
		if rapid.Bool().Draw(s.T, "newest first") {
			slices.Reverse(list)
		}
		for _, n := range list {
			s.index(ctx, w, n)
		}
	}
}

// ask compares an answer with a plain scan.
func (s *plainStore) ask(ctx context.Context, r *tx) {
	scope := rapid.SampledFrom(plainScopes).Draw(s.T, "scope asked")
	f := store.Filter{Kinds: rapid.SampledFrom([][]strata.Kind{nil, {strata.KindFact}, {strata.KindTurn}}).Draw(s.T, "kinds")}
	if back := rapid.IntRange(0, 5).Draw(s.T, "back"); back > 0 {
		asOf := s.now().Add(-time.Duration(back) * time.Millisecond)
		f.AsOf = &asOf
	}
	part := rapid.SampledFrom([]string{"aba", "xab", "baa", "bab a", "äb", "äbä", "猫の猫", "xb ", "ab\x00", `b"`, `"%`, "aabaabaab"}).Draw(s.T, "part")
	limit := rapid.SampledFrom([]int{0, 1, 3, 100}).Draw(s.T, "limit")
	got, err := r.MatchSubstring(ctx, scope, part, f, limit)
	s.ok(err)
	var want []int64
	for n, p := range s.passages {
		if p.scope == scope && p.passes(f) && utf8.RuneCountInString(trigramText(part)) >= trigramRunes && strings.Contains(trigramText(p.text), trigramText(part)) {
			want = append(want, n)
		}
	}
	slices.Sort(want)
	slices.Reverse(want)
	want = want[:min(limit, len(want))]
	if !slices.Equal(found(got), want) {
		s.Fatalf("%q in %s, %+v, limit %d: got %v, want %v", part, scope, f, limit, found(got), want)
	}
}

// Whatever texts wait and whatever were cut, a search for a part of them finds
// what a plain scan of all texts finds, newest first.
func TestMatchSubstring_FindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	undone := errors.New("undone")
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "pending")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s := &plainStore{T: rt, path: filepath.Join(dir, "strata.db"), begin: time.UnixMilli(1_000_000), passages: make(map[int64]plainPassage)}
		s.cut = rapid.SampledFrom([]int64{1, 4, 20, pendingTexts}).Draw(rt, "cut from")
		s.open()
		defer func() { s.db.Close() }()
		ctx := context.Background()
		for range rapid.IntRange(1, 25).Draw(rt, "transactions") {
			before := make(map[int64]plainPassage)
			for n, p := range s.passages {
				before[n] = p
			}
			undo := rapid.IntRange(0, 4).Draw(rt, "undo") == 0
			err := s.db.Update(ctx, func(w store.Writer) error {
				for range rapid.IntRange(1, 5).Draw(rt, "changes") {
					s.change(ctx, w.(*tx))
					if rapid.IntRange(0, 3).Draw(rt, "look") == 0 {
						s.ask(ctx, w.(*tx))
					}
				}
				if undo {
					return undone
				}
				return nil
			})
			if undo && errors.Is(err, undone) {
				s.passages, err = before, nil
			}
			s.ok(err)
			s.ok(s.db.View(ctx, func(r store.Reader) error {
				for range 4 {
					s.ask(ctx, r.(*tx))
				}
				return nil
			}))
			if rapid.IntRange(0, 9).Draw(rt, "reopen") == 0 {
				s.ok(s.db.Close())
				s.open()
			}
		}
		problems, err := s.db.Check(ctx, nil)
		if err != nil || len(problems) > 0 {
			rt.Fatalf("check found %+v, %v", problems, err)
		}
	})
}

// A search gives up on what has the groups of three characters in other words, the
// newest first, and never on pending texts.
func TestMatchSubstring_LooksAtABoundedNumberOfTexts(t *testing.T) {
	b := newBed(t)
	b.save(strata.Global(), "c", "a handrail", nil)
	finds := func(n int) {
		t.Helper()
		b.view(func(ctx context.Context, x *tx) {
			got, err := x.MatchSubstring(ctx, strata.Global(), "handr", store.Filter{}, 5)
			if b.ok(err); len(got) != n {
				t.Errorf("found %d passages, want %d", len(got), n)
			}
		})
	}
	others := func(n int) {
		b.update(func(ctx context.Context, x *tx) {
			for i := range n {
				b.put(ctx, x, strata.Global(), "c", fmt.Sprint("andrew has a hand ", i), nil)
			}
		})
	}
	b.db.MergePendingFrom(1)
	others(store.SubstringTexts - 1)
	finds(1)
	others(1)
	finds(0)
	b.db.MergePendingFrom(pendingTexts)
	b.save(strata.Global(), "c", "another handrail", nil)
	finds(1)
}

// stored counts the texts of a scope that wait and those that were cut.
func (b *bed) stored(scopeNo int64) (wait, cut int) {
	b.Helper()
	b.view(func(ctx context.Context, x *tx) {
		b.ok(x.queryRow(ctx, `
			SELECT (SELECT count(*) FROM pending WHERE number >> 40 = ?1), (SELECT count(*) FROM trigram_index_content WHERE id >> 40 = ?1)`,
			scopeNo).Scan(&wait, &cut))
	})
	return wait, cut
}

// Few texts of a scope wait, whatever there is of others; many are cut together.
func TestPending_WaitsUntilAScopeHasMany(t *testing.T) {
	b := newBed(t)
	list := samples(t, 1, 4*pendingTexts)
	for i := range list {
		list[i].vector = nil
	}
	scopes := []strata.Scope{strata.Global(), strata.InWorkspace("w")}
	check := func(when string, no int64, wait, cut int) {
		t.Helper()
		if w, c := b.stored(no); w != wait || c != cut {
			t.Errorf("%s %d texts wait and %d were cut, want %d and %d", when, w, c, wait, cut)
		}
	}
	b.fill(scopes[0], list[:pendingTexts-1])
	b.fill(scopes[1], list[:5])
	check("one before many", 1, pendingTexts-1, 0)
	b.save(scopes[0], "c", "one more", nil)
	check("with one more", 1, 0, pendingTexts)
	check("in the other scope", 2, 5, 0)
	b.fill(scopes[0], list[:10])
	check("with ten more", 1, 10, pendingTexts)
	b.update(func(ctx context.Context, x *tx) {
		for i := range 2 * pendingTexts { // a batch over both
			b.put(ctx, x, scopes[i%2], "c", list[i].text, nil)
		}
	})
	check("after a batch", 1, 0, 2*pendingTexts+10)
	check("after a batch, in the other scope,", 2, 0, pendingTexts+5)
	b.sound()
}

// Long texts wait only until they are so many bytes as a search reads in a moment.
func TestPending_IsBoundedInBytes(t *testing.T) {
	b := newBed(t)
	long := strings.Repeat("a word ", pendingBytes/4/7)
	for i, want := range []int{1, 2, 3, 0, 1} {
		b.save(strata.Global(), "c", fmt.Sprint(long, i), nil)
		if wait, _ := b.stored(1); wait != want {
			t.Errorf("after %d long texts %d wait, want %d", i+1, wait, want)
		}
	}
	b.sound()
}
