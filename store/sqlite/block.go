package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"

	"github.com/strata-memory/strata/vector"
)

// A scope with few vectors is searched by measuring them all. In a larger one
// that would take too long: there, codes (package vector) of one bit a
// dimension are scanned first. They are stored in blocks of many, and made only
// when a block is full, so that saving stays cheap; until then a vector waits
// in table uncoded and is measured by every search.
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

// codeHead is what is known of the codes of one scope, model and kind.
type codeHead struct {
	id             int64
	coded, uncoded int64
	changed        bool            // since it was read or written
	fresh          []waitingVector // those of the uncoded that are not written yet
	center         []byte          // nil while nothing is coded
	coder          *vector.Coder   // nil until it is needed
}

// code makes a stored vector of a passage known to the scan of codes.
func (t *tx) code(ctx context.Context, m model, p passageRow, direction []float32) error {
	h, err := t.openHead(ctx, m, p)
	if err != nil {
		return err
	}
	h.fresh = append(h.fresh, waitingVector{p.number, direction})
	h.uncoded++
	h.changed = true
	for h.coded+h.uncoded >= codeFrom && h.uncoded >= blockCodes {
		if err := t.packBlock(ctx, m, h); err != nil {
			return err
		}
	}
	return nil
}

// putHead writes what changed of a head.
func (t *tx) putHead(ctx context.Context, h *codeHead) error {
	if !h.changed {
		return nil
	}
	if err := t.putFresh(ctx, h); err != nil {
		return err
	}
	_, err := t.put(ctx, `UPDATE code_head SET coded = ?, uncoded = ?, center = coalesce(?, center) WHERE id = ?`,
		h.coded, h.uncoded, h.center, h.id)
	h.changed = err != nil
	return err
}

// putFresh makes the vectors that are in no block wait in the table.
func (t *tx) putFresh(ctx context.Context, h *codeHead) error {
	for len(h.fresh) > 0 {
		if _, err := t.put(ctx, `INSERT INTO uncoded (head, number) VALUES (?, ?)`, h.id, h.fresh[0].number); err != nil {
			return err
		}
		h.fresh = h.fresh[1:]
	}
	h.fresh = nil
	return nil
}

// openHead returns the head of a passage's scope and kind and a model, which
// exists from then on.
func (t *tx) openHead(ctx context.Context, m model, p passageRow) (*codeHead, error) {
	key := headKey{scopeOf(p.number), m.number, p.kind}
	if h := t.counting().heads[key]; h != nil {
		return h, nil
	}
	h := new(codeHead)
	err := t.lookRow(ctx, `SELECT id, coded, uncoded FROM code_head WHERE scope_no = ? AND model = ? AND kind = ?`,
		key.scopeNo, key.model, key.kind).Scan(&h.id, &h.coded, &h.uncoded)
	if errors.Is(err, sql.ErrNoRows) {
		var res sql.Result
		res, err = t.put(ctx, `INSERT INTO code_head (scope_no, model, kind) VALUES (?, ?, ?)`, key.scopeNo, key.model, key.kind)
		if err == nil {
			h.id, err = res.LastInsertId()
		}
	}
	if err != nil {
		return nil, err
	}
	t.counting().heads[key] = h
	return h, nil
}

// packBlock codes blockCodes of the vectors that wait, the oldest first. Those
// that came with this function are taken as they are: of a batch few ever wait
// in the table.
func (t *tx) packBlock(ctx context.Context, m model, h *codeHead) error {
	coder, err := t.openCoder(ctx, m, h)
	if err != nil {
		return err
	}
	var block []waitingVector
	if h.uncoded > int64(len(h.fresh)) {
		if block, err = t.waiting(ctx, m, h.id, blockCodes); err != nil {
			return err
		}
		if n := len(block); n > 0 {
			_, err := t.put(ctx, `DELETE FROM uncoded WHERE head = ? AND number <= ?`, h.id, block[n-1].number)
			if err != nil {
				return err
			}
		}
	}
	n := min(blockCodes-len(block), len(h.fresh))
	block, h.fresh = append(block, h.fresh[:n]...), h.fresh[n:]
	if len(block) == 0 {
		return corruptError("code vectors", "a head counts vectors that are not there")
	}
	low, high := block[0].number, block[0].number
	var ns, codes []byte
	for _, w := range block {
		if codes, err = coder.AppendCode(codes, w.v); err != nil {
			return err
		}
		ns = binary.LittleEndian.AppendUint64(ns, uint64(w.number))
		low, high = min(low, w.number), max(high, w.number)
	}
	_, err = t.put(ctx, `INSERT INTO code_block (head, low, high, live, numbers, codes) VALUES (?, ?, ?, ?, ?, ?)`,
		h.id, low, high, len(block), ns, codes)
	h.coded, h.uncoded = h.coded+int64(len(block)), h.uncoded-int64(len(block))
	return err
}

// openCoder returns the coder of a head. The first time, its center becomes
// the mean of the vectors there are.
func (t *tx) openCoder(ctx context.Context, m model, h *codeHead) (*vector.Coder, error) {
	if h.coder != nil {
		return h.coder, nil
	}
	err := t.lookRow(ctx, `SELECT center FROM code_head WHERE id = ?`, h.id).Scan(&h.center)
	if err != nil {
		return nil, err
	}
	if h.center == nil {
		if err := t.putFresh(ctx, h); err != nil {
			return nil, err
		}
		if h.center, err = t.meanWaiting(ctx, m, h.id); err != nil {
			return nil, err
		}
	}
	h.coder, err = coderOf(m, h.center)
	return h.coder, err
}

func coderOf(m model, center []byte) (*vector.Coder, error) {
	c, err := vector.Decode(center, m.dim)
	if err != nil {
		return nil, corruptError("read center of codes", err.Error())
	}
	return vector.NewCoder(m.dim, c)
}

// meanWaiting returns the mean of the vectors that wait, encoded.
func (t *tx) meanWaiting(ctx context.Context, m model, head int64) ([]byte, error) {
	waiting, err := t.waiting(ctx, m, head, codeFrom)
	if err != nil {
		return nil, err
	}
	sums := make([]float64, m.dim)
	for _, w := range waiting {
		for i, x := range w.v {
			sums[i] += float64(x)
		}
	}
	mean := make([]float32, m.dim)
	for i, s := range sums {
		mean[i] = float32(s / float64(max(1, len(waiting))))
	}
	return vector.Encode(mean), nil
}

// waitingVector is a vector that is in no block.
type waitingVector struct {
	number int64
	v      []float32
}

// waiting returns up to limit vectors of a head that wait in the table, by number.
func (t *tx) waiting(ctx context.Context, m model, head int64, limit int) ([]waitingVector, error) {
	rows, err := t.look(ctx, `
		SELECT u.number, v.embedding FROM uncoded AS u CROSS JOIN vector AS v ON v.place = u.number + ?
		WHERE u.head = ? ORDER BY u.number LIMIT ?`, m.shift(), head, limit)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (waitingVector, error) {
		var w waitingVector
		var embedding []byte
		err := scan(&w.number, &embedding)
		if err != nil {
			return w, err
		}
		if w.v, err = vector.Decode(embedding, m.dim); err != nil {
			return w, corruptError("read vector", err.Error())
		}
		return w, nil
	})
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
	clear(b.numbers[8*at : 8*at+8])
	size := vector.CodeBytes(m.dim)
	if len(b.codes) < size*(at+1) {
		return corruptError("blank code", "a block of codes is cut short")
	}
	clear(b.codes[size*at : size*(at+1)])
	if b.live > 1 {
		_, err = t.exec(ctx, `UPDATE code_block SET live = live - 1, numbers = ?, codes = ? WHERE id = ?`,
			b.numbers, b.codes, b.id)
	} else {
		_, err = t.exec(ctx, `DELETE FROM code_block WHERE id = ?`, b.id)
	}
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `UPDATE code_head SET coded = coded - 1 WHERE id = ?`, head)
	return err
}

// codeBlock is a stored block.
type codeBlock struct {
	id, live       int64
	numbers, codes []byte
}

// number returns the passage whose code is in a slot; 0 where it is gone.
func (b codeBlock) number(slot int) int64 {
	return int64(binary.LittleEndian.Uint64(b.numbers[8*slot:]))
}

// findSlot returns the block that holds a passage's code, and where in it.
func (t *tx) findSlot(ctx context.Context, head, number int64) (b codeBlock, slot int, err error) {
	rows, err := t.query(ctx, `
		SELECT id, live, numbers, codes FROM code_block WHERE head = ?1 AND low <= ?2 AND high >= ?2 ORDER BY high`, head, number)
	if err != nil {
		return b, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&b.id, &b.live, &b.numbers, &b.codes); err != nil {
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
