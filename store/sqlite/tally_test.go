package sqlite

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A statement that gives up in the middle of a function, and whose error is
// passed over, takes nothing of what was counted before it along.
func TestTally_OutlivesAStatementThatWasCanceled(t *testing.T) {
	b := newBed(t)
	b.update(func(ctx context.Context, w *tx) {
		for _, s := range []string{"the cat sleeps", "the dog barks"} {
			b.put(ctx, w, strata.Global(), "pets", s, []float32{1, 0})
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := w.Scopes(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want canceled", err)
		}
		b.put(ctx, w, strata.Global(), "pets", "the bird sings", []float32{0, 1})
	})
	problems, err := b.db.Check(context.Background())
	b.ok(err)
	if len(problems) > 0 {
		t.Errorf("the store has problems: %v", problems)
	}
	b.view(func(ctx context.Context, r *tx) {
		parents, err := r.Parents(ctx, strata.Global(), strata.KindFact, nil)
		b.ok(err)
		if len(parents) != 1 || parents[0].Passages != 3 {
			t.Errorf("got %+v, want one category of 3 passages", parents)
		}
	})
}

// What was indexed by a function can be indexed anew by the same function.
func TestPutPassage_TwiceInOneFunction(t *testing.T) {
	for _, between := range []struct {
		name string
		do   func(ctx context.Context, w *tx, number int64) error
	}{
		{"at once", func(context.Context, *tx, int64) error { return nil }},
		{"after it was removed", func(ctx context.Context, w *tx, number int64) error { return w.removePassage(ctx, number) }},
	} {
		t.Run(between.name, func(t *testing.T) {
			b := newBed(t)
			b.save(strata.Global(), "pets", "the cat sleeps", []float32{1, 0})
			b.update(func(ctx context.Context, w *tx) {
				f := plainFact("fact_again", "the dog barks")
				f.Category = "pets"
				number, err := w.PutFact(ctx, f)
				b.ok(err)
				b.ok(w.PutPassage(ctx, passageOf(number, f, []float32{1, 0})))
				b.ok(between.do(ctx, w, number))
				b.ok(w.PutPassage(ctx, passageOf(number, f, []float32{0, 1})))
			})
			problems, err := b.db.Check(context.Background())
			b.ok(err)
			if len(problems) > 0 {
				t.Errorf("the store has problems: %v", problems)
			}
		})
	}
}

// A text of one endless word can be forgotten like any other.
func TestForget_OneLongWord(t *testing.T) {
	ctx := context.Background()
	b := newBed(t)
	f := plainFact("fact_long", strings.Repeat("a", strata.MaxFactBytes))
	b.ok(b.db.Update(ctx, func(w store.Writer) error {
		if _, err := w.PutFact(ctx, plainFact("fact_other", "another")); err != nil {
			return err
		}
		_, err := w.PutFact(ctx, f)
		return err
	}))
	b.ok(b.db.Update(ctx, func(w store.Writer) error {
		_, err := w.Forget(ctx, f.Scope, f.ID)
		return err
	}))
}
