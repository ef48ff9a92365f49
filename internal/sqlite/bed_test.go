package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// bed is a store under test, with short ways to fill and ask it.
type bed struct {
	testing.TB
	db    *DB
	path  string
	facts int
}

// The models of the vectors in these tests: all are called "test".
var (
	planar = store.Model{Name: "test", Dim: 2}
	large  = store.Model{Name: "test", Dim: 384}
)

func newBed(tb testing.TB) *bed {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "strata.db")
	db, err := Open(context.Background(), path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return &bed{TB: tb, db: db, path: path}
}

// in is the same store for a test inside of the one that opened it.
func (b *bed) in(tb testing.TB) *bed { return &bed{TB: tb, db: b.db, path: b.path, facts: b.facts} }

func (b *bed) update(fn func(ctx context.Context, t *tx)) {
	b.Helper()
	ctx := context.Background()
	err := b.db.Update(ctx, func(w store.Writer) error {
		fn(ctx, w.(*tx))
		return nil
	})
	b.ok(err)
}

func (b *bed) view(fn func(ctx context.Context, t *tx)) {
	b.Helper()
	ctx := context.Background()
	b.ok(b.db.View(ctx, func(r store.Reader) error {
		fn(ctx, r.(*tx))
		return nil
	}))
}

func (b *bed) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// put saves a fact and indexes it, and returns its number.
func (b *bed) put(ctx context.Context, t *tx, scope strata.Scope, category, s string, v []float32) int64 {
	b.Helper()
	b.facts++
	f := strata.Fact{
		ID: fmt.Sprintf("fact_%026d", b.facts), Scope: scope, Type: strata.TypeProject, Category: category,
		Text: s, Confidence: 1, Origin: strata.OriginAPI, Generation: 1, RecordedAt: t.Now(),
	}
	number, err := t.PutFact(ctx, f)
	b.ok(err)
	b.ok(t.PutPassage(ctx, passageOf(number, f, v)))
	return number
}

func passageOf(number int64, f strata.Fact, v []float32) store.Passage {
	return store.Passage{
		Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: f.Scope, Parent: f.Category, Said: f.Text, Type: f.Type,
		Text: f.Text, RecordedAt: f.RecordedAt, RetiredAt: f.RetiredAt, Model: "test", Vector: v,
	}
}

// save is put in a transaction of its own.
func (b *bed) save(scope strata.Scope, category, s string, v []float32) (number int64) {
	b.Helper()
	b.update(func(ctx context.Context, t *tx) { number = b.put(ctx, t, scope, category, s, v) })
	return number
}

func (b *bed) match(scope strata.Scope, f store.Filter, terms ...string) (m store.Matches) {
	b.Helper()
	b.view(func(ctx context.Context, t *tx) {
		var err error
		m, err = t.Match(ctx, scope, terms, f, store.MatchOptions{})
		b.ok(err)
	})
	return m
}

// found are the numbers of the passages matched, in order.
func found(metas []store.Meta) []int64 {
	var out []int64
	for _, m := range metas {
		out = append(out, m.Number)
	}
	return out
}

func same[T comparable](tb testing.TB, what string, got, want []T) {
	tb.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}
