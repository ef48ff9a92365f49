package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide/neardup"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// A function sees what it put a moment ago.
func TestUpdate_AFunctionSeesWhatItPut(t *testing.T) {
	const said = "the red cat of Ada sleeps on the old sofa"
	ctx, global := context.Background(), strata.Global()
	for name, look := range map[string]func(w *tx) (int, error){
		"by text": func(w *tx) (int, error) { l, err := w.FactsByText(ctx, global, text.Analyze(said)); return len(l), err },
		"by slot": func(w *tx) (int, error) { l, err := w.FactsBySlot(ctx, global, "cat", "place"); return len(l), err },
		"by likeness": func(w *tx) (int, error) {
			l, err := w.FactsLike(ctx, global, neardup.Of(text.Analyze(said+" today")), 5)
			return len(l), err
		},
		"by id":     func(w *tx) (int, error) { l, err := w.FactVersions(ctx, global, "fact_7"); return len(l), err },
		"in a list": func(w *tx) (int, error) { l, err := w.Facts(ctx, global, strata.FactFilter{}); return len(l), err },
		"as a passage": func(w *tx) (int, error) {
			l, err := w.Items(ctx, global, []int64{1<<passage.ScopeBits | 1})
			return len(l), err
		},
		"by a word": func(w *tx) (int, error) {
			m, err := w.Match(ctx, global, []string{"sofa"}, store.Filter{}, store.MatchOptions{})
			return len(m.Passages), err
		},
		"by a phrase": func(w *tx) (int, error) {
			l, err := w.MatchPhrase(ctx, global, []string{"old", "sofa"}, false, store.Filter{}, 5)
			return len(l), err
		},
		"by a part": func(w *tx) (int, error) {
			l, err := w.MatchSubstring(ctx, global, "leeps o", store.Filter{}, 5)
			return len(l), err
		},
		"by its vector": func(w *tx) (int, error) {
			l, err := w.Nearest(ctx, global, "test", []float32{1, 0}, nil, store.Filter{}, 5)
			return len(l), err
		},
		"in a decision": func(w *tx) (int, error) {
			l, err := w.Decisions(ctx, global, strata.DecisionFilter{})
			if err == nil && (len(l) != 1 || l[0].After == nil || l[0].After.Text != said) {
				err = fmt.Errorf("decisions %+v", l)
			}
			return len(l), err
		},
		"in the diary": func(w *tx) (int, error) { l, err := w.Events(ctx, global, 0, 9); return len(l), err },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.update(func(ctx context.Context, w *tx) {
				f := plainFact("fact_7", said)
				f.Entity, f.Attribute, f.Category = "cat", "place", "pets"
				number, err := w.PutFact(ctx, f)
				b.ok(err)
				b.ok(w.PutPassage(ctx, passageOf(number, f, []float32{1, 0})))
				b.ok(w.AppendDecision(ctx, strata.Decision{ID: "dec_7", Scope: global, Op: strata.OpAdd, FactID: f.ID,
					Origin: strata.OriginAPI, After: &f}))
				b.ok(w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteCommitted, Scope: global, Ref: "dec_7"}))
				if n, err := look(w); err != nil || n != 1 {
					t.Errorf("it finds %d, %v", n, err)
				}
			})
		})
	}
}

// A statement that gives up in the middle of a function, and whose error is
// passed over, takes nothing of what was written before it along.
func TestUpdate_AStatementThatWasCanceledTakesNothingAlong(t *testing.T) {
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
	problems, err := b.db.Check(context.Background(), nil)
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
			problems, err := b.db.Check(context.Background(), nil)
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
		_, err := w.Forget(ctx, f.Scope, f.ID, nil)
		return err
	}))
}
