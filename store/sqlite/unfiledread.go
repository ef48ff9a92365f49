package sqlite

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/strata-memory/strata/neardup"
)

// unfiledFact is a fact of which something waits to be filed. Of the hash of a
// text the beginning is its only key, and no bits are set.
type unfiledFact struct {
	number int64
	sketch neardup.Sketch
}

// unfiled returns what waits in a scope, as the transaction sees it; some of it
// may be gone. A reader may see an older state than what is kept, and reads the
// table.
func (t *tx) unfiled(ctx context.Context, uc *unfiledCache, scopeNo int64) (*unfiledScope, error) {
	if t.group == nil {
		return t.readUnfiled(ctx, uc, scopeNo)
	}
	c := uc.scope(scopeNo)
	if c != nil && c.caughtUp == uc.others {
		return c, nil
	}
	if c != nil {
		if err := t.catchUpUnfiled(ctx, uc, scopeNo, c); err != nil {
			return nil, err
		}
	}
	if c == nil || c.facts > 2*t.db.fileFrom { // others file what is kept here
		var err error
		if c, err = t.readUnfiled(ctx, uc, scopeNo); err != nil {
			return nil, err
		}
	}
	uc.keep(scopeNo, c)
	c.caughtUp = uc.others // who adds any from now on says so
	return c, nil
}

// readUnfiled reads all that waits in a scope.
func (t *tx) readUnfiled(ctx context.Context, uc *unfiledCache, scopeNo int64) (*unfiledScope, error) {
	low, _ := numbers(scopeNo)
	c := &unfiledScope{seen: low - 1, begun: uc.others}
	return c, t.catchUpUnfiled(ctx, uc, scopeNo, c)
}

// catchUpUnfiled reads what was added in a scope since it was read.
func (t *tx) catchUpUnfiled(ctx context.Context, uc *unfiledCache, scopeNo int64, c *unfiledScope) error {
	_, high := numbers(scopeNo)
	list, err := t.unfiledBetween(ctx, uc, c.seen+1, high)
	if err != nil {
		return err
	}
	c.addAll(list)
	if c.filed {
		return nil
	}
	filed, err := t.lookIntegers(ctx, 1, uc.filed, scopeNo)
	if err != nil {
		return err
	}
	c.filed = filed[0] == 1
	return nil
}

// unfiledBetween reads what waits of a range of numbers, in their order.
func (t *tx) unfiledBetween(ctx context.Context, uc *unfiledCache, low, high int64) ([]unfiledFact, error) {
	packed, err := t.lookBlob(ctx, uc.between, low, high)
	if err != nil {
		return nil, err
	}
	var out []unfiledFact
	for len(packed) > 0 { // value by value: scanned as rows they would take twice as long
		var row [3]packedValue
		packed = packed[1:] // that there are three
		for i := range row {
			if row[i], packed, err = nextValue(packed); err != nil {
				return nil, err
			}
		}
		out = append(out, unfiledFact{int64(row[0].bits), neardup.Sketch{Keys: decodeKeys(row[2].bytes), Bits: row[1].bits}})
	}
	return out, nil
}

// addUnfiled takes note of facts that were just added, and files what waits in
// the scopes in which it is enough.
func (t *tx) addUnfiled(ctx context.Context, uc *unfiledCache, list []unfiledFact) error {
	ctx = context.WithoutCancel(ctx) // the function may go on, and what is known must be what is stored
	slices.SortFunc(list, func(a, b unfiledFact) int { return cmp.Compare(a.number, b.number) })
	for len(list) > 0 {
		no := scopeOf(list[0].number)
		n := slices.IndexFunc(list, func(f unfiledFact) bool { return scopeOf(f.number) != no })
		if n < 0 {
			n = len(list)
		}
		if err := t.addUnfiledOf(ctx, uc, no, list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// addUnfiledOf is addUnfiled for the facts of one scope.
func (t *tx) addUnfiledOf(ctx context.Context, uc *unfiledCache, scopeNo int64, list []unfiledFact) error {
	c, err := t.unfiled(ctx, uc, scopeNo)
	if err != nil {
		return err
	}
	known := func(f unfiledFact) bool { return f.number <= c.seen } // it was read just now
	c.addAll(slices.DeleteFunc(list, known))
	uc.keep(scopeNo, c)
	if c.facts >= t.db.fileFrom && c.begun != uc.others { // they may have taken some out
		uc.drop(scopeNo)
		if c, err = t.unfiled(ctx, uc, scopeNo); err != nil {
			return err
		}
	}
	if c.facts < t.db.fileFrom {
		return nil
	}
	uc.drop(scopeNo)
	uc.filters.add(scopeNo, uc.inOrder(slices.Collect(maps.Keys(c.newest))))
	return uc.file(t, ctx, scopeNo, c)
}
