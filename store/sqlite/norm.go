package sqlite

import (
	"context"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/strata-memory/strata/neardup"
)

// Facts are looked for by the hashes of their normalized texts. These are filed
// in table filed_norm, in their own order and so by chance, when so many facts of
// a scope wait that it pays: until then they stand in table fact alone, behind the
// last that is filed, and a writer keeps them in memory (unfiledread.go). So a
// new fact costs no page for its hash (docs/decisions/0016-keys-wait.md).
//
// Only what is current is filed: what is retired never becomes current again. What
// is retired later stays, and goes with its fact.

// unfiledNorms are the hashes that wait in table fact. Of each its beginning is
// kept, as a key is.
var unfiledNorms = unfiledTable{
	between: `
		SELECT pack_rows(number, 0, substr(norm, 1, 8)) FROM (
			SELECT number, norm FROM fact
			WHERE number BETWEEN max(?1, (SELECT (no << 40 | norms_filed) + 1 FROM scope WHERE no = ?1 >> 40)) AND ?2
			ORDER BY number)`,
	filed: `SELECT norms_filed > 0 FROM scope WHERE no = ?`,
	file:  (*tx).fileNorms,

	order:     func(key int64) uint64 { return bits.ReverseBytes64(uint64(key)) },
	filedFrom: (*tx).filedNorms,
}

// fileNorms puts the hashes of a scope that wait into table filed_norm, in its
// order.
func (t *tx) fileNorms(ctx context.Context, scopeNo int64, c *unfiledScope) error {
	// What is there already, in a home that is damaged, must not keep others from
	// being saved.
	_, err := t.put(ctx, `
		INSERT OR IGNORE INTO filed_norm (scope_no, norm, number)
		SELECT scope_no, norm, number FROM fact
		WHERE number BETWEEN (SELECT (no << 40 | norms_filed) + 1 FROM scope WHERE no = ?1) AND ?2 AND retired_at IS NULL
		ORDER BY norm, number`, scopeNo, c.seen)
	if err != nil {
		return err
	}
	low, _ := numbers(scopeNo)
	_, err = t.put(ctx, `UPDATE scope SET norms_filed = ? WHERE no = ?`, c.seen-low, scopeNo)
	return err
}

// filedNorms are beginnings of hashes in table filed_norm, from one on.
func (t *tx) filedNorms(ctx context.Context, scopeNo int64, first uint64, limit int64) ([]uint64, error) {
	packed, err := t.lookBlob(ctx, `
		SELECT pack(norm) FROM (SELECT norm FROM filed_norm WHERE scope_no = ? AND norm >= ? ORDER BY norm LIMIT ?)`,
		scopeNo, binary.BigEndian.AppendUint64(nil, first), limit)
	if err != nil {
		return nil, err
	}
	var list []uint64
	for len(packed) > 0 {
		end := 4 + binary.LittleEndian.Uint32(packed)
		var b [8]byte // where a hash is shorter, in a home that is damaged, nobody asks for it
		copy(b[:], packed[4:end])
		list = append(list, binary.BigEndian.Uint64(b[:]))
		packed = packed[end:]
	}
	return list, nil
}

const (
	currentWaiting = `
		SELECT number FROM fact
		WHERE number BETWEEN (SELECT (no << 40 | norms_filed) + 1 FROM scope WHERE no = ?1) AND ?3 AND norm = ?2 AND retired_at IS NULL`
	currentFiled = `
		SELECT f.number FROM filed_norm AS n CROSS JOIN fact AS f ON f.number = n.number
		WHERE n.scope_no = ?1 AND n.norm = ?2 AND f.retired_at IS NULL`
	currentAmong = `SELECT f.number FROM unpack(?) CROSS JOIN fact AS f ON f.number = c0 WHERE f.retired_at IS NULL`
)

// currentByNorm returns the numbers of the current facts with a hash. There may
// be others with the same beginning.
func (t *tx) currentByNorm(ctx context.Context, scopeNo int64, norm []byte) ([]int64, error) {
	if t.group == nil { // to look through what waits costs less than to read it into a map
		_, high := numbers(scopeNo)
		return t.lookIntegers(ctx, 1, currentWaiting+` UNION `+currentFiled, scopeNo, norm, high)
	}
	c, err := t.unfiled(ctx, &t.db.norms, scopeNo)
	if err != nil {
		return nil, err
	}
	var list []int64
	filed := c.filed
	if filed {
		may, err := t.mayBeFiled(ctx, &t.db.norms, scopeNo, []int64{normKey(norm)})
		if err != nil {
			return nil, err
		}
		filed = len(may) > 0
	}
	if filed {
		if list, err = t.lookIntegers(ctx, 1, currentFiled, scopeNo, norm); err != nil {
			return nil, err
		}
	}
	if waiting := c.having(normKey(norm)); len(waiting) > 0 {
		current, err := t.lookIntegers(ctx, 1, currentAmong, packNumbers(waiting))
		if err != nil {
			return nil, err
		}
		list = append(list, current...)
		slices.Sort(list) // what others filed meanwhile is found twice
		list = slices.Compact(list)
	}
	return list, nil
}

// noteNorm takes note of a new fact.
func (t *tx) noteNorm(number int64, norm []byte) {
	t.db.norms.changed = true
	k := t.keeping()
	k.norms = append(k.norms, unfiledFact{number, neardup.Sketch{Keys: []int64{normKey(norm)}}})
}

// normKey is the beginning of a hash.
func normKey(norm []byte) int64 { return int64(binary.LittleEndian.Uint64(norm)) }
