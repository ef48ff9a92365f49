package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/strata-memory/strata/vector"
)

// A scope with few vectors is searched by measuring them all. In a larger one
// that would take too long: there, codes (package vector) of one bit a
// dimension are scanned first. They are stored in blocks of many, and only when a
// block is full, so that saving stays cheap; until then a vector waits in table
// uncoded and is measured by every search.
//
// Measured in docs/decisions/0001-vector-layout.md.
const (
	// codeFrom is how many vectors a scope has when the first are coded: about
	// as many as can be measured in a millisecond.
	codeFrom = 2048
	// blockCodes is how many codes a block holds: a page full, with their
	// numbers. Half as many vectors wait for a block on average, and every
	// search measures them, which costs more than to read smaller blocks.
	blockCodes = 128
)

// packBlock makes a block of blockCodes of the vectors that wait, the oldest first:
// those in the table by their numbers, then those that are not written yet.
func (t *tx) packBlock(ctx context.Context, m model, h *codeHead) error {
	if err := t.openCoder(ctx, m, h); err != nil {
		return err
	}
	if int64(len(h.known.numbers)) < h.uncoded || !slices.IsSorted(h.known.numbers[:h.stored]) {
		if err := t.readStored(ctx, m, h); err != nil {
			return err
		}
	}
	n := min(blockCodes, len(h.known.numbers))
	if n == 0 {
		return corruptError("code vectors", "a head counts vectors that are not there")
	}
	block, stored := h.known.first(n, m.dim), min(n, h.stored)
	if stored > 0 {
		_, err := t.put(ctx, `DELETE FROM uncoded WHERE head = ? AND number <= ?`, h.id, block.numbers[stored-1])
		if err != nil {
			return err
		}
	}
	if err := t.putBlock(ctx, h, block); err != nil {
		return err
	}
	h.known.drop(n, m.dim)
	h.stored -= stored
	h.coded, h.uncoded = h.coded+int64(n), h.uncoded-int64(n)
	return nil
}

// readStored reads the vectors that wait in the table and come into a block first,
// for what is known of those may not be all.
func (t *tx) readStored(ctx context.Context, m model, h *codeHead) error {
	list, err := t.waiting(ctx, m, h.id, blockCodes)
	if err != nil {
		return err
	}
	fresh := h.known
	fresh.drop(h.stored, m.dim)
	h.known, h.stored = codeRows{}, len(list)
	for _, w := range list {
		if err := h.known.add(h.coder, w.number, w.v); err != nil {
			return err
		}
	}
	h.known.numbers = append(h.known.numbers, fresh.numbers...)
	h.known.codes = append(h.known.codes, fresh.codes...)
	h.known.fine = append(h.known.fine, fresh.fine...)
	return nil
}

// putBlock stores a block.
func (t *tx) putBlock(ctx context.Context, h *codeHead, block codeRows) (err error) {
	ns := make([]byte, 0, 8*len(block.numbers))
	for _, n := range block.numbers {
		ns = binary.LittleEndian.AppendUint64(ns, uint64(n))
	}
	if h.change, err = t.nextChange(ctx); err != nil {
		return err
	}
	res, err := t.put(ctx, `INSERT INTO code_block (head, low, high, live, change, numbers, codes, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		h.id, slices.Min(block.numbers), slices.Max(block.numbers), len(block.numbers), h.change, ns, block.codes, blockSum(ns, block.codes))
	if err != nil {
		return err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return err
	}
	_, err = t.put(ctx, `INSERT INTO code_fine (block, sum, codes) VALUES (?, ?, ?)`, id, blockSum(block.fine), block.fine)
	return err
}

// uncode takes a passage's vector out of the scan of codes. Its code is
// overwritten: codes, too, say something of a text.
func (t *tx) uncode(ctx context.Context, m model, p passageRow) error {
	var head int64
	err := t.queryRow(ctx, `SELECT id FROM code_head WHERE scope_no = ? AND model = ? AND kind = ?`,
		scopeOf(p.number), m.number, p.kind).Scan(&head)
	if err != nil {
		return err
	}
	res, err := t.exec(ctx, `DELETE FROM uncoded WHERE head = ? AND number = ?`, head, p.number)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n > 0 {
		_, err = t.exec(ctx, `UPDATE code_head SET uncoded = uncoded - 1 WHERE id = ?`, head)
		return err
	}
	return t.blank(ctx, m, head, p.number)
}

// blank overwrites a passage's slot in its block.
func (t *tx) blank(ctx context.Context, m model, head, number int64) error {
	b, at, err := t.findSlot(ctx, head, number)
	if err != nil {
		return err
	}
	damaged := b.sum.Valid && b.sum.Int64 != blockSum(b.numbers, b.codes)
	clear(b.numbers[8*at : 8*at+8])
	size := vector.CodeBytes(m.dim)
	if len(b.codes) < size*(at+1) {
		return corruptError("blank code", "a block of codes is cut short")
	}
	clear(b.codes[size*at : size*(at+1)])
	change, err := t.nextChange(ctx)
	if err != nil {
		return err
	}
	if b.sum.Valid && !damaged { // what was damaged stays known as such
		b.sum.Int64 = blockSum(b.numbers, b.codes)
	}
	if b.live > 1 {
		_, err = t.exec(ctx, `UPDATE code_block SET live = live - 1, change = ?, numbers = ?, codes = ?, sum = ? WHERE id = ?`,
			change, b.numbers, b.codes, b.sum, b.id)
		if err == nil {
			err = t.blankFine(ctx, m, b.id, at)
		}
	} else {
		_, err = t.exec(ctx, `DELETE FROM code_block WHERE id = ?`, b.id)
	}
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `UPDATE code_head SET coded = coded - 1, change = ?1, removed = iif(?2, ?1, removed) WHERE id = ?3`,
		change, b.live <= 1, head)
	return err
}

// blankFine overwrites a slot of a block's fine codes.
func (t *tx) blankFine(ctx context.Context, m model, block int64, at int) error {
	var fine []byte
	var sum int64
	err := t.queryRow(ctx, `SELECT sum, codes FROM code_fine WHERE block = ?`, block).Scan(&sum, &fine)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // an older version wrote the block
	}
	if err != nil {
		return err
	}
	size := vector.FineBytes(m.dim)
	if len(fine) < size*(at+1) || blockSum(fine) != sum {
		_, err = t.exec(ctx, `DELETE FROM code_fine WHERE block = ?`, block) // damaged
		return err
	}
	clear(fine[size*at : size*(at+1)])
	_, err = t.exec(ctx, `UPDATE code_fine SET codes = ?, sum = ? WHERE block = ?`, fine, blockSum(fine), block)
	return err
}

// codeBlock is a stored block.
type codeBlock struct {
	id, live       int64
	numbers, codes []byte
	sum            sql.NullInt64
}

// number returns the passage whose code is in a slot; 0 where it is gone.
func (b codeBlock) number(slot int) int64 {
	return int64(binary.LittleEndian.Uint64(b.numbers[8*slot:]))
}

// findSlot returns the block that holds a passage's code, and where in it.
func (t *tx) findSlot(ctx context.Context, head, number int64) (b codeBlock, slot int, err error) {
	rows, err := t.query(ctx, `
		SELECT id, live, numbers, codes, sum FROM code_block WHERE head = ?1 AND low <= ?2 AND high >= ?2 ORDER BY high`, head, number)
	if err != nil {
		return b, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&b.id, &b.live, &b.numbers, &b.codes, &b.sum); err != nil {
			return b, 0, wrap("read block", err)
		}
		for slot := range len(b.numbers) / 8 {
			if b.number(slot) == number {
				return b, slot, wrap("read block", rows.Close())
			}
		}
	}
	if err := rows.Err(); err != nil {
		return b, 0, wrap("read block", err)
	}
	return b, 0, corruptError("find code", "a vector is in no block and does not wait for one")
}

// dropCodes removes all codes of a scope.
func (t *tx) dropCodes(ctx context.Context, scopeNo int64) error {
	for _, statement := range []string{
		`DELETE FROM uncoded WHERE head IN (SELECT id FROM code_head WHERE scope_no = ?)`,
		`DELETE FROM code_block WHERE head IN (SELECT id FROM code_head WHERE scope_no = ?)`,
		`DELETE FROM code_head WHERE scope_no = ?`,
	} {
		if _, err := t.exec(ctx, statement, scopeNo); err != nil {
			return err
		}
	}
	return nil
}
