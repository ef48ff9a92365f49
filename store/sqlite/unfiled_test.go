package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/neardup"
	"github.com/strata-memory/strata/store"
)

// likeBed is a store whose facts' sketches are compared one by one.
type likeBed struct{ *turnsBed }

func newLikeBed(t testing.TB, seed uint64, file int64) *likeBed {
	b := &likeBed{newTurnsBed(t, seed, file)}
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
	scope, text := b.scope(), b.text()
	got, err := x.FactsLike(ctx, scope, text, 1000)
	b.ok(err)
	like := neardup.Of(text)
	var want []int64
	apart := func(number int64) int { return neardup.Apart(neardup.Of(b.facts[number].Text).Bits, like.Bits) }
	for number, f := range b.facts {
		if f.Scope == scope && neardup.Of(f.Text).Like(like) {
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
		b.Fatalf("like %q in %s: got %v, want %v", text, scope, found, ids)
	}
}

// Whatever waits, was filed, was removed or undone, and by whom, the facts that
// are found are those that a comparison of all current ones finds.
func TestFactsLike_FindsWhatAComparisonOfAllFinds(t *testing.T) {
	for _, file := range []int64{1, 5, 40, fileFrom} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("filed from %d, seed=%d", file, seed), func(t *testing.T) {
				newLikeBed(t, seed, file).run()
			})
		}
	}
}

// endingContext is canceled once it was asked some times.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A function whose context ends, and which goes on with another all the same,
// loses nothing of what waits.
func TestUnfiled_OutliveAContextThatEnds(t *testing.T) {
	for asked := range 12 {
		b := newBed(t)
		b.db.FileFrom(2)
		b.save(strata.Global(), "c", "the first text", nil)
		ended := false
		b.update(func(ctx context.Context, x *tx) {
			b.put(ctx, x, strata.Global(), "c", "another text entirely", nil)
			ended = x.writeKept(&endingContext{ctx, asked}) != nil
			b.put(ctx, x, strata.Global(), "c", "the third text", nil)
		})
		if ended != (asked < 3) { // for the fact, its passage and its keys
			t.Errorf("asked %d times, the context ended: %t", asked, ended)
		}
		b.update(func(ctx context.Context, x *tx) {
			for i, text := range []string{"first text", "another entirely", "third text"} {
				list, err := x.FactsLike(ctx, strata.Global(), text, 1)
				b.ok(err)
				if len(list) != 1 {
					t.Errorf("asked %d times, fact %d is not found", asked, i+1)
				}
			}
		})
		b.sound()
	}
}

// keyed counts the facts of a scope whose keys wait and those whose are filed.
func (b *bed) keyed(scopeNo int64) (wait, filed int) {
	b.Helper()
	b.view(func(ctx context.Context, x *tx) {
		b.ok(x.queryRow(ctx, `
			SELECT (SELECT count(*) FROM unfiled WHERE number >> 40 = ?1),
				(SELECT count(DISTINCT number) FROM sketch WHERE scope_no = ?1)`, scopeNo).Scan(&wait, &filed))
	})
	return wait, filed
}

// Keys of few facts of a scope wait, whatever there is of others and whoever
// saved them; many are filed together.
func TestUnfiled_WaitUntilAScopeHasMany(t *testing.T) {
	b := newBed(t)
	other, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer other.Close()
	const many = 50
	b.db.FileFrom(many)
	other.FileFrom(many)
	check := func(when string, no int64, wait, filed int) {
		t.Helper()
		if w, f := b.keyed(no); w != wait || f != filed {
			t.Errorf("%s the keys of %d facts wait and those of %d are filed, want %d and %d", when, w, f, wait, filed)
		}
	}
	save := func(db *DB, scope strata.Scope, n int) {
		t.Helper()
		one := &bed{TB: t, db: db, facts: b.facts}
		for range n {
			one.save(scope, "c", fmt.Sprint("a text of its own, number ", one.facts), nil)
		}
		b.facts = one.facts
	}
	save(b.db, strata.Global(), many/2)
	save(other, strata.Global(), many/2-1)
	save(b.db, strata.InWorkspace("w"), 5)
	check("one before many", 1, many-1, 0)
	save(b.db, strata.Global(), 1)
	check("with one more", 1, 0, many)
	check("in the other scope", 2, 5, 0)
	b.update(func(ctx context.Context, x *tx) {
		for i := range 3 * many { // a batch over both
			b.put(ctx, x, []strata.Scope{strata.Global(), strata.InWorkspace("w")}[i%2], "c", fmt.Sprint("a text of a batch, number ", i), nil)
		}
	})
	check("after a batch", 1, 0, many+many*3/2)
	check("after a batch, in the other scope,", 2, 0, 5+many*3/2)
	b.rebuild(strata.Global())
	check("when indexed anew", 1, 0, many+many*3/2)
	save(b.db, strata.Global(), 3)
	check("with three more", 1, 3, many+many*3/2)
	b.sound()
}

// Keys that another process has removed are not filed.
func TestUnfiled_AreNotFiledWhereOthersRemovedThem(t *testing.T) {
	b := newBed(t)
	other, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer other.Close()
	b.db.FileFrom(3)
	number := b.save(strata.Global(), "c", "the first text", nil)
	b.save(strata.Global(), "c", "another text entirely", nil)
	(&bed{TB: t, db: other}).update(func(ctx context.Context, x *tx) { b.ok(x.removePassage(ctx, number)) })
	for i, text := range []string{"a third of them", "fourth and last"} {
		b.save(strata.Global(), "c", text, nil)
		if wait, filed := b.keyed(1); wait != 2-2*i || filed != 3*i {
			t.Errorf("with %q the keys of %d facts wait and those of %d are filed, want %d and %d", text, wait, filed, 2-2*i, 3*i)
		}
	}
	b.update(func(ctx context.Context, x *tx) { // a fact without a passage is no fault of keys
		_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, number)
		b.ok(err)
	})
	b.sound()
}

// Keys of a fact in both tables, which doctor tells of, are no reason to refuse
// what is saved.
func TestUnfiled_AreFiledThoughSomeAreThere(t *testing.T) {
	b := newBed(t)
	b.db.FileFrom(2)
	b.save(strata.Global(), "c", "the first text", nil)
	b.update(func(ctx context.Context, x *tx) {
		f := neardup.Of("the first text")
		_, err := x.exec(ctx, `INSERT INTO sketch (scope_no, key, number, bits) VALUES (1, ?, ?, ?)`, f.Keys[0], 1<<40|1, int64(f.Bits))
		b.ok(err)
	})
	b.save(strata.Global(), "c", "another text entirely", nil)
	if wait, filed := b.keyed(1); wait != 0 || filed != 2 {
		t.Errorf("the keys of %d facts wait and those of %d are filed, want 0 and 2", wait, filed)
	}
	b.sound()
}

// A process that starts, and one whose cache was given up, read once what waits.
func TestUnfiled_AreReadOnce(t *testing.T) {
	b := newBed(t)
	read := func() (facts int64) {
		b.update(func(ctx context.Context, x *tx) {
			c, err := x.unfiled(ctx, &b.db.keys, 1)
			b.ok(err)
			again, err := x.unfiled(ctx, &b.db.keys, 1)
			b.ok(err)
			if c != again || c.caughtUp != b.db.keys.others || c.filed {
				t.Error("what was read is not kept")
			}
			facts = c.facts
		})
		return facts
	}
	for i := range 10 {
		b.save(strata.Global(), "c", fmt.Sprint("text number ", i), nil)
	}
	b.db.keys.dropAll()
	if n := read(); n != 10 {
		t.Errorf("%d facts are read of 10", n)
	}
	kept := b.db.keys.scopes[1]
	b.update(func(ctx context.Context, x *tx) { b.ok(x.removePassage(ctx, 1<<40|3)) })
	b.save(strata.Global(), "c", "one more text", nil)
	if n := read(); n != 10 || b.db.keys.scopes[1] != kept {
		t.Errorf("%d facts are kept after one went and one came, want 10 in the same place", n)
	}
}

// Of what thousands of facts share only the newest are looked at.
func TestFactsLike_LooksAtFewOfManyEqual(t *testing.T) {
	const text, batch = "the build runner needs forty gigabytes of memory", 3000
	b := newBed(t)
	b.db.FileFrom(2 * batch)
	many := func() {
		b.update(func(ctx context.Context, x *tx) {
			for range batch {
				b.put(ctx, x, strata.Global(), "c", text, nil)
			}
		})
	}
	many()
	many()
	if wait, filed := b.keyed(1); wait != 0 || filed != 2*batch {
		t.Fatalf("the keys of %d wait, those of %d are filed", wait, filed)
	}
	many()
	b.update(func(ctx context.Context, x *tx) {
		s := neardup.Of(text)
		most := sketchRows * len(s.Keys)
		waiting, filed, err := x.likeUnfiled(ctx, 1, s)
		b.ok(err)
		others, err := x.likeFiled(ctx, 1, s, most)
		b.ok(err)
		if len(waiting) != most || !filed || len(others) != most {
			t.Errorf("looked at %d that wait and %d that are filed, want %d of each", len(waiting), len(others), most)
		}
		list, err := x.FactsLike(ctx, strata.Global(), text, 2)
		b.ok(err)
		same(t, "newest first", []string{list[0].ID, list[1].ID},
			[]string{fmt.Sprintf("fact_%026d", b.facts), fmt.Sprintf("fact_%026d", b.facts-1)})
	})
}

// The entries of a key are those of the facts that are there, newest first, and
// places are used again.
func TestUnfiledScope_KeepsWhatIsThere(t *testing.T) {
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 3))
		c := &unfiledScope{}
		var there []unfiledFact
		most := 0
		for n := range int64(2000) {
			if len(there) > 0 && rng.IntN(2) == 0 {
				i := rng.IntN(len(there))
				c.remove(there[i].number, there[i].sketch.Keys)
				there = slices.Delete(there, i, i+1)
			} else {
				f := unfiledFact{n + 1, neardup.Sketch{Keys: []int64{rng.Int64N(3), 3 + rng.Int64N(20)}, Bits: rng.Uint64()}}
				c.addAll([]unfiledFact{f})
				there = append(there, f)
			}
			most = max(most, len(there))
			for key := range int64(23) {
				var got, want []int64
				for at := c.newest[key]; at != 0; at = c.entries[at-1].older {
					got = append(got, c.entries[at-1].number)
				}
				for _, f := range slices.Backward(there) {
					if slices.Contains(f.sketch.Keys, key) {
						want = append(want, f.number)
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: key %d has %v, want %v", seed, key, got, want)
				}
			}
		}
		if c.facts != int64(len(there)) || len(c.entries) != 2*most {
			t.Errorf("seed %d: %d facts in %d places, want %d in %d", seed, c.facts, len(c.entries), len(there), 2*most)
		}
	}
}

// What was not used for longest goes first, and never what is used now.
func TestUnfiledCache_FitsItsBound(t *testing.T) {
	var uc unfiledCache
	scope := func(entries int) *unfiledScope { return &unfiledScope{entries: make([]unfiledEntry, entries)} }
	uc.keep(1, scope(maxUnfiled/2))
	uc.keep(2, scope(maxUnfiled/4))
	uc.keep(3, scope(maxUnfiled/4))
	uc.scope(1)
	uc.keep(4, scope(1))
	same(t, "kept", slices.Sorted(maps.Keys(uc.scopes)), []int64{1, 3, 4})
	uc.keep(5, scope(2*maxUnfiled))
	same(t, "kept beside a large one", slices.Sorted(maps.Keys(uc.scopes)), []int64{5})
	if uc.entries != 2*maxUnfiled {
		t.Errorf("%d entries are counted, want %d", uc.entries, 2*maxUnfiled)
	}
	uc.drop(5)
	if uc.entries != 0 || len(uc.scopes) != 0 {
		t.Errorf("%d entries of %d scopes are counted when all are dropped", uc.entries, len(uc.scopes))
	}
}

// What is kept is given up with changes that are undone, and only with them.
func TestUnfiled_AreKeptWhereNothingWasChanged(t *testing.T) {
	b := newBed(t)
	number := b.save(strata.Global(), "c", "the first text", nil)
	for name, c := range map[string]struct {
		kept   bool
		change func(ctx context.Context, x *tx)
	}{
		"nothing":    {true, func(context.Context, *tx) {}},
		"saved":      {false, func(ctx context.Context, x *tx) { b.put(ctx, x, strata.Global(), "c", "another text", nil) }},
		"removed":    {false, func(ctx context.Context, x *tx) { b.ok(x.removePassage(ctx, number)) }},
		"just asked": {true, func(ctx context.Context, x *tx) { x.FactsLike(ctx, strata.Global(), "first text", 1) }},
	} {
		b.update(func(ctx context.Context, x *tx) {
			_, err := x.unfiled(ctx, &b.db.keys, 1)
			b.ok(err)
		})
		before := b.db.keys.scopes[1]
		err := b.db.Update(context.Background(), func(w store.Writer) error {
			c.change(context.Background(), w.(*tx))
			return errUndone
		})
		if !errors.Is(err, errUndone) || before == nil || (b.db.keys.scopes[1] == before) != c.kept {
			t.Errorf("%s: %v, kept: %t, want %t", name, err, b.db.keys.scopes[1] == before, c.kept)
		}
	}
}

// What waits is found where an index was not dropped after all, though it was
// looked for meanwhile: by a transaction that was undone, or by a function of one
// that was not.
func TestUnfiled_AreFoundWhereAnIndexWasNotDroppedAfterAll(t *testing.T) {
	b := newBed(t)
	b.save(strata.Global(), "c", "the first text", nil)
	find := func(ctx context.Context, w store.Writer, want int) {
		t.Helper()
		list, err := w.FactsLike(ctx, strata.Global(), "the first text", 1)
		if err != nil || len(list) != want {
			t.Errorf("%d are found, %v, want %d", len(list), err, want)
		}
	}
	dropped := func() error {
		return b.db.Update(context.Background(), func(w store.Writer) error {
			b.ok(w.DropIndex(context.Background(), strata.Global()))
			find(context.Background(), w, 0)
			return errUndone
		})
	}
	if err := dropped(); !errors.Is(err, errUndone) {
		t.Fatal(err)
	}
	b.update(func(ctx context.Context, x *tx) { find(ctx, x, 1) })

	undone := make(chan error, 1)
	b.update(func(ctx context.Context, x *tx) {
		go func() { undone <- dropped() }()
		for queued := 0; queued == 0; runtime.Gosched() {
			b.db.writer.mu.Lock()
			queued = len(b.db.writer.queue)
			b.db.writer.mu.Unlock()
		}
		x.group.begun = x.group.begun.Add(time.Hour) // so that it stays open
	})
	if err := <-undone; !errors.Is(err, errUndone) {
		t.Fatal(err)
	}
	b.update(func(ctx context.Context, x *tx) { find(ctx, x, 1) })
}

// A process that only asks does not keep without end what others add and file.
func TestUnfiled_GiveUpWhatOthersFiled(t *testing.T) {
	b := newBed(t)
	asking, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer asking.Close()
	const many = 5
	b.db.FileFrom(many)
	asking.FileFrom(many)
	most := int64(0)
	for i := range 8 * many {
		b.save(strata.Global(), "c", fmt.Sprint("text number ", i), nil)
		(&bed{TB: t, db: asking}).update(func(ctx context.Context, x *tx) {
			list, err := x.FactsLike(ctx, strata.Global(), fmt.Sprint("number ", i), 1)
			b.ok(err)
			if len(list) != 1 {
				t.Errorf("fact %d is not found", i)
			}
			most = max(most, asking.keys.scopes[1].facts)
		})
	}
	if most <= many || most > 2*many {
		t.Errorf("up to %d facts are kept, want more than %d and no more than %d", most, many, 2*many)
	}
}
