package sqlite

import (
	"context"
	"errors"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A writer knows the last change, and the numbers that follow, from its own last
// commit, and reads it where another connection, or a transaction that was undone,
// came between.
func TestAlone_TheLastChangeIsThatOfTheDatabase(t *testing.T) {
	b := newBed(t)
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer db.Close()
	other := &bed{TB: t, db: db, path: b.path, facts: 100}

	last := func() (change int64) {
		t.Helper()
		b.update(func(ctx context.Context, x *tx) {
			var stored int64
			b.ok(x.lookRow(ctx, `SELECT value FROM counter WHERE name = 'change'`).Scan(&stored))
			change, err = x.LastChange(ctx)
			b.ok(err)
			if change != stored {
				t.Errorf("the last change is %d, and %d in the database", change, stored)
			}
		})
		return change
	}
	b.save(strata.Global(), "c", "the first text", nil)
	b.save(strata.Global(), "c", "the second text", nil)
	first := last()
	if b.db.alone.change != first {
		t.Errorf("%d is known of the last change %d", b.db.alone.change, first)
	}

	other.save(strata.Global(), "c", "a text of another", nil)
	second := last()
	if second <= first {
		t.Errorf("the last change is %d after %d", second, first)
	}

	undone := errors.New("undone")
	err = b.db.Update(context.Background(), func(w store.Writer) error {
		b.put(context.Background(), w.(*tx), strata.Global(), "c", "a text that is undone", nil)
		return undone
	})
	if !errors.Is(err, undone) || last() != second {
		t.Errorf("%v; the last change is %d, want %d", err, last(), second)
	}
}

// A writer that asked in vain for tombstones sees the next one, whoever puts it,
// and none that was undone.
func TestAlone_TombstonesAreSeen(t *testing.T) {
	b := newBed(t)
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer db.Close()
	other := &bed{TB: t, db: db, path: b.path, facts: 100}
	b.save(strata.Global(), "c", "a text that stays", nil)

	ask := func(what, text string, want bool) {
		t.Helper()
		b.update(func(ctx context.Context, x *tx) {
			if _, forgotten, err := x.Forgotten(ctx, strata.Global(), text); err != nil || forgotten != want {
				t.Errorf("%s: forgotten %t, %v, want %t", what, forgotten, err, want)
			}
		})
	}
	put := func(b *bed, text string, result error) {
		t.Helper()
		err := b.db.Update(context.Background(), func(w store.Writer) error {
			return errors.Join(w.(*tx).putTombstone(context.Background(), 1, text, "fact_1"), result)
		})
		if (err == nil) != (result == nil) {
			t.Fatal(err)
		}
	}
	ask("before any", "mine", false)
	put(b, "mine", errors.New("undone"))
	ask("after one was undone", "mine", false)
	put(other, "theirs", nil)
	ask("after one of another", "theirs", true)
	ask("beside one of another", "mine", false)
	put(b, "mine", nil)
	ask("after one of its own", "mine", true)
}
