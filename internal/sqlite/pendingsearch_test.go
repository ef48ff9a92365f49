package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// pendingBed are two stores of the same content: one where words wait, with two
// handles, and one where every text is indexed at once.
type pendingBed struct {
	*rapid.T
	dbs   []*DB // the last one is that where nothing waits
	now   time.Time
	ids   int
	there map[int64]pendingText
}

// pendingText is a passage that is there.
type pendingText struct {
	scope   strata.Scope
	kind    strata.Kind
	id      string
	text    string
	session string
	seq     int64
	retired *time.Time
}

// pendingWords are words of some kinds: with a letter that the index folds, of
// scripts without spaces, with characters that part them in the index.
var pendingWords = []string{"cat", "cats", "category", "dog", "Λόγος", "λόγο", "λόγοσ", "会議", "会議室", "v2.4", "a_b", "カ‿キ", "☃", "the", "e-mail", "naïve"}

func newPendingBed(rt *rapid.T, dir string) *pendingBed {
	b := &pendingBed{T: rt, now: time.UnixMilli(1_000_000), there: make(map[int64]pendingText)}
	cut := rapid.SampledFrom([]int64{3, 10, pendingTexts}).Draw(rt, "cut from")
	for i, name := range []string{"waits", "waits", "indexed"} {
		db, err := Open(context.Background(), filepath.Join(dir, name), &Options{Now: func() time.Time { return b.now }})
		b.ok(err)
		db.MergePendingFrom([]int64{cut, cut, 1}[i])
		if i == 1 && rapid.Bool().Draw(rt, "postings") {
			db.KeepPostingsAtOnce()
		}
		b.dbs = append(b.dbs, db)
	}
	return b
}

func (b *pendingBed) close() {
	for _, db := range b.dbs {
		db.Close()
	}
}

func (b *pendingBed) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *pendingBed) anyText() string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pendingWords), 0, 7).Draw(b.T, "words"), " ")
}

// pair are the same transaction of both stores.
type pair [2]*tx

// put indexes a passage in both.
func (b *pendingBed) put(ctx context.Context, p pair, number int64) {
	q := b.there[number]
	for _, x := range p {
		b.ok(x.PutPassage(ctx, store.Passage{Number: number, Kind: q.kind, Ref: q.id, Scope: q.scope, Parent: q.session,
			Seq: q.seq, Text: q.text, Said: "x " + q.id, Type: typeOfKind(q.kind), RecordedAt: b.now, RetiredAt: q.retired}))
	}
}

func typeOfKind(k strata.Kind) strata.Type {
	if k == strata.KindFact {
		return strata.TypeProject
	}
	return ""
}

// save saves some facts or turns of a scope.
func (b *pendingBed) save(ctx context.Context, p pair) {
	scope := rapid.SampledFrom(plainScopes).Draw(b.T, "scope")
	turns := rapid.Bool().Draw(b.T, "turns")
	session := rapid.SampledFrom([]string{"main", "group"}).Draw(b.T, "session")
	for range rapid.IntRange(1, 6).Draw(b.T, "passages") {
		b.ids++
		q := pendingText{scope: scope, kind: strata.KindFact, id: fmt.Sprint("id_", b.ids), text: b.anyText(), session: "c"}
		var numbers [2]int64
		for i, x := range p {
			var err error
			if turns {
				q.kind, q.session = strata.KindTurn, session
				b.ok(x.OpenSession(ctx, strata.Session{ID: session, Scope: scope, Kind: strata.SessionKind(session)}))
				var u strata.Turn
				u, numbers[i], err = x.AppendTurn(ctx, strata.Turn{ID: q.id, Scope: scope, Session: session, Role: strata.RoleUser, Text: "x"})
				q.seq = u.Seq
			} else {
				f := plainFact(q.id, "x "+q.id)
				f.Scope, f.Category, f.RecordedAt = scope, "c", b.now
				numbers[i], err = x.PutFact(ctx, f)
			}
			b.ok(err)
		}
		if numbers[0] != numbers[1] {
			b.Fatalf("numbers %v differ", numbers)
		}
		b.there[numbers[0]] = q
		b.put(ctx, p, numbers[0])
	}
}

// some is a passage of those that are there; 0 where there is none.
func (b *pendingBed) some(passes func(pendingText) bool) int64 {
	var list []int64
	for n, q := range b.there {
		if passes(q) {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return rapid.SampledFrom(list).Draw(b.T, "passage")
}

// change does one thing to both stores.
func (b *pendingBed) change(ctx context.Context, p pair) {
	isFact := func(q pendingText) bool { return q.kind == strata.KindFact }
	do := rapid.SampledFrom([]string{"save", "save", "save", "retire", "remove", "supersede", "again", "rebuild"}).Draw(b.T, "do")
	switch do {
	case "save":
		b.save(ctx, p)
	case "retire":
		n := b.some(func(q pendingText) bool { return isFact(q) && q.retired == nil })
		if q, ok := b.there[n]; ok {
			at := b.now
			q.retired = &at
			for _, x := range p {
				b.ok(x.RetireFact(ctx, q.scope, q.id, 1, ""))
			}
			b.there[n] = q
		}
	case "remove", "supersede":
		n := b.some(isFact)
		if q, ok := b.there[n]; ok {
			for _, x := range p {
				if do == "remove" {
					b.ok(x.removePassage(ctx, n))
				} else {
					b.ok(x.supersedePassage(ctx, n))
				}
				_, err := x.exec(ctx, `DELETE FROM fact WHERE scope_no = ? AND id = ?`, passage.Scope(n), q.id)
				b.ok(err)
			}
			delete(b.there, n)
		}
	case "again":
		n := b.some(func(pendingText) bool { return true })
		if q, ok := b.there[n]; ok {
			q.text = b.anyText()
			b.there[n] = q
			b.put(ctx, p, n)
		}
	case "rebuild":
		scope := rapid.SampledFrom(plainScopes).Draw(b.T, "scope")
		for _, x := range p {
			b.ok(x.DropIndex(ctx, scope))
		}
		for _, n := range slices.Sorted(maps.Keys(b.there)) {
			if b.there[n].scope == scope {
				b.put(ctx, p, n)
			}
		}
	}
}

// pendingQuestion is what both are asked.
type pendingQuestion struct {
	scope  strata.Scope
	filter store.Filter
	terms  []string
	prefix bool
	limit  int
	part   string
}

func (b *pendingBed) question() pendingQuestion {
	q := pendingQuestion{
		scope: rapid.SampledFrom(plainScopes).Draw(b.T, "scope asked"),
		filter: store.Filter{
			Kinds:       rapid.SampledFrom([][]strata.Kind{nil, {strata.KindFact}, {strata.KindTurn}}).Draw(b.T, "kinds"),
			SessionKind: rapid.SampledFrom([]strata.SessionKind{"", strata.SessionMain, strata.SessionGroup}).Draw(b.T, "session kind"),
		},
		prefix: rapid.Bool().Draw(b.T, "prefix"),
		limit:  rapid.SampledFrom([]int{0, 1, 3, 100}).Draw(b.T, "limit"),
		part:   rapid.SampledFrom([]string{"cat", "λόγος", "会議室", "e-m", "x c"}).Draw(b.T, "part"),
	}
	if back := rapid.IntRange(0, 3).Draw(b.T, "back"); back > 0 {
		asOf := b.now.Add(-time.Duration(back) * time.Millisecond)
		q.filter.AsOf = &asOf
	}
	q.terms = text.Terms(strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(slices.Clone(pendingWords), "c", "ca", "λ", "カ")), 1, 3).Draw(b.T, "asked"), " "))
	return q
}

// pendingAnswer is all that a store says.
type pendingAnswer struct {
	Match     store.Matches
	Phrase    []store.Meta
	Substring []store.Meta
	Holding   []string // ids of facts
}

func (b *pendingBed) ask(ctx context.Context, x *tx, q pendingQuestion) (a pendingAnswer) {
	var err error
	a.Match, err = x.Match(ctx, q.scope, q.terms, q.filter, store.MatchOptions{})
	b.ok(err)
	a.Phrase, err = x.MatchPhrase(ctx, q.scope, q.terms, q.prefix, q.filter, q.limit)
	b.ok(err)
	a.Substring, err = x.MatchSubstring(ctx, q.scope, q.part, q.filter, q.limit)
	b.ok(err)
	facts, err := x.FactsHolding(ctx, q.scope, q.terms, q.limit)
	b.ok(err)
	for _, f := range facts {
		a.Holding = append(a.Holding, f.ID)
	}
	return a
}

// compare asks both the same.
func (b *pendingBed) compare(ctx context.Context, p pair) {
	b.Helper()
	q := b.question()
	got, want := fmt.Sprintf("%+v", b.ask(ctx, p[0], q)), fmt.Sprintf("%+v", b.ask(ctx, p[1], q))
	if got != want {
		b.Fatalf("%+v: got %s, want %s", q, got, want)
	}
}

// view has the same moment of both stores looked at.
func (b *pendingBed) view(ctx context.Context, db *DB, fn func(pair)) {
	b.ok(db.view(ctx, func(x *tx) error {
		return b.dbs[2].view(ctx, func(y *tx) error {
			for _, r := range []*tx{x, y} { // their time begins
				_, err := r.queryIntegers(ctx, 1, `SELECT count(*) FROM passage`)
				b.ok(err)
			}
			fn(pair{x, y})
			return nil
		})
	}))
}

// update changes both stores, or nothing.
func (b *pendingBed) update(ctx context.Context) {
	b.now = b.now.Add(time.Millisecond)
	before := maps.Clone(b.there)
	undo := rapid.IntRange(0, 4).Draw(b.T, "undo") == 0
	db := rapid.SampledFrom(b.dbs[:2]).Draw(b.T, "handle")
	err := db.Update(ctx, func(w store.Writer) error {
		return b.dbs[2].Update(ctx, func(v store.Writer) error {
			p := pair{w.(*tx), v.(*tx)}
			for range rapid.IntRange(1, 4).Draw(b.T, "changes") {
				b.change(ctx, p)
				if rapid.IntRange(0, 2).Draw(b.T, "look") == 0 {
					b.compare(ctx, p)
				}
			}
			if undo {
				return errUndone
			}
			return nil
		})
	})
	if undo && errors.Is(err, errUndone) {
		b.there, err = before, nil
	}
	b.ok(err)
}

// Whatever words wait, a search finds what it would find if all were indexed:
// for readers of either handle, of now and of a moment before, and for writers.
func TestPending_AnswersAsIfAllWereIndexed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "waiting")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		b := newPendingBed(rt, dir)
		defer b.close()
		ctx := context.Background()
		for range rapid.IntRange(1, 20).Draw(rt, "transactions") {
			if rapid.IntRange(0, 3).Draw(rt, "while somebody reads") == 0 {
				old := rapid.SampledFrom(b.dbs[:2]).Draw(rt, "reader")
				b.view(ctx, old, func(p pair) {
					b.compare(ctx, p)
					b.update(ctx)
					b.view(ctx, old, func(p pair) { b.compare(ctx, p) })
					p[0].lexical, p[1].lexical = nil, nil
					b.compare(ctx, p)
				})
			} else {
				b.update(ctx)
			}
			for _, db := range b.dbs[:2] {
				b.view(ctx, db, func(p pair) {
					for range 3 {
						b.compare(ctx, p)
					}
				})
			}
		}
		for _, db := range b.dbs {
			problems, err := db.Check(ctx, nil)
			if err != nil || len(problems) > 0 {
				rt.Fatalf("check found %+v, %v", problems, err)
			}
		}
	})
}
