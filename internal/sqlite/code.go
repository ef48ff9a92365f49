package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
)

// headKey identifies the codes of one scope, model and kind.
type headKey struct{ scopeNo, model, kind int64 }

// codeHead is what a writer holds of the codes of one scope, model and kind.
type codeHead struct {
	nearest.Writer
	scopeNo int64
	model   model
	kind    int64
}

// code makes the stored vector of a passage known to the scan of codes.
func (t *tx) code(ctx context.Context, m model, p passageRow) error {
	h, err := t.openHead(ctx, m, p)
	if err != nil {
		return err
	}
	return t.clearOnError(t.db.near.Add(ctx, codeTables{nearSource{t}, h}, &h.Writer, []int64{p.number}))
}

// clearOnError clears the cached heads if changing one failed halfway, so that they are
// read again.
func (t *tx) clearOnError(err error) error {
	if err != nil {
		t.cached.clear()
	}
	return err
}

// openHead returns the head for a passage's scope and kind and a model, creating it
// if needed.
func (t *tx) openHead(ctx context.Context, m model, p passageRow) (*codeHead, error) {
	key := headKey{scopeNo: passage.Scope(p.number), model: m.number, kind: p.kind}
	if h := t.cached.heads[key]; h != nil {
		return h, nil
	}
	h := &codeHead{scopeNo: key.scopeNo, model: m, kind: p.kind}
	h.Kind, h.Dim = passage.KindOf(p.kind), m.dim
	row, err := t.queryIntegers(ctx, 5, `
		SELECT id, coded, pending, change, removed FROM code_head WHERE scope_no = ? AND model = ? AND kind = ?`,
		h.scopeNo, m.number, h.kind)
	if err != nil {
		return nil, err
	}
	if len(row) > 0 {
		h.ID, h.Coded, h.Pending, h.Change, h.Removed = row[0], row[1], row[2], row[3], row[4]
	} else {
		res, err := t.exec(ctx, `INSERT INTO code_head (scope_no, model, kind) VALUES (?, ?, ?)`, h.scopeNo, m.number, h.kind)
		if err != nil {
			return nil, err
		}
		if h.ID, err = res.LastInsertId(); err != nil {
			return nil, err
		}
	}
	if t.cached.heads == nil {
		t.cached.heads = make(map[headKey]*codeHead)
	}
	t.cached.heads[key] = h
	return h, nil
}

// uncode removes a passage's vector from the scan of codes.
func (t *tx) uncode(ctx context.Context, m model, p passageRow) error {
	h, err := t.openHead(ctx, m, p)
	if err != nil {
		return err
	}
	return t.clearOnError(h.Remove(ctx, codeTables{nearSource{t}, h}, p.number))
}

var _ nearest.Tables = codeTables{}

// codeTables implements [nearest.Tables] for the rows of a head.
type codeTables struct {
	nearSource
	head *codeHead
}

// SetCenter stores the center.
func (t codeTables) SetCenter(ctx context.Context, center []byte) error {
	_, err := t.exec(ctx, `UPDATE code_head SET center = ?1, center_crc = checksum(?1) WHERE id = ?2`, center, t.head.ID)
	return err
}

// SetHead stores the counts and change numbers of the head.
func (t codeTables) SetHead(ctx context.Context, h nearest.Head) error {
	_, err := t.exec(ctx, `UPDATE code_head SET coded = ?, pending = ?, change = ?, removed = ? WHERE id = ?`,
		h.Coded, h.Pending, h.Change, h.Removed, h.ID)
	return err
}

// NextChange returns a change number greater than any returned before.
func (t codeTables) NextChange(ctx context.Context) (int64, error) { return t.nextChange(ctx) }

// AddPending makes passages pending.
func (t codeTables) AddPending(ctx context.Context, list []int64) error {
	_, err := t.exec(ctx, `INSERT INTO pending_code (head, number) SELECT ?, c0 FROM unpack(?)`, t.head.ID, packed.Numbers(list))
	return err
}

// OldestPending calls fn with pending passages and their vectors, by number.
func (t codeTables) OldestPending(ctx context.Context, limit int, fn func(int64, []byte) error) error {
	return t.rows(ctx, 2, `
		SELECT pack_rows(number, as_float(embedding, ?4)) FROM (
			SELECT u.number, v.embedding FROM pending_code AS u CROSS JOIN vector AS v ON v.place = u.number + ?1
			WHERE u.head = ?2 AND v.embedding IS NOT NULL ORDER BY u.number LIMIT ?3)`,
		[]any{t.head.model.shift(), t.head.ID, limit, t.head.model.dim},
		func(row []packed.Value) error { return fn(row[0].Int(), row[1].Bytes()) })
}

// RemovePending makes a passage no longer pending and reports whether it was.
func (t codeTables) RemovePending(ctx context.Context, number int64) (bool, error) {
	res, err := t.exec(ctx, `DELETE FROM pending_code WHERE head = ? AND number = ?`, t.head.ID, number)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// AddBlock stores a block of the oldest pending passages, which are no longer
// pending.
func (t codeTables) AddBlock(ctx context.Context, change int64, b nearest.Block) error {
	if _, err := t.exec(ctx, `DELETE FROM pending_code WHERE head = ? AND number <= ?`, t.head.ID, b.High); err != nil {
		return err
	}
	_, err := t.exec(ctx, `INSERT INTO code_block (head, low, high, live, change, numbers, codes, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		t.head.ID, b.Low, b.High, b.Slots(), change, b.Numbers, b.Codes, *b.Sum)
	return err
}

// FindBlock returns the block that holds the code of a passage.
func (t codeTables) FindBlock(ctx context.Context, number int64) (b nearest.Block, err error) {
	rows, err := t.query(ctx, `
		SELECT id, low, high, numbers, codes, sum FROM code_block
		WHERE head = ?1 AND low <= ?2 AND high >= ?2 ORDER BY high`, t.head.ID, number)
	if err != nil {
		return b, err
	}
	defer rows.Close()
	for rows.Next() {
		var b nearest.Block
		if err := rows.Scan(&b.ID, &b.Low, &b.High, &b.Numbers, &b.Codes, &b.Sum); err != nil {
			return b, wrap("read block", err)
		}
		if b.Find(number) >= 0 {
			return b, wrap("read block", rows.Close())
		}
	}
	return b, wrap("read block", rows.Err())
}

// SetBlock stores a changed block.
func (t codeTables) SetBlock(ctx context.Context, change int64, b nearest.Block) error {
	_, err := t.exec(ctx, `UPDATE code_block SET live = ?, change = ?, numbers = ?, codes = ?, sum = ? WHERE id = ?`,
		len(b.Live()), change, b.Numbers, b.Codes, b.Sum, b.ID)
	return err
}

// RemoveBlock removes a block.
func (t codeTables) RemoveBlock(ctx context.Context, id int64) error {
	_, err := t.exec(ctx, `DELETE FROM code_block WHERE id = ?`, id)
	return err
}

// Reset removes all codes of the head and makes all its vectors pending.
func (t codeTables) Reset(ctx context.Context) (pending int64, err error) {
	h := t.head
	low, high := passage.Numbers(h.scopeNo)
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`DELETE FROM code_block WHERE head = ?`, []any{h.ID}},
		{`DELETE FROM pending_code WHERE head = ?`, []any{h.ID}},
		{`INSERT INTO pending_code (head, number)
			SELECT ?, p.number FROM passage AS p CROSS JOIN vector AS v ON v.place = p.number + ?
			WHERE p.number BETWEEN ? AND ? AND p.kind = ? AND v.embedding IS NOT NULL`, []any{h.ID, h.model.shift(), low, high, h.kind}},
		{`UPDATE code_head SET center = NULL, center_crc = NULL WHERE id = ?`, []any{h.ID}},
	} {
		if _, err := t.exec(ctx, s.statement, s.args...); err != nil {
			return 0, err
		}
	}
	return t.queryInteger(ctx, `SELECT count(*) FROM pending_code WHERE head = ?`, h.ID)
}

// dropCodes removes all codes of a scope.
func (t *tx) dropCodes(ctx context.Context, scopeNo int64) error {
	t.cached.clear()
	for _, statement := range []string{
		`DELETE FROM pending_code WHERE head IN (SELECT id FROM code_head WHERE scope_no = ?)`,
		`DELETE FROM code_block WHERE head IN (SELECT id FROM code_head WHERE scope_no = ?)`,
		`DELETE FROM code_head WHERE scope_no = ?`,
	} {
		if _, err := t.exec(ctx, statement, scopeNo); err != nil {
			return err
		}
	}
	return nil
}
