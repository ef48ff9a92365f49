package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A function sees what it put a moment ago, though its rows are still kept.
func TestKeep_AFunctionSeesWhatItPut(t *testing.T) {
	const said = "the red cat of Ada sleeps on the old sofa"
	ctx, global := context.Background(), strata.Global()
	for name, look := range map[string]func(w *tx) (int, error){
		"by text":      func(w *tx) (int, error) { l, err := w.FactsByText(ctx, global, said); return len(l), err },
		"by slot":      func(w *tx) (int, error) { l, err := w.FactsBySlot(ctx, global, "cat", "place"); return len(l), err },
		"by likeness":  func(w *tx) (int, error) { l, err := w.FactsLike(ctx, global, said+" today", 5); return len(l), err },
		"by id":        func(w *tx) (int, error) { l, err := w.FactVersions(ctx, global, "fact_7"); return len(l), err },
		"in a list":    func(w *tx) (int, error) { l, err := w.Facts(ctx, global, strata.FactFilter{}); return len(l), err },
		"as a passage": func(w *tx) (int, error) { l, err := w.Items(ctx, global, []int64{w.latest.number}); return len(l), err },
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

// Rows stay kept while what a save asks for does not concern them: a category
// that begins, the categories of another scope, what is near inside of others.
func TestKeep_RowsWaitForWhatConcernsThem(t *testing.T) {
	global, other := strata.Global(), strata.InWorkspace("elsewhere")
	b := newBed(t)
	b.update(func(ctx context.Context, w *tx) { b.put(ctx, w, global, "pets", "the dog barks", []float32{1, 0}) })
	b.update(func(ctx context.Context, w *tx) {
		parents, err := w.Parents(ctx, global, strata.KindFact, nil)
		b.ok(err)
		kept := func(what string, want bool) {
			t.Helper()
			if got := len(w.kept.rows[keptPassages]) > 0; got != want {
				t.Errorf("after %s rows are kept: %t, want %t", what, got, want)
			}
		}
		near := func(parents ...int64) int {
			l, err := w.Nearest(ctx, global, "test", []float32{1, 0}, parents, store.Filter{}, 5)
			b.ok(err)
			return len(l)
		}
		b.put(ctx, w, global, "garden", "the rose blooms", []float32{0.9, 0.1})
		kept("a category began", true)
		if list, err := w.Categories(ctx, other, store.Model{Name: "test", Dim: 2}); err != nil || len(list) != 0 {
			t.Errorf("categories elsewhere: %v, %v", list, err)
		}
		kept("a look at another scope", true)
		if n := near(parents[0].Number); n != 1 {
			t.Errorf("%d are near inside the old category, want 1", n)
		}
		kept("a search inside another category", true)
		list, err := w.Categories(ctx, global, store.Model{Name: "test", Dim: 2})
		if err != nil || len(list) != 2 {
			t.Errorf("categories: %v, %v", list, err)
		}
		kept("a look at the scope", false)

		b.put(ctx, w, global, "pets", "the cat sleeps", []float32{0.8, 0.2})
		kept("another fact", true)
		if n := near(parents[0].Number); n != 2 {
			t.Errorf("%d are near inside the category, want 2", n)
		}
		kept("a search inside its category", false)

		last := b.put(ctx, w, global, "pets", "the parrot talks", []float32{0.7, 0.3})
		elsewhere := b.put(ctx, w, other, "pets", "the hamster runs", []float32{0.7, 0.3})
		items := func(number int64) int {
			l, err := w.Items(ctx, strata.Global(), []int64{number})
			b.ok(err)
			return len(l)
		}
		if n := items(last - 1); n != 1 {
			t.Errorf("%d items of an older passage, want 1", n)
		}
		kept("a look at an older passage", true)
		if n := items(elsewhere); n != 0 {
			t.Errorf("%d items of a passage elsewhere, want none", n)
		}
		kept("a look at a passage elsewhere", false)
		last = b.put(ctx, w, global, "pets", "the pony jumps", []float32{0.6, 0.4})
		if n := items(last); n != 1 {
			t.Errorf("%d items of a passage that is kept, want 1", n)
		}
		kept("a look at it", false)
	})
}

// The full-text rows of a function wait for the end of its group. Another
// function that writes them, because it looks into the index, and is undone
// must not take them along.
func TestKeepWords_OutliveAnotherFunctionThatIsUndone(t *testing.T) {
	for _, cut := range []int64{1, pendingTexts} {
		t.Run(fmt.Sprint("cut from ", cut), func(t *testing.T) {
			ctx := context.Background()
			b := newBed(t)
			b.db.MergePendingFrom(cut)
			fail := errors.New("undo")
			undone := make(chan error, 1)
			b.update(func(ctx context.Context, w *tx) {
				b.put(ctx, w, strata.Global(), "pets", "the cat sleeps", []float32{1, 0})
				go func() {
					undone <- b.db.Update(context.Background(), func(other store.Writer) error {
						if other.(*tx).group != w.group {
							t.Error("the functions do not share a transaction")
						}
						m, err := other.Match(context.Background(), strata.Global(), []string{"cat"}, store.Filter{}, store.MatchOptions{})
						if err != nil || len(m.Passages) != 1 {
							t.Errorf("the other finds %+v, %v", m, err)
						}
						return fail
					})
				}()
				for queued := 0; queued == 0; {
					b.db.writer.mu.Lock()
					queued = len(b.db.writer.queue)
					b.db.writer.mu.Unlock()
				}
				w.group.begun = w.group.begun.Add(time.Hour) // so that it stays open
			})
			if err := <-undone; err != fail {
				t.Fatal(err)
			}
			if m := b.match(strata.Global(), store.Filter{}, "cat"); len(m.Passages) != 1 {
				t.Errorf("the index holds %+v", m)
			}
			b.view(func(ctx context.Context, r *tx) {
				list, err := r.MatchSubstring(ctx, strata.Global(), "t sle", store.Filter{}, 5)
				if err != nil || len(list) != 1 {
					t.Errorf("the parts that are found are of %+v, %v", list, err)
				}
			})
			problems, err := b.db.Check(ctx)
			if err != nil || len(problems) > 0 {
				t.Errorf("problems %v, %v", problems, err)
			}
		})
	}
}

// Time to spare has many rows written, and few wait on.
func TestSpare_WritesRowsThatAreMany(t *testing.T) {
	b := newBed(t)
	b.update(func(ctx context.Context, x *tx) {
		put := func(i int) {
			f := plainFact(fmt.Sprintf("fact_%06d", i), fmt.Sprintf("parcel %d waits at the gate of the depot", i))
			number, err := x.PutFact(ctx, f)
			b.ok(err)
			b.ok(x.PutPassage(ctx, passageOf(number, f, nil)))
		}
		put(0)
		b.ok(x.Spare(ctx))
		if x.kept.size() == 0 {
			t.Error("a single row was written")
		}
		n := 1
		for ; x.kept.size() < spareFrom && n < 5000; n++ {
			put(n)
		}
		b.ok(x.Spare(ctx))
		if x.kept.size() != 0 {
			t.Errorf("%d rows of %d bytes wait on", n, x.kept.size())
		}
		stored, err := x.lookIntegers(ctx, 1, `SELECT count(*) FROM fact`)
		b.ok(err)
		if stored[0] != int64(n) {
			t.Errorf("%d of %d facts are written", stored[0], n)
		}
	})
	b.sound()
}
