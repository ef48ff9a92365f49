package sqlite

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
)

// Keys of near-duplicates wait in table unfiled until so many facts of their
// scope do that it pays to file them in table sketch, which is ordered by keys
// and so by chance: until then each key would cost a save a page of its own. A
// writer keeps what waits in memory (unfiledcache.go) and asks both
// (docs/decisions/0016-keys-wait.md).

// fileFrom is from how many facts of a scope on their keys are filed.
const fileFrom = 4096

// Only facts whose numbers were just given wait, so that rows of a scope are
// added in the order of their numbers and a writer finds what is new behind the
// last it has read. A fact that is indexed anew has its keys filed at once.
const insertUnfiled = `INSERT INTO unfiled (number, bits, keys) SELECT c0, c1, c2 FROM unpack(?)`

// unfiledFact is a fact whose keys wait.
type unfiledFact struct {
	number int64
	sketch termSketch
}

// unfiled returns what waits in a scope, as the transaction sees it; some of it
// may be gone. A reader may see an older state than what is kept, and reads the
// table.
func (t *tx) unfiled(ctx context.Context, scopeNo int64) (*unfiledScope, error) {
	if t.group == nil {
		return t.readUnfiled(ctx, scopeNo)
	}
	cache := &t.db.unfiled
	c := cache.scope(scopeNo)
	if c != nil && t.group.caughtUp[scopeNo] {
		return c, nil
	}
	if c != nil {
		if err := t.catchUpUnfiled(ctx, scopeNo, c); err != nil {
			return nil, err
		}
	}
	if c == nil || c.facts > 2*t.db.fileFrom { // others file what is kept here
		var err error
		if c, err = t.readUnfiled(ctx, scopeNo); err != nil {
			return nil, err
		}
	}
	cache.keep(scopeNo, c)
	t.group.caughtUp[scopeNo] = true
	return c, nil
}

// readUnfiled reads all that waits in a scope.
func (t *tx) readUnfiled(ctx context.Context, scopeNo int64) (*unfiledScope, error) {
	low, _ := numbers(scopeNo)
	c := &unfiledScope{seen: low - 1}
	return c, t.catchUpUnfiled(ctx, scopeNo, c)
}

// catchUpUnfiled reads what was added in a scope since it was read.
func (t *tx) catchUpUnfiled(ctx context.Context, scopeNo int64, c *unfiledScope) error {
	_, high := numbers(scopeNo)
	list, err := t.unfiledBetween(ctx, c.seen+1, high)
	if err != nil {
		return err
	}
	c.addAll(list)
	if c.filed {
		return nil
	}
	filed, err := t.lookIntegers(ctx, 1, `SELECT EXISTS (SELECT 1 FROM sketch WHERE scope_no = ?)`, scopeNo)
	if err != nil {
		return err
	}
	c.filed = filed[0] == 1
	return nil
}

// unfiledBetween reads what waits of a range of numbers, in their order.
func (t *tx) unfiledBetween(ctx context.Context, low, high int64) ([]unfiledFact, error) {
	packed, err := t.lookBlob(ctx, `
		SELECT pack_rows(number, bits, keys) FROM (
			SELECT number, bits, keys FROM unfiled WHERE number BETWEEN ? AND ? ORDER BY number)`, low, high)
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
		out = append(out, unfiledFact{int64(row[0].bits), termSketch{decodeKeys(row[2].bytes), row[1].bits}})
	}
	return out, nil
}

// likeUnfiled returns facts that wait and are like a sketch, and whether there
// may be others in table sketch.
func (t *tx) likeUnfiled(ctx context.Context, scopeNo int64, s termSketch) (found []likeness, filed bool, err error) {
	c, err := t.unfiled(ctx, scopeNo)
	if err != nil {
		return nil, false, err
	}
	found = c.like(s)
	wait, err := t.stillWait(ctx, found)
	if err != nil {
		return nil, false, err
	}
	if !wait { // others took some out: what they hid counts instead
		t.db.unfiled.drop(scopeNo)
		if c, err = t.unfiled(ctx, scopeNo); err != nil {
			return nil, false, err
		}
		found = c.like(s)
	}
	return found, c.filed, nil
}

// stillWait reports whether all of the facts wait yet.
func (t *tx) stillWait(ctx context.Context, list []likeness) (bool, error) {
	if len(list) == 0 {
		return true, nil
	}
	numbers := make([]int64, len(list))
	for i, l := range list {
		numbers[i] = l.number
	}
	gone, err := t.lookIntegers(ctx, 1, `
		SELECT EXISTS (SELECT 1 FROM unpack(?) WHERE NOT EXISTS (SELECT 1 FROM unfiled WHERE number = c0))`, packNumbers(numbers))
	if err != nil {
		return false, err
	}
	return gone[0] == 0, nil
}

// addUnfiled takes note of rows that were just added, and files the keys of the
// scopes in which enough wait.
func (t *tx) addUnfiled(ctx context.Context, list []unfiledFact) error {
	ctx = context.WithoutCancel(ctx) // the function may go on, and what is known must be what is stored
	slices.SortFunc(list, func(a, b unfiledFact) int { return cmp.Compare(a.number, b.number) })
	for len(list) > 0 {
		no := scopeOf(list[0].number)
		n := slices.IndexFunc(list, func(f unfiledFact) bool { return scopeOf(f.number) != no })
		if n < 0 {
			n = len(list)
		}
		if err := t.addUnfiledOf(ctx, no, list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// addUnfiledOf is addUnfiled for the facts of one scope.
func (t *tx) addUnfiledOf(ctx context.Context, scopeNo int64, list []unfiledFact) error {
	c, err := t.unfiled(ctx, scopeNo)
	if err != nil {
		return err
	}
	known := func(f unfiledFact) bool { return f.number <= c.seen } // it was read just now
	c.addAll(slices.DeleteFunc(list, known))
	t.db.unfiled.keep(scopeNo, c)
	if c.facts < t.db.fileFrom {
		return nil
	}
	return t.file(ctx, scopeNo)
}

// What is in table sketch already, in a home that is damaged, must not keep
// others from being saved.
const fileSketches = `INSERT OR IGNORE INTO sketch (scope_no, key, number, bits) SELECT c0, c1, c2, c3 FROM unpack(?)`

// file puts all keys of a scope that wait into table sketch, in its order.
func (t *tx) file(ctx context.Context, scopeNo int64) error {
	low, high := numbers(scopeNo)
	list, err := t.unfiledBetween(ctx, low, high)
	if err != nil {
		return err
	}
	rows, err := sketchRowsOf(scopeNo, list)
	if err != nil {
		return err
	}
	if _, err := t.put(ctx, fileSketches, []byte(rows)); err != nil {
		return err
	}
	if _, err := t.put(ctx, `DELETE FROM unfiled WHERE number BETWEEN ? AND ?`, low, high); err != nil {
		return err
	}
	t.db.unfiled.drop(scopeNo)
	return nil
}

// sketchRowsOf makes the rows of table sketch, in the order of its key.
func sketchRowsOf(scopeNo int64, list []unfiledFact) (packedRows, error) {
	type row struct {
		key, number int64
		bits        uint64
	}
	var all []row
	for _, f := range list {
		for _, key := range f.sketch.keys {
			all = append(all, row{key, f.number, f.sketch.bits})
		}
	}
	slices.SortFunc(all, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(b.number, a.number))
	})
	var rows packedRows
	for _, r := range all {
		if err := rows.add(scopeNo, r.key, r.number, int64(r.bits)); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// dropUnfiled removes the keys of a fact if they wait, and reports whether they
// did.
func (t *tx) dropUnfiled(ctx context.Context, number int64, keys []int64) (bool, error) {
	res, err := t.exec(ctx, `DELETE FROM unfiled WHERE number = ?`, number)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	if err != nil || n == 0 {
		return false, err
	}
	t.db.unfiled.remove(number, keys)
	return true, nil
}

// encodeKeys is how the keys of a fact are stored that wait.
func encodeKeys(keys []int64) []byte {
	b := make([]byte, 0, 8*len(keys))
	for _, key := range keys {
		b = binary.LittleEndian.AppendUint64(b, uint64(key))
	}
	return b
}

// decodeKeys is the inverse of encodeKeys.
func decodeKeys(b []byte) []int64 {
	keys := make([]int64, len(b)/8)
	for i := range keys {
		keys[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return keys
}
