package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/nearest"
	"github.com/strata-memory/strata/vector"
)

// codeHead is what a writer knows of the codes of one scope, model and kind.
type codeHead struct {
	nearest.Head
	scopeNo int64
	model   model
	kind    int64
	coder   *vector.Coder // nil until it is needed
	// fresh are the passages whose vectors are pending and not written yet.
	fresh []int64
}

// rebuiltBlocks is how many blocks are made with one transaction at most, beside
// those of its own vectors. It bounds how long a save takes that finds damaged
// codes; the next ones go on.
const rebuiltBlocks = 64

// code makes a stored vector of a passage known to the scan of codes.
func (t *tx) code(ctx context.Context, m model, p passageRow) error {
	h, err := t.openHead(ctx, m, p)
	if err == nil {
		h.fresh = append(h.fresh, p.number)
	}
	return err
}

// openHead returns the head of a passage's scope and kind and a model, which
// exists from then on.
func (t *tx) openHead(ctx context.Context, m model, p passageRow) (*codeHead, error) {
	key := headKey{scopeOf(p.number), m.number, p.kind}
	if h := t.counting().heads[key]; h != nil {
		return h, nil
	}
	h := &codeHead{scopeNo: key.scopeNo, model: m, kind: key.kind}
	row, err := t.lookIntegers(ctx, 4, `SELECT id, coded, uncoded, change FROM code_head WHERE scope_no = ? AND model = ? AND kind = ?`,
		key.scopeNo, key.model, key.kind)
	if err != nil {
		return nil, err
	}
	if len(row) > 0 {
		h.ID, h.Coded, h.Pending, h.Change = row[0], row[1], row[2], row[3]
	} else {
		res, err := t.put(ctx, `INSERT INTO code_head (scope_no, model, kind) VALUES (?, ?, ?)`, key.scopeNo, key.model, key.kind)
		if err != nil {
			return nil, err
		}
		if h.ID, err = res.LastInsertId(); err != nil {
			return nil, err
		}
	}
	t.counting().heads[key] = h
	return h, nil
}

// putHead makes the fresh vectors of a head pending, and blocks of those that are
// enough. The vectors are written already.
func (t *tx) putHead(ctx context.Context, h *codeHead) error {
	fresh := len(h.fresh)
	if fresh == 0 {
		return nil
	}
	if h.Coded > 0 {
		if err := t.openCoder(ctx, h); err != nil && strata.CodeOf(err) != strata.CodeCorrupt {
			return err
		} else if err != nil {
			t.db.near.Damage(h.ID)
		}
	}
	if t.db.near.Damaged(h.ID) {
		if err := t.rebuildCodes(ctx, h); err != nil {
			return err
		}
	} else {
		if _, err := t.put(ctx, `INSERT INTO uncoded (head, number) SELECT ?, c0 FROM unpack(?)`, h.ID, packNumbers(h.fresh)); err != nil {
			return err
		}
		h.Pending += int64(fresh)
	}
	h.fresh = h.fresh[:0]
	for range rebuiltBlocks + fresh/nearest.BlockCodes {
		if h.Coded+h.Pending < nearest.CodeFrom || h.Pending < nearest.BlockCodes {
			break
		}
		if err := t.packBlock(ctx, h); err != nil {
			return err
		}
	}
	_, err := t.put(ctx, `UPDATE code_head SET coded = ?, uncoded = ?, change = ? WHERE id = ?`, h.Coded, h.Pending, h.Change, h.ID)
	return err
}

// openCoder makes the coder of a head. The first time, its center becomes the mean
// of the vectors there are.
func (t *tx) openCoder(ctx context.Context, h *codeHead) error {
	if h.coder != nil {
		return nil
	}
	center, err := nearSource{t}.Center(ctx, h.ID)
	if err != nil {
		return err
	}
	if center == nil && h.Coded == 0 {
		_, vectors, err := t.pending(ctx, h, nearest.CodeFrom)
		if err != nil {
			return err
		}
		center = nearest.NewCenter(h.model.dim, vectors)
		if _, err := t.put(ctx, `UPDATE code_head SET center = ? WHERE id = ?`, center, h.ID); err != nil {
			return err
		}
	}
	h.coder, err = nearest.NewCoder(center, h.model.dim)
	return err
}

// pending returns up to limit passages of a head that are in no block, by number,
// and their vectors.
func (t *tx) pending(ctx context.Context, h *codeHead, limit int) (numbers []int64, vectors [][]float32, err error) {
	err = nearSource{t}.rows(ctx, 2, `
		SELECT pack_rows(number, embedding) FROM (
			SELECT u.number, v.embedding FROM uncoded AS u CROSS JOIN vector AS v ON v.place = u.number + ?
			WHERE u.head = ? AND v.embedding IS NOT NULL ORDER BY u.number LIMIT ?)`, []any{h.model.shift(), h.ID, limit},
		func(row []packedValue) error {
			v, err := decodeStored(row[1].bytes, h.model.dim)
			numbers, vectors = append(numbers, int64(row[0].bits)), append(vectors, v)
			return err
		})
	return numbers, vectors, err
}

// packBlock makes a block of the vectors that are pending, the oldest first.
func (t *tx) packBlock(ctx context.Context, h *codeHead) error {
	if err := t.openCoder(ctx, h); err != nil {
		return err
	}
	numbers, vectors, err := t.pending(ctx, h, nearest.BlockCodes)
	if err != nil {
		return err
	}
	n := len(numbers)
	if n == 0 {
		return corruptError("code vectors", "a head counts vectors that are not there")
	}
	b, fine, err := nearest.NewBlock(h.coder, numbers, vectors)
	if err != nil {
		return err
	}
	if _, err := t.put(ctx, `DELETE FROM uncoded WHERE head = ? AND number <= ?`, h.ID, numbers[n-1]); err != nil {
		return err
	}
	if h.Change, err = t.nextChange(ctx); err != nil {
		return err
	}
	res, err := t.put(ctx, `INSERT INTO code_block (head, low, high, live, change, numbers, codes, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		h.ID, numbers[0], numbers[n-1], n, h.Change, b.Numbers, b.Codes, *b.Sum)
	if err != nil {
		return err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return err
	}
	_, err = t.put(ctx, `INSERT INTO code_fine (block, sum, codes) VALUES (?, ?, ?)`, id, fine.Sum, fine.Codes)
	h.Coded, h.Pending = h.Coded+int64(n), h.Pending-int64(n)
	return err
}

// rebuildCodes drops the codes of a head and makes all its vectors pending.
func (t *tx) rebuildCodes(ctx context.Context, h *codeHead) error {
	change, err := t.nextChange(ctx)
	if err != nil {
		return err
	}
	low, high := numbers(h.scopeNo)
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`DELETE FROM code_block WHERE head = ?`, []any{h.ID}},
		{`DELETE FROM uncoded WHERE head = ?`, []any{h.ID}},
		{`INSERT INTO uncoded (head, number)
			SELECT ?, p.number FROM passage AS p CROSS JOIN vector AS v ON v.place = p.number + ?
			WHERE p.number BETWEEN ? AND ? AND p.kind = ? AND v.embedding IS NOT NULL`, []any{h.ID, h.model.shift(), low, high, h.kind}},
		{`UPDATE code_head SET center = NULL, removed = ? WHERE id = ?`, []any{change, h.ID}},
	} {
		if _, err := t.put(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	h.coder, h.Coded, h.Change, h.Removed = nil, 0, change, change
	if h.Pending, err = t.lookInteger(ctx, `SELECT count(*) FROM uncoded WHERE head = ?`, h.ID); err != nil {
		return err
	}
	t.db.near.Rebuilt(h.ID)
	return nil
}

// uncode takes a passage's vector out of the scan of codes.
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
	b, slot, err := t.findSlot(ctx, head, number)
	if err != nil {
		return err
	}
	last := len(b.Live()) <= 1
	if err := b.Blank(slot, m.dim); err != nil {
		return err
	}
	change, err := t.nextChange(ctx)
	if err != nil {
		return err
	}
	if last {
		_, err = t.exec(ctx, `DELETE FROM code_block WHERE id = ?`, b.ID)
	} else {
		_, err = t.exec(ctx, `UPDATE code_block SET live = live - 1, change = ?, numbers = ?, codes = ?, sum = ? WHERE id = ?`,
			change, b.Numbers, b.Codes, b.Sum, b.ID)
		if err == nil {
			err = t.blankFine(ctx, m, b.ID, slot)
		}
	}
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `UPDATE code_head SET coded = coded - 1, change = ?1, removed = iif(?2, ?1, removed) WHERE id = ?3`,
		change, last, head)
	return err
}

// blankFine overwrites a slot of a block's fine codes.
func (t *tx) blankFine(ctx context.Context, m model, block int64, slot int) error {
	f := nearest.FineBlock{Block: block}
	err := t.queryRow(ctx, `SELECT sum, codes FROM code_fine WHERE block = ?`, block).Scan(&f.Sum, &f.Codes)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // an older version wrote the block
	}
	if err != nil {
		return err
	}
	if !f.Blank(slot, m.dim) {
		_, err = t.exec(ctx, `DELETE FROM code_fine WHERE block = ?`, block)
	} else {
		_, err = t.exec(ctx, `UPDATE code_fine SET codes = ?, sum = ? WHERE block = ?`, f.Codes, f.Sum, block)
	}
	return err
}

// findSlot returns the block that holds a passage's code, and where in it.
func (t *tx) findSlot(ctx context.Context, head, number int64) (b nearest.Block, slot int, err error) {
	rows, err := t.query(ctx, `
		SELECT id, numbers, codes, sum FROM code_block WHERE head = ?1 AND low <= ?2 AND high >= ?2 ORDER BY high`, head, number)
	if err != nil {
		return b, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&b.ID, &b.Numbers, &b.Codes, &b.Sum); err != nil {
			return b, 0, wrap("read block", err)
		}
		if slot := b.Find(number); slot >= 0 {
			return b, slot, wrap("read block", rows.Close())
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
