package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// textBed is a store whose facts' texts are compared one by one.
type textBed struct{ *turnsBed }

func newTextBed(t testing.TB, seed uint64) *textBed {
	b := &textBed{newTurnsBed(t, seed)}
	b.changing, b.asking = b.change, b.ask
	return b
}

// fewTexts are those of the facts of a textBed. One has no content terms.
var fewTexts = []string{"the build runner is slow", "a cat sleeps", "deploys go out on Tuesdays", "and of the", "ports open at noon"}

// text is one of few texts, written in one of several ways.
func (b *textBed) text() string {
	s := fewTexts[b.rng.IntN(len(fewTexts))]
	switch b.rng.IntN(3) {
	case 0:
		return strings.ToUpper(s)
	case 1:
		return "  " + strings.ReplaceAll(s, " ", "\t ")
	}
	return s
}

// put stores a version of a fact.
func (b *textBed) put(ctx context.Context, w *tx, f strata.Fact) {
	b.Helper()
	number, err := w.PutFact(ctx, f)
	b.ok(err)
	b.facts[number] = f
	b.index(ctx, w, number)
}

// save saves facts of a scope and sometimes asks in between.
func (b *textBed) save(ctx context.Context, w *tx) {
	b.Helper()
	scope := b.scope()
	for range 1 + b.rng.IntN(4) {
		b.ids++
		f := plainFact(fmt.Sprintf("fact_%06d", b.ids), b.text())
		f.Scope, f.RecordedAt = scope, w.Now()
		b.put(ctx, w, f)
		if b.rng.IntN(3) == 0 {
			b.ask(ctx, w)
		}
	}
}

// revise puts a version of a fact with the text of one that it had, whether it is
// current or not.
func (b *textBed) revise(ctx context.Context, w *tx) {
	b.Helper()
	list, err := w.FactVersions(ctx, b.scope(), fmt.Sprintf("fact_%06d", 1+b.rng.IntN(b.ids+1)))
	b.ok(err)
	if len(list) == 0 {
		return
	}
	f := list[len(list)-1]
	if f.RetiredAt == nil {
		b.retire(ctx, w, f)
	}
	f.Generation, f.RetiredAt, f.SupersededBy = f.Generation+1, nil, ""
	f.Text = append(list, strata.Fact{Text: b.text()})[b.rng.IntN(len(list)+1)].Text
	b.put(ctx, w, f)
}

func (b *textBed) retire(ctx context.Context, w *tx, f strata.Fact) {
	b.Helper()
	b.ok(w.RetireFact(ctx, f.Scope, f.ID, f.Generation, ""))
	b.drop(f)
}

// drop expects a fact no longer.
func (b *textBed) drop(f strata.Fact) {
	for number, other := range b.facts {
		if other.Scope == f.Scope && other.ID == f.ID {
			delete(b.facts, number)
		}
	}
}

// change does one thing to the store.
func (b *textBed) change(ctx context.Context, w *tx) {
	b.Helper()
	number, there := b.some()
	f := b.facts[number]
	switch what := b.rng.IntN(12); {
	case what < 5 || !there:
		b.save(ctx, w)
	case what < 7:
		b.retire(ctx, w, f)
	case what < 9:
		b.revise(ctx, w)
	case what < 11:
		_, err := w.Forget(ctx, f.Scope, f.ID, nil)
		b.ok(err)
		b.drop(f)
	default: // hashes are no part of the index
		b.ok(w.DropIndex(ctx, f.Scope))
		b.ask(ctx, w)
		list, err := w.Sources(ctx, f.Scope, 0, 10_000)
		b.ok(err)
		for _, s := range list {
			b.ok(w.PutPassage(ctx, passageOf(s.Number, *s.Fact, nil)))
		}
	}
}

// ask looks for a text, a reader for each in each scope.
func (b *textBed) ask(ctx context.Context, x *tx) {
	b.Helper()
	if x.group != nil {
		b.askFor(ctx, x, b.scope(), b.text())
		return
	}
	for _, scope := range plainScopes {
		for _, s := range fewTexts {
			b.askFor(ctx, x, scope, s)
		}
	}
}

// askFor compares what is found with a look at all current facts.
func (b *textBed) askFor(ctx context.Context, x *tx, scope strata.Scope, s string) {
	b.Helper()
	got, err := x.FactsByText(ctx, scope, text.Analyze(s))
	b.ok(err)
	name := func(f strata.Fact) string { return fmt.Sprint(f.ID, "/", f.Generation) }
	var found, want []string
	for _, f := range got {
		found = append(found, name(f))
	}
	for _, f := range b.facts {
		if f.Scope == scope && text.Normalize(f.Text) == text.Normalize(s) {
			want = append(want, name(f))
		}
	}
	slices.Sort(want)
	if !slices.Equal(found, want) {
		b.Fatalf("%q in %s: got %v, want %v", s, scope, found, want)
	}
}

// Whatever was retired, removed or undone, and by whom, the
// facts that are found by a text are those that have it.
func TestFactsByText_FindsWhatALookAtAllFinds(t *testing.T) {
	t.Parallel()
	first := rand.Uint64()
	for i := range uint64(8) {
		t.Run(fmt.Sprintf("seed=%d", first+i), func(t *testing.T) { newTextBed(t, first+i).run() })
	}
}

// byText counts the facts of a scope that a reader finds by a text, and those
// that a writer does.
func (b *bed) byText(s string) (reader, writer int) {
	b.Helper()
	b.view(func(ctx context.Context, x *tx) { reader = b.having(ctx, x, s) })
	b.update(func(ctx context.Context, x *tx) { writer = b.having(ctx, x, s) })
	return reader, writer
}

// having counts the facts with a text.
func (b *bed) having(ctx context.Context, x *tx, s string) int {
	b.Helper()
	list, err := x.FactsByText(ctx, strata.Global(), text.Analyze(s))
	b.ok(err)
	return len(list)
}

// A reader finds what was there when it began, whatever is saved and forgotten
// meanwhile.
func TestFactsByText_AReaderSeesItsOwnState(t *testing.T) {
	const early, late = "saved before", "saved after"
	b := newBed(t)
	b.save(strata.Global(), "c", early, nil)
	b.view(func(ctx context.Context, x *tx) {
		check := func(when string, r *tx, wantEarly, wantLate int) {
			t.Helper()
			if e, l := b.having(ctx, r, early), b.having(ctx, r, late); e != wantEarly || l != wantLate {
				t.Errorf("%s %d and %d are found, want %d and %d", when, e, l, wantEarly, wantLate)
			}
		}
		check("before", x, 1, 0)
		b.save(strata.Global(), "c", late, nil)
		b.update(func(ctx context.Context, w *tx) {
			_, err := w.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 1), nil)
			b.ok(err)
			check("by the writer", w, 0, 1)
		})
		check("by the reader of before", x, 1, 0)
	})
}

// A fact whose removal is undone is found.
func TestFactsByText_FindsWhatWasNotRemovedAfterAll(t *testing.T) {
	const said = "a cat sleeps"
	b := newBed(t)
	b.save(strata.Global(), "c", said, nil)
	err := b.db.Update(context.Background(), func(w store.Writer) error {
		ctx, x := context.Background(), w.(*tx)
		_, err := x.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 1), nil)
		b.ok(err)
		if n := b.having(ctx, x, said); n != 0 {
			t.Errorf("%d facts are found that were forgotten", n)
		}
		return errUndone
	})
	if r, w := b.byText(said); !errors.Is(err, errUndone) || r != 1 || w != 1 {
		t.Errorf("%v: a reader finds %d and a writer %d, want one", err, r, w)
	}
}

// Of a fact that is forgotten no hash is left.
func TestForget_LeavesNoHashOfTheText(t *testing.T) {
	const said = "a text that is to be forgotten"
	b := newBed(t)
	b.save(strata.Global(), "c", said, nil)
	b.save(strata.Global(), "c", "another", nil)
	hash := textHash(text.Normalize(said))
	if !bytes.Contains(b.bytesOnDisk(), hash) {
		t.Fatal("the hash was never there")
	}
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 1), nil)
		b.ok(err)
	})
	b.ok(b.db.Compact(context.Background()))
	if bytes.Contains(b.bytesOnDisk(), hash) {
		t.Error("the hash is left")
	}
}
