package sqlite

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// turnsBed is a store that several handles write to in turns, and what it must
// find: all current facts, which are compared one by one.
type turnsBed struct {
	testing.TB
	rng   *rand.Rand
	path  string
	dbs   []*DB
	ids   int
	facts map[int64]strata.Fact // current ones by number

	// changing does one thing to the store, and asking compares what is found with
	// what must be.
	changing, asking func(context.Context, *tx)
}

var errUndone = errors.New("undone")

func newTurnsBed(t testing.TB, seed uint64) *turnsBed {
	b := &turnsBed{TB: t, rng: rand.New(rand.NewPCG(seed, 12)), path: filepath.Join(t.TempDir(), "strata.db"),
		dbs: make([]*DB, 2), facts: make(map[int64]strata.Fact)}
	for i := range b.dbs {
		b.reopen(i)
	}
	t.Cleanup(func() {
		for _, db := range b.dbs {
			db.Close()
		}
	})
	return b
}

func (b *turnsBed) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *turnsBed) reopen(i int) {
	b.Helper()
	if b.dbs[i] != nil {
		b.ok(b.dbs[i].Close())
	}
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	b.dbs[i] = db
}

func (b *turnsBed) scope() strata.Scope { return plainScopes[b.rng.IntN(len(plainScopes))] }

// some is the number of a current fact; false where there is none.
func (b *turnsBed) some() (int64, bool) {
	list := slices.Sorted(maps.Keys(b.facts))
	if len(list) == 0 {
		return 0, false
	}
	return list[b.rng.IntN(len(list))], true
}

// index puts a fact into the index.
func (b *turnsBed) index(ctx context.Context, w *tx, number int64) {
	b.Helper()
	b.ok(w.PutPassage(ctx, passageOf(number, b.facts[number], nil)))
}

// work changes the store some times and asks in between; with undo it ends with
// an error, and what is expected is as before.
func (b *turnsBed) work(ctx context.Context, w *tx, undo bool) error {
	b.Helper()
	before, ids := maps.Clone(b.facts), b.ids
	for range 1 + b.rng.IntN(3) {
		b.changing(ctx, w)
		b.asking(ctx, w)
	}
	if !undo {
		return nil
	}
	b.facts, b.ids = before, ids
	return errUndone
}

// update runs one function, or two of one transaction, of which each may be
// undone.
func (b *turnsBed) update(db *DB) {
	b.Helper()
	ctx := context.Background()
	undo := func() bool { return b.rng.IntN(4) == 0 }
	run := func(fn func(store.Writer) error) {
		b.Helper()
		if err := db.Update(ctx, fn); err != nil && !errors.Is(err, errUndone) {
			b.Error(err)
		}
	}
	if b.rng.IntN(2) == 0 {
		run(func(w store.Writer) error { return b.work(ctx, w.(*tx), undo()) })
		return
	}
	var others sync.WaitGroup
	run(func(w store.Writer) error {
		others.Go(func() {
			run(func(w store.Writer) error { return b.work(ctx, w.(*tx), undo()) })
		})
		queued(db, 1)
		err := b.work(ctx, w.(*tx), false)
		w.(*tx).group.begun = w.(*tx).group.begun.Add(groupTime) // as if it had begun just now
		return err
	})
	others.Wait()
}

// run changes the store by one handle after the other, asks by readers of both,
// and checks it at the end.
func (b *turnsBed) run() {
	b.Helper()
	ctx := context.Background()
	for range 40 {
		i := b.rng.IntN(len(b.dbs))
		b.update(b.dbs[i])
		if b.Failed() {
			return
		}
		for _, db := range b.dbs {
			b.ok(db.View(ctx, func(r store.Reader) error {
				b.asking(ctx, r.(*tx))
				return nil
			}))
		}
		switch b.rng.IntN(10) {
		case 0:
			b.reopen(i)
		case 1:
			b.ok(b.dbs[i].Compact(ctx))
		}
	}
	problems, err := b.dbs[0].Check(ctx, nil)
	b.ok(err)
	if len(problems) > 0 {
		b.Errorf("check found %+v", problems)
	}
}
