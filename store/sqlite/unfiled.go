package sqlite

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/strata-memory/strata/neardup"
)

// Keys of near-duplicates wait in table unfiled until so many facts of their
// scope do that it pays to file them in table sketch, which is ordered by keys
// and so by chance: until then each key would cost a save a page of its own. A
// writer keeps what waits in memory (unfiledread.go) and asks both
// (docs/decisions/0016-keys-wait.md).

// fileFrom is from how many facts of a scope on their keys are filed, and the
// hashes of their texts. In a scope of 100,000 nearly all pages of both tables are
// written then, however many facts it is; but a process that starts reads all that
// waits, some 0.8 ms for each 1,000.
const fileFrom = 8192

// Only facts whose numbers were just given wait, so that rows of a scope are
// added in the order of their numbers and a writer finds what is new behind the
// last it has read. A fact that is indexed anew has its keys filed at once.
const insertUnfiled = `INSERT INTO unfiled (number, bits, keys) SELECT c0, c1, c2 FROM unpack(?)`

// unfiledKeys are the keys that wait in table unfiled.
var unfiledKeys = unfiledTable{
	between: `
		SELECT pack_rows(number, bits, keys) FROM (
			SELECT number, bits, keys FROM unfiled WHERE number BETWEEN ? AND ? ORDER BY number)`,
	filed: `SELECT EXISTS (SELECT 1 FROM sketch WHERE scope_no = ?)`,
	file:  (*tx).fileKeys,

	order:     func(key int64) uint64 { return uint64(key) ^ 1<<63 },
	filedFrom: (*tx).filedKeys,
}

// likeUnfiled returns facts that wait and are like a sketch, and whether there
// may be others in table sketch.
func (t *tx) likeUnfiled(ctx context.Context, scopeNo int64, s neardup.Sketch) (found []likeness, filed bool, err error) {
	c, err := t.unfiled(ctx, &t.db.keys, scopeNo)
	if err != nil {
		return nil, false, err
	}
	found = c.like(s)
	wait, err := t.stillWait(ctx, found)
	if err != nil {
		return nil, false, err
	}
	if !wait { // others took some out: what they hid counts instead
		t.db.keys.drop(scopeNo)
		if c, err = t.unfiled(ctx, &t.db.keys, scopeNo); err != nil {
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

// What is in table sketch already, in a home that is damaged, must not keep
// others from being saved.
const fileSketches = `INSERT OR IGNORE INTO sketch (scope_no, key, number, bits) SELECT c0, c1, c2, c3 FROM unpack(?)`

// fileKeys puts the keys of a scope that wait into table sketch, in its order.
func (t *tx) fileKeys(ctx context.Context, scopeNo int64, c *unfiledScope) error {
	rows, err := c.sketchRows(scopeNo)
	if err != nil {
		return err
	}
	if _, err := t.put(ctx, fileSketches, []byte(rows)); err != nil {
		return err
	}
	low, _ := numbers(scopeNo)
	_, err = t.put(ctx, `DELETE FROM unfiled WHERE number BETWEEN ? AND ?`, low, c.seen)
	return err
}

// sketchRows makes the rows of table sketch of what waits, in the order of its
// key.
func (c *unfiledScope) sketchRows(scopeNo int64) (packedRows, error) {
	var rows packedRows
	for _, key := range slices.Sorted(maps.Keys(c.newest)) {
		for at := c.newest[key]; at != 0; at = c.entries[at-1].older {
			e := &c.entries[at-1]
			if err := rows.add(scopeNo, key, e.number, int64(e.bits)); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// filedKeys are keys in table sketch, from one on.
func (t *tx) filedKeys(ctx context.Context, scopeNo int64, first uint64, limit int64) ([]uint64, error) {
	packed, err := t.lookBlob(ctx, `
		SELECT pack(key) FROM (SELECT key FROM sketch WHERE scope_no = ? AND key >= ? ORDER BY key LIMIT ?)`,
		scopeNo, int64(first^1<<63), limit)
	if err != nil {
		return nil, err
	}
	return t.db.keys.inOrder(decodeKeys(packed)), nil
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
	t.db.keys.remove(number, keys)
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
