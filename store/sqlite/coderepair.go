package sqlite

import (
	"context"
	"errors"

	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// Damaged codes are noticed when they are read: every block has a checksum, and a
// head knows how many codes it has. Searches measure every vector from then on,
// which is right and slow, until the next vector of the same kind is stored in
// the scope. That makes the codes anew.

// errDamaged means that codes are not what was written.
var errDamaged = errors.New("codes are damaged")

// rebuiltBlocks is how many blocks are packed with one vector at most. It bounds
// how long a save takes that finds damaged codes; the next ones go on.
const rebuiltBlocks = 64

// rebuildCodes drops the codes of a head and makes all its vectors wait.
func (t *tx) rebuildCodes(ctx context.Context, m model, p passageRow, h *codeHead) error {
	if err := t.writeKept(ctx); err != nil { // passages and vectors among them
		return err
	}
	change, err := t.nextChange(ctx)
	if err != nil {
		return err
	}
	low, high := numbers(scopeOf(p.number))
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`DELETE FROM code_block WHERE head = ?`, []any{h.id}},
		{`DELETE FROM uncoded WHERE head = ?`, []any{h.id}},
		{`INSERT INTO uncoded (head, number)
			SELECT ?, p.number FROM passage AS p CROSS JOIN vector AS v ON v.place = p.number + ?
			WHERE p.number BETWEEN ? AND ? AND p.kind = ? AND v.embedding IS NOT NULL`, []any{h.id, m.shift(), low, high, p.kind}},
		{`UPDATE code_head SET center = NULL, removed = ? WHERE id = ?`, []any{change, h.id}},
	} {
		if _, err := t.put(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	*h = codeHead{id: h.id, change: change, removed: change, changed: true}
	if err := t.lookRow(ctx, `SELECT count(*) FROM uncoded WHERE head = ?`, h.id).Scan(&h.uncoded); err != nil {
		return err
	}
	t.db.codes.mended(h.id)
	return nil
}

// damage remembers that codes of a head are damaged.
func (cc *codeCache) damage(id int64) {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if cc.damaged == nil {
		cc.damaged = make(map[int64]bool)
	}
	cc.damaged[id] = true
}

// isDamaged reports whether a search found codes of a head damaged.
func (cc *codeCache) isDamaged(id int64) bool {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	return cc.damaged[id]
}

// mended forgets the damage of a head. If it is still there, a search will see it.
func (cc *codeCache) mended(id int64) {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	delete(cc.damaged, id)
}

// checkBlocks compares the codes in every block with the vectors they stand for.
func (t *tx) checkBlocks(ctx context.Context) ([]store.Problem, error) {
	blocks, err := t.numberList(ctx, `
		SELECT b.id FROM code_head AS h JOIN model AS m ON m.number = h.model AND NOT m.stale
		JOIN code_block AS b ON b.head = h.id ORDER BY b.id`)
	if err != nil {
		return nil, err
	}
	var out []store.Problem
	coders := make(map[int64]*vector.Coder)
	for _, id := range blocks {
		if len(out) >= maxProblems {
			break
		}
		low, ok, err := t.blockAgrees(ctx, id, coders)
		if err != nil {
			return out, err
		}
		if !ok {
			p, err := t.indexProblem(ctx, "wrong_code", "a block of codes is not that of its vectors", low)
			if err != nil {
				return out, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// blockAgrees reports whether a block holds the codes of its vectors, and its
// lowest number.
func (t *tx) blockAgrees(ctx context.Context, id int64, coders map[int64]*vector.Coder) (low int64, ok bool, err error) {
	var head int64
	var m model
	var center []byte
	var b storedBlock
	var sum, fineSum *int64
	var fine []byte
	err = t.queryRow(ctx, `
		SELECT b.head, h.model, m.dim, h.center, b.low, b.numbers, b.codes, b.sum, f.sum, f.codes
		FROM code_block AS b JOIN code_head AS h ON h.id = b.head JOIN model AS m ON m.number = h.model
		LEFT JOIN code_fine AS f ON f.block = b.id WHERE b.id = ?`, id).
		Scan(&head, &m.number, &m.dim, &center, &low, &b.numbers, &b.codes, &sum, &fineSum, &fine)
	if err != nil {
		return low, false, err
	}
	b.sum = sum
	if !b.whole(m.dim) || fineSum != nil && *fineSum != blockSum(fine) {
		return low, false, nil
	}
	coder := coders[head]
	if coder == nil {
		if coder, err = coderOf(m, center); err != nil {
			return low, false, nil
		}
		coders[head] = coder
	}
	for slot := range len(b.numbers) / 8 {
		n := codeBlock{numbers: b.numbers}.number(slot)
		if n == 0 {
			continue
		}
		var embedding []byte
		err := t.queryRow(ctx, `SELECT widen(embedding) FROM vector WHERE place = ?`, m.place(n)).Scan(&embedding)
		v, decodeErr := vector.Decode(embedding, m.dim)
		if err != nil || decodeErr != nil {
			return low, false, nil // checkCodes and the checks of vectors say what it is
		}
		code, exact, err := coder.AppendCodes(nil, nil, v)
		if err != nil {
			return low, false, err
		}
		if !at(b.codes, slot, code) || fine != nil && !at(fine, slot, exact) {
			return low, false, nil
		}
	}
	return low, true, nil
}

// at reports whether a block holds a code in a slot.
func at(block []byte, slot int, code []byte) bool {
	n := len(code)
	return len(block) >= n*(slot+1) && string(block[n*slot:n*(slot+1)]) == string(code)
}
