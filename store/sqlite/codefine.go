package sqlite

import (
	"context"
	"database/sql"
	"runtime"

	"github.com/strata-memory/strata/vector"
)

// openFine sees to it that the fine codes of some blocks of a segment are in
// memory, and returns them by block. What does not fit in the cache lives as
// long as the caller uses it.
func (t *tx) openFine(ctx context.Context, m model, head int64, c *codes, wanted []fineBlock) (map[fineBlock]*memory, error) {
	out := make(map[fineBlock]*memory, len(wanted))
	missing := make(map[int64]fineBlock)
	var ids []int64
	for _, w := range wanted {
		s := c.segments[w.segment]
		if f := s.fine[w.block].Load(); f != nil {
			out[w] = f
			continue
		}
		ids = append(ids, s.ids[w.block])
		missing[s.ids[w.block]] = w
	}
	if len(ids) == 0 {
		return out, nil
	}
	list, err := encodeNumbers(ids)
	if err != nil {
		return nil, err
	}
	// The driver watches a context that can end from a goroutine for every row.
	rows, err := t.query(context.WithoutCancel(ctx), `
		SELECT f.block, f.sum, f.codes FROM json_each(?) AS j CROSS JOIN code_fine AS f ON f.block = j.value`, list)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	size := blockCodes * vector.FineBytes(m.dim)
	found := func(w fineBlock, f *memory) {
		out[w] = f
		if t.db.codes.take(head, int64(size)) {
			c.segments[w.segment].fine[w.block].Store(f)
		}
	}
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return nil, wrap("read fine codes", err)
		}
		var id, sum int64
		var packed sql.RawBytes
		if err := rows.Scan(&id, &sum, &packed); err != nil {
			return nil, wrap("read fine codes", err)
		}
		w := missing[id]
		if len(packed) == 0 || len(packed) > size || len(packed)%vector.FineBytes(m.dim) != 0 || blockSum(packed) != sum {
			continue // damaged, and made anew below
		}
		f := newMemory(size)
		copy(f.bytes, packed)
		found(w, f)
		delete(missing, id)
	}
	if err := rows.Err(); err != nil {
		return nil, wrap("read fine codes", err)
	}
	for _, w := range missing {
		f, err := t.makeFine(ctx, m, c, w)
		if err != nil {
			return nil, err
		}
		found(w, f)
	}
	return out, nil
}

// fineBlock is a place among codes: a segment, and a block in it.
type fineBlock struct{ segment, block int }

// makeFine makes the fine codes of a block from its vectors.
func (t *tx) makeFine(ctx context.Context, m model, c *codes, w fineBlock) (*memory, error) {
	size := vector.FineBytes(m.dim)
	f := newMemory(blockCodes * size)
	numbers := c.segments[w.segment].numbers[w.block*blockCodes : (w.block+1)*blockCodes]
	list, err := encodeNumbers(numbers)
	if err != nil {
		return nil, err
	}
	rows, err := t.query(ctx, `
		SELECT j.key, widen(v.embedding) FROM json_each(?) AS j CROSS JOIN vector AS v ON v.place = j.value + ?
		WHERE j.value <> 0 AND v.embedding IS NOT NULL`, list, m.shift())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var one []byte
	for rows.Next() {
		var slot int
		var embedding sql.RawBytes
		if err := rows.Scan(&slot, &embedding); err != nil {
			return nil, wrap("read vector", err)
		}
		v, err := vector.Decode(embedding, m.dim)
		if err != nil {
			return nil, corruptError("read vector", err.Error())
		}
		if _, one, err = c.coder.AppendCodes(nil, one[:0], v); err != nil {
			return nil, err
		}
		copy(f.bytes[slot*size:], one)
	}
	return f, wrap("read vectors", rows.Err())
}

// refine calls fn with what the fine codes in some slots say, slots of the whole
// head in ascending order.
func (t *tx) refine(ctx context.Context, m model, h *scoredHead, slots []int32, fn func(number int64, score uint16, similarity float32)) error {
	type part struct {
		at    fineBlock
		slots []int32 // of the head
	}
	var parts []part
	var wanted []fineBlock
	for len(slots) > 0 {
		seg := h.segmentOf(slots[0])
		start := h.starts[seg]
		block := (slots[0] - start) / blockCodes
		end := start + (block+1)*blockCodes
		n := 1
		for n < len(slots) && slots[n] < end {
			n++
		}
		at := fineBlock{seg, int(block)}
		parts, wanted = append(parts, part{at, slots[:n]}), append(wanted, at)
		slots = slots[n:]
	}
	fine, err := t.openFine(ctx, m, h.head.id, h.codes, wanted)
	if err != nil {
		return err
	}
	var inBlock [blockCodes]int32
	var out [blockCodes]float32
	for _, p := range parts {
		s := h.codes.segments[p.at.segment]
		base := h.starts[p.at.segment] + int32(p.at.block*blockCodes)
		for i, slot := range p.slots {
			inBlock[i] = slot - base
		}
		n := len(p.slots)
		f := fine[p.at]
		err := h.probe.Refine(out[:n], f.bytes, inBlock[:n])
		runtime.KeepAlive(f)
		if err != nil {
			return err
		}
		for i, slot := range p.slots {
			fn(s.numbers[slot-h.starts[p.at.segment]], h.scores[slot], out[i])
		}
	}
	return nil
}
