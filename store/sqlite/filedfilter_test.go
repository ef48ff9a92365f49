package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// asked has a writer look so many times for texts that are not there, in one
// transaction, and returns the filters of keys and of hashes.
func (b *bed) asked(times int) (keys, norms *filedFilter) {
	b.Helper()
	b.update(func(ctx context.Context, x *tx) {
		for i := range times {
			text := fmt.Sprint("asked for in vain ", rand.Uint64(), i)
			like, err := x.FactsLike(ctx, strata.Global(), text, 1)
			b.ok(err)
			same, err := x.FactsByText(ctx, strata.Global(), text)
			b.ok(err)
			if len(like)+len(same) > 0 {
				b.Errorf("%q is found", text)
			}
		}
	})
	return b.db.keys.filters.scopes[1], b.db.norms.filters.scopes[1]
}

// newFiledBed is a store that files each fact at once and has some.
func newFiledBed(t testing.TB, facts int) *bed {
	b := newBed(t)
	b.db.FileFrom(1)
	b.update(func(ctx context.Context, x *tx) {
		for i := range facts {
			b.put(ctx, x, strata.Global(), "c", ownText(i), nil)
		}
	})
	return b
}

// ownText is a text that shares no word with another.
func ownText(i int) string { return fmt.Sprintf("topic%d theme%d matter%d", i, i, i) }

// A filter is made after some look-ups, by some rows with each that follows, and
// then spares nearly all of them.
func TestFilter_IsMadeBitByBit(t *testing.T) {
	const facts, after, step = 100, 20, 7
	b := newFiledBed(t, facts)
	b.db.Filter(after, step)
	for _, f := range b.both(b.asked(after)) {
		if f.through > 0 || len(f.keys.blocks) > 0 {
			t.Errorf("after %d look-ups there is %+v", after, f)
		}
	}
	keys, norms := b.asked(1)
	if keys.steps != 1 || keys.keys.keys != step || keys.through == 0 || keys.through == math.MaxUint64 || keys.sure != keys.through {
		t.Errorf("after one more there is %+v", keys)
	}
	b.asked(facts) // there are three keys for each of the facts
	if norms.steps != facts/step+1 || norms.through != math.MaxUint64 || norms.keys.keys != facts {
		t.Errorf("after many more there is %+v", norms)
	}
	spared := [2]int64{keys.spared, norms.spared}
	b.asked(1000)
	for i, f := range b.both(keys, norms) {
		if n := f.spared - spared[i]; n < 900 {
			t.Errorf("%d of 1000 look-ups were spared", n)
		}
	}
}

// both lists the filters, which must be there.
func (b *bed) both(keys, norms *filedFilter) []*filedFilter {
	b.Helper()
	if keys == nil || norms == nil {
		b.Fatal("a filter is not known")
	}
	return []*filedFilter{keys, norms}
}

// What thousands of facts share is passed in one step.
func TestFilter_PassesWhatManyShare(t *testing.T) {
	const step = 10
	b := newFiledBed(t, 0)
	b.update(func(ctx context.Context, x *tx) {
		for range 20 * step {
			b.put(ctx, x, strata.Global(), "c", "a text that many share", nil)
		}
	})
	b.db.Filter(0, step)
	for _, f := range b.both(b.asked(5)) {
		if f.through != math.MaxUint64 {
			t.Errorf("five steps led to %x", f.through)
		}
	}
}

// What was removed when a filter was made, and was not removed after all, is found.
func TestFilter_TellsOfWhatWasNotRemovedAfterAll(t *testing.T) {
	text := ownText(3)
	b := newFiledBed(t, 10)
	b.db.Filter(0, 1000)
	err := b.db.Update(context.Background(), func(w store.Writer) error {
		ctx, x := context.Background(), w.(*tx)
		if _, err := x.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 4)); err != nil {
			return err
		}
		like, err := x.FactsLike(ctx, strata.Global(), text, 1)
		same, err2 := x.FactsByText(ctx, strata.Global(), text)
		if len(like)+len(same) > 0 {
			t.Error("what was forgotten is found")
		}
		return errors.Join(err, err2, errUndone)
	})
	if !errors.Is(err, errUndone) {
		t.Fatal(err)
	}
	for _, f := range b.both(b.db.keys.filters.scopes[1], b.db.norms.filters.scopes[1]) {
		if f.steps == 0 || f.through != 0 {
			t.Errorf("a filter whose making was undone is %+v", f)
		}
	}
	b.update(func(ctx context.Context, x *tx) {
		like, err := x.FactsLike(ctx, strata.Global(), text, 1)
		b.ok(err)
		if same := b.having(ctx, x, text); len(like) != 1 || same != 1 {
			t.Errorf("%d facts are found that are like it and %d that are the same, want one of each", len(like), same)
		}
	})
}

// Filters are given up where others have written, made later each time, and soon
// again once they were of use. What is undone is no reason.
func TestFilter_IsGivenUpWhereOthersWrote(t *testing.T) {
	const after = 10
	b := newFiledBed(t, 5)
	b.db.Filter(after, 1000)
	other, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer other.Close()
	theirs := &bed{TB: t, db: other, facts: 1000}
	made := func(when string, want bool) {
		t.Helper()
		for _, f := range b.both(b.db.keys.filters.scopes[1], b.db.norms.filters.scopes[1]) {
			if (f.through > 0) != want {
				t.Errorf("%s a filter is made: %t, want %t", when, !want, want)
			}
		}
	}
	b.asked(after + 1)
	made("at first", true)
	if err := b.db.Update(context.Background(), func(store.Writer) error { return errUndone }); !errors.Is(err, errUndone) {
		t.Fatal(err)
	}
	b.asked(1)
	made("after a transaction that was undone", true)

	theirs.save(strata.Global(), "c", "a text of another", nil)
	b.asked(after + 1)
	made("after another wrote, early", false)
	b.asked(after)
	made("after twice as many look-ups", true)
	b.asked(1000)

	theirs.save(strata.Global(), "c", "another text of another", nil)
	b.asked(after + 1)
	made("after it was of use", true)

	for range 2 * filterDoublings {
		theirs.save(strata.Global(), "c", fmt.Sprint("one more text of another ", theirs.facts), nil)
		b.asked(1)
	}
	if f := b.db.keys.filters.scopes[1]; f.doublings > 1 {
		t.Errorf("%d doublings, though it was not made in vain", f.doublings)
	}
	b.ok(b.db.Compact(context.Background()))
	if b.db.keys.filters.scopes != nil || b.db.norms.filters.scopes != nil {
		t.Error("filters are left after compacting")
	}
}

// Filters of many scopes have their bound, the one that was used last stays, and
// one that would be too full is not made.
func TestFilters_HaveABound(t *testing.T) {
	var fs filedFilters
	list := func(keys int) []uint64 { // the first of so many
		list := make([]uint64, 1000)
		for i := range list {
			list[i] = uint64(float64(i+1) * (math.MaxUint64 / float64(keys)))
		}
		return list
	}
	size := func() (bytes int) {
		for _, f := range fs.scopes {
			bytes += f.keys.size()
		}
		return bytes
	}
	for no := range int64(50) {
		f := fs.of(no, 0)
		fs.cover(f, list(100_000), false)
		if f.through == 0 || f.keys.size() < 140_000 || fs.bytes > maxFilters || fs.bytes != size() {
			t.Fatalf("scope %d: %d bytes of %d, counted as %d", no, f.keys.size(), size(), fs.bytes)
		}
	}
	if fs.of(0, 0).through != 0 || fs.of(49, 0).through == 0 {
		t.Error("a scope that was used long ago has its filter, or the last has not")
	}
	large := fs.of(50, 0)
	fs.cover(large, list(3_000_000), false)
	if large.keys.size() != maxFilters || fs.bytes != maxFilters || size() != maxFilters {
		t.Errorf("a large scope has %d bytes of %d, counted as %d", large.keys.size(), size(), fs.bytes)
	}
	fs.giveUp(large)
	fs.cover(large, list(5_000_000), false)
	if large.through != 0 || fs.bytes != 0 || large.doublings != filterDoublings {
		t.Errorf("there is a filter of a scope that is too large: %+v", large)
	}
	for no := range int64(2 * maxFiltered) {
		fs.of(no, 0)
	}
	if len(fs.scopes) > maxFiltered {
		t.Errorf("%d scopes are counted", len(fs.scopes))
	}
}

// A filter that has become too full is made anew, larger.
func TestFilter_GrowsWithItsScope(t *testing.T) {
	b := newFiledBed(t, 50)
	b.db.Filter(0, 50)
	_, norms := b.asked(10)
	before := norms.keys.size()
	b.update(func(ctx context.Context, x *tx) {
		for i := range 1000 {
			b.put(ctx, x, strata.Global(), "c", fmt.Sprint("one more text, number ", i), nil)
		}
	})
	b.asked(100)
	if norms.through != math.MaxUint64 || norms.keys.size() < 8*before || norms.keys.perKey() < tightBits {
		t.Errorf("with 1050 hashes it is of %d bytes after %d, %d bits for each", norms.keys.size(), before, norms.keys.perKey())
	}
}
