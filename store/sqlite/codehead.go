package sqlite

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/vector"
)

// codeHead is what is known of the codes of one scope, model and kind.
type codeHead struct {
	id             int64
	coded, uncoded int64
	change         int64         // of its blocks, the last one
	removed        int64         // the last change that removed a block
	changed        bool          // since it was read or written
	center         []byte        // to be written; nil for the one that is
	coder          *vector.Coder // nil until it is needed

	// known are those of the uncoded that came since the head was read; the first
	// ones are in the table, stored of them, the others are to be written there.
	known  codeRows
	stored int
}

// codeRows are vectors as a block holds them. Where there is no coder yet they
// have no codes.
type codeRows struct {
	numbers     []int64
	codes, fine []byte
}

// add appends a vector; coder may be nil.
func (r *codeRows) add(coder *vector.Coder, number int64, v []float32) (err error) {
	if coder != nil {
		if r.codes, r.fine, err = coder.AppendCodes(r.codes, r.fine, v); err != nil {
			return err
		}
	}
	r.numbers = append(r.numbers, number)
	return nil
}

// first are the first n vectors, which have codes.
func (r *codeRows) first(n, dim int) codeRows {
	return codeRows{r.numbers[:n], r.codes[:n*vector.CodeBytes(dim)], r.fine[:n*vector.FineBytes(dim)]}
}

// drop removes the first n vectors.
func (r *codeRows) drop(n, dim int) {
	r.numbers = slices.Delete(r.numbers, 0, n)
	r.codes = slices.Delete(r.codes, 0, n*vector.CodeBytes(dim))
	r.fine = slices.Delete(r.fine, 0, n*vector.FineBytes(dim))
}

// clear removes all vectors.
func (r *codeRows) clear() { r.numbers, r.codes, r.fine = r.numbers[:0], r.codes[:0], r.fine[:0] }

// code makes a stored vector of a passage known to the scan of codes. Its codes
// are made at once, from the vector at hand: until their block is full they are
// kept in memory as long as this process writes alone, and no vector is read.
func (t *tx) code(ctx context.Context, m model, p passageRow, direction []float32) error {
	h, err := t.openHead(ctx, m, p)
	if err != nil {
		return err
	}
	if h.coded > 0 {
		err := t.openCoder(ctx, m, h)
		if strata.CodeOf(err) == strata.CodeCorrupt {
			t.db.codes.damage(h.id)
		} else if err != nil {
			return err
		}
	}
	if t.db.codes.isDamaged(h.id) {
		if err := t.rebuildCodes(ctx, m, p, h); err != nil {
			return err
		}
	} else {
		if err := h.known.add(h.coder, p.number, direction); err != nil {
			return err
		}
		h.uncoded++
		h.changed = true
	}
	for range rebuiltBlocks {
		if h.coded+h.uncoded < codeFrom || h.uncoded < blockCodes {
			break
		}
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
	_, err := t.put(ctx, `UPDATE code_head SET coded = ?, uncoded = ?, change = ?, center = coalesce(?, center) WHERE id = ?`,
		h.coded, h.uncoded, h.change, h.center, h.id)
	if err == nil {
		h.changed, h.center = false, nil
	}
	return err
}

// putFresh makes the vectors that are in no block wait in the table. Those without
// codes are read from there once a block of them is packed.
func (t *tx) putFresh(ctx context.Context, h *codeHead) error {
	fresh := h.known.numbers[h.stored:]
	if len(fresh) == 0 {
		return nil
	}
	if _, err := t.put(ctx, `INSERT INTO uncoded (head, number) SELECT ?, c0 FROM unpack(?)`, h.id, packNumbers(fresh)); err != nil {
		return err
	}
	if h.coder == nil {
		h.known.clear()
	}
	h.stored = len(h.known.numbers)
	return nil
}

// openHead returns the head of a passage's scope and kind and a model, which
// exists from then on.
func (t *tx) openHead(ctx context.Context, m model, p passageRow) (*codeHead, error) {
	key := headKey{scopeOf(p.number), m.number, p.kind}
	if h := t.counting().heads[key]; h != nil {
		return h, nil
	}
	row, err := t.lookIntegers(ctx, 4, `SELECT id, coded, uncoded, change FROM code_head WHERE scope_no = ? AND model = ? AND kind = ?`,
		key.scopeNo, key.model, key.kind)
	if err != nil {
		return nil, err
	}
	h := new(codeHead)
	if len(row) > 0 {
		h.id, h.coded, h.uncoded, h.change = row[0], row[1], row[2], row[3]
	} else {
		res, err := t.put(ctx, `INSERT INTO code_head (scope_no, model, kind) VALUES (?, ?, ?)`, key.scopeNo, key.model, key.kind)
		if err != nil {
			return nil, err
		}
		if h.id, err = res.LastInsertId(); err != nil {
			return nil, err
		}
	}
	t.counting().heads[key] = h
	return h, nil
}

// openCoder makes the coder of a head. The first time, its center becomes the mean
// of the vectors there are.
func (t *tx) openCoder(ctx context.Context, m model, h *codeHead) error {
	if h.coder != nil {
		return nil
	}
	var center []byte
	err := t.lookRow(ctx, `SELECT center FROM code_head WHERE id = ?`, h.id).Scan(&center)
	if err != nil {
		return err
	}
	if err := t.putFresh(ctx, h); err != nil { // they have no codes
		return err
	}
	if center == nil {
		if center, err = t.meanWaiting(ctx, m, h.id); err != nil {
			return err
		}
		h.center = center
	}
	h.coder, err = coderOf(m, center)
	return err
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

// waiting returns up to limit vectors of a head that wait in the table, by number.
// They come packed: to scan a block of them row by row takes twice as long as
// to code it.
func (t *tx) waiting(ctx context.Context, m model, head int64, limit int) ([]numberedVector, error) {
	if err := t.writeKept(ctx); err != nil {
		return nil, err
	}
	packed, err := t.lookBlob(ctx, `
		SELECT pack_rows(number, embedding) FROM (
			SELECT u.number, v.embedding FROM uncoded AS u CROSS JOIN vector AS v ON v.place = u.number + ?
			WHERE u.head = ? ORDER BY u.number LIMIT ?)`, m.shift(), head, limit)
	if err != nil {
		return nil, err
	}
	return unpackVectors(packed, m.dim)
}
