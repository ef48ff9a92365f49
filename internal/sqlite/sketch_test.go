package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide/neardup"
	"github.com/strata-memory/strata/internal/text"
)

// likeBed is a store whose facts' sketches are compared one by one.
type likeBed struct{ *turnsBed }

func newLikeBed(t testing.TB, seed uint64) *likeBed {
	b := &likeBed{newTurnsBed(t, seed)}
	b.changing, b.asking = b.change, b.ask
	return b
}

// text is one of few texts, which differ by a word or two.
func (b *likeBed) text() string {
	words := strings.Fields("build runner needs forty gigabytes memory beside fast disks")
	words = words[:[]int{2, 4, 6, 9}[b.rng.IntN(4)]]
	words[b.rng.IntN(len(words))] = []string{"forty", "red", "blue", "the"}[b.rng.IntN(4)]
	return strings.Join(words, " ")
}

// save saves facts of a scope, and sometimes indexes one later than others, or
// twice.
func (b *likeBed) save(ctx context.Context, w *tx) {
	b.Helper()
	scope := b.scope()
	late, lateFact := int64(0), strata.Fact{}
	for range 1 + b.rng.IntN(4) {
		b.ids++
		f := plainFact(fmt.Sprintf("fact_%06d", b.ids), b.text())
		f.Scope, f.Category, f.RecordedAt = scope, "c", w.Now()
		number, err := w.PutFact(ctx, f)
		b.ok(err)
		if late == 0 && b.rng.IntN(8) == 0 {
			late, lateFact = number, f
			continue
		}
		b.facts[number] = f
		b.index(ctx, w, number)
		if b.rng.IntN(3) == 0 {
			b.ask(ctx, w)
		}
		if b.rng.IntN(8) == 0 {
			b.index(ctx, w, number)
		}
	}
	if late != 0 {
		b.facts[late] = lateFact
		b.index(ctx, w, late)
	}
}

// change does one thing to the store.
func (b *likeBed) change(ctx context.Context, w *tx) {
	b.Helper()
	number, there := b.some()
	f := b.facts[number]
	switch what := b.rng.IntN(12); {
	case what < 6 || !there:
		b.save(ctx, w)
	case what < 8:
		b.ok(w.RetireFact(ctx, f.Scope, f.ID, f.Generation, ""))
		delete(b.facts, number)
	case what < 9:
		b.ok(w.removePassage(ctx, number))
		_, err := w.exec(ctx, `DELETE FROM fact WHERE number = ?`, number)
		b.ok(err)
		delete(b.facts, number)
	case what < 11: // as after a change that is taken back
		b.index(ctx, w, number)
	default:
		b.ok(w.DropIndex(ctx, f.Scope))
		list, err := w.Sources(ctx, f.Scope, 0, 10_000)
		b.ok(err)
		for _, s := range list {
			b.ok(w.PutPassage(ctx, passageOf(s.Number, *s.Fact, nil)))
		}
	}
}

// ask compares what is found with a comparison of all current facts.
func (b *likeBed) ask(ctx context.Context, x *tx) {
	b.Helper()
	scope, said := b.scope(), b.text()
	got, err := x.FactsLike(ctx, scope, neardup.Of(text.Analyze(said)), 1000)
	b.ok(err)
	like := neardup.Of(text.Analyze(said))
	var want []int64
	apart := func(number int64) int {
		return neardup.Apart(neardup.Of(text.Analyze(b.facts[number].Text)).Bits, like.Bits)
	}
	for number, f := range b.facts {
		if f.Scope == scope && neardup.Of(text.Analyze(f.Text)).Like(like) {
			want = append(want, number)
		}
	}
	slices.SortFunc(want, func(m, n int64) int { return cmp.Or(cmp.Compare(apart(m), apart(n)), cmp.Compare(n, m)) })
	var ids []string
	for _, number := range want {
		ids = append(ids, b.facts[number].ID)
	}
	var found []string
	for _, f := range got {
		found = append(found, f.ID)
	}
	if !slices.Equal(found, ids) {
		b.Fatalf("like %q in %s: got %v, want %v", said, scope, found, ids)
	}
}

// Whatever was removed or undone, and by whom, the facts that
// are found are those that a comparison of all current ones finds.
func TestFactsLike_FindsWhatAComparisonOfAllFinds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { newLikeBed(t, seed).run() })
	}
}

// What many facts share takes no place from what few do.
func TestFactsLike_FindsWhatFewShareBesideWhatManyDo(t *testing.T) {
	const said = "the build runner needs forty gigabytes memory beside fast disks"
	like := neardup.Of(text.Analyze(said))
	// Each fact shares one key: many the first, one the last.
	first, last := like.Keys[0], like.Keys[len(like.Keys)-1]
	b := newBed(t)
	b.update(func(ctx context.Context, x *tx) {
		one := b.put(ctx, x, strata.Global(), "c", "alone", nil)
		b.ok(x.putSketch(ctx, one, neardup.Sketch{Keys: []int64{last}, Bits: like.Bits}))
		for range sketchRows * len(like.Keys) {
			n := b.put(ctx, x, strata.Global(), "c", "one of many", nil)
			b.ok(x.putSketch(ctx, n, neardup.Sketch{Keys: []int64{first}, Bits: like.Bits}))
		}
		list, err := x.sketched(ctx, 1, like)
		b.ok(err)
		if !slices.Contains(list, one) || len(list) != sketchRows+1 {
			t.Errorf("looked at %d, and at the one of its key: %t", len(list), slices.Contains(list, one))
		}
	})
}

// Of what thousands of facts share only the newest are looked at.
func TestFactsLike_LooksAtFewOfManyEqual(t *testing.T) {
	const said, many = "the build runner needs forty gigabytes of memory", 3000
	b := newBed(t)
	b.update(func(ctx context.Context, x *tx) {
		for range many {
			b.put(ctx, x, strata.Global(), "c", said, nil)
		}
	})
	b.update(func(ctx context.Context, x *tx) {
		s := neardup.Of(text.Analyze(said))
		list, err := x.sketched(ctx, 1, s)
		b.ok(err)
		if len(list) != sketchRows {
			t.Errorf("looked at %d, want %d", len(list), sketchRows)
		}
		facts, err := x.FactsLike(ctx, strata.Global(), neardup.Of(text.Analyze(said)), 2)
		b.ok(err)
		same(t, "newest first", []string{facts[0].ID, facts[1].ID},
			[]string{fmt.Sprintf("fact_%026d", b.facts), fmt.Sprintf("fact_%026d", b.facts-1)})
	})
}
