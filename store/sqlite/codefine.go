package sqlite

import (
	"context"
	"database/sql"
	"runtime"
	"slices"

	"github.com/strata-memory/strata/vector"
)

// Fine codes are kept block by block from the third search of a process on: to
// keep blocks of which one code is needed takes longer than to read them, and a
// command that asks one question never comes back to them.
const keepFineFrom = 3

// fineAtOnce is how many blocks are read with one statement, to where the
// processor's caches hold them until they were used.
const fineAtOnce = 16

// eachFine calls fn with the fine codes of some blocks, by their places among
// those wanted, in no order. The codes are valid until fn returns.
func (t *tx) eachFine(ctx context.Context, m model, h *scoredHead, wanted []fineBlock, fn func(i int, fine []byte) error) error {
	var missing []int
	for i, w := range wanted {
		f := h.codes.segments[w.segment].fine[w.block].Load()
		if f == nil {
			missing = append(missing, i)
			continue
		}
		err := fn(i, f.bytes)
		runtime.KeepAlive(f)
		if err != nil {
			return err
		}
	}
	for part := range slices.Chunk(missing, fineAtOnce) {
		if err := ctx.Err(); err != nil {
			return wrap("read fine codes", err)
		}
		if err := t.readFine(ctx, m, h, wanted, part, fn); err != nil {
			return err
		}
	}
	return nil
}

// readFine is eachFine for a few blocks that are not in memory. What is damaged
// or was not written is made anew from vectors.
func (t *tx) readFine(ctx context.Context, m model, h *scoredHead, wanted []fineBlock, part []int, fn func(i int, fine []byte) error) error {
	place := make(map[int64]int, len(part))
	ids := make([]int64, len(part))
	for n, i := range part {
		ids[n] = h.codes.segments[wanted[i].segment].ids[wanted[i].block]
		place[ids[n]] = i
	}
	size := vector.FineBytes(m.dim)
	read := t.db.codes.borrowBlocks(fineAtOnce * blockCodes * size)
	defer t.db.codes.giveBlocks(read)
	blocks, err := t.gatherFine(ctx, ids, *read)
	if err != nil {
		return wrap("read fine codes", err)
	}
	use := func(i int, fine []byte) error {
		if h.keepsFine && t.db.codes.take(h.head.id, int64(len(fine))) {
			f := newMemory(len(fine))
			copy(f.bytes, fine)
			h.codes.segments[wanted[i].segment].fine[wanted[i].block].Store(f)
		}
		return fn(i, fine)
	}
	for n, b := range blocks {
		fine := (*read)[n*blockCodes*size : (n+1)*blockCodes*size]
		held := int(b.codes)
		i, ok := place[int64(b.id)]
		if !ok || held == 0 || held > len(fine) || held%size != 0 || blockSum(fine[:held]) != int64(b.sum) {
			continue // damaged, and made anew below
		}
		delete(place, int64(b.id))
		clear(fine[held:])
		if err := use(i, fine); err != nil {
			return err
		}
	}
	for _, i := range place {
		f, err := t.makeFine(ctx, m, h.codes, wanted[i])
		if err != nil {
			return err
		}
		if err := use(i, f); err != nil {
			return err
		}
	}
	return nil
}

// fineBlock is a place among codes: a segment, and a block in it.
type fineBlock struct{ segment, block int }

// makeFine makes the fine codes of a block from its vectors.
func (t *tx) makeFine(ctx context.Context, m model, c *codes, w fineBlock) ([]byte, error) {
	size := vector.FineBytes(m.dim)
	fine := make([]byte, blockCodes*size)
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
		copy(fine[slot*size:], one)
	}
	return fine, wrap("read vectors", rows.Err())
}

// refine calls fn with what the fine codes in some slots say, slots of the whole
// head in ascending order.
func (t *tx) refine(ctx context.Context, m model, h *scoredHead, slots []int32, fn func(number int64, score uint16, similarity float32)) error {
	type part struct {
		at    fineBlock
		slots []int32 // of the head
		first int     // the place of the first among all
	}
	says := make([]float32, len(slots))
	var parts []part
	var wanted []fineBlock
	for first := 0; len(slots) > 0; {
		seg := h.segmentOf(slots[0])
		start := h.starts[seg]
		block := (slots[0] - start) / blockCodes
		end := start + (block+1)*blockCodes
		n := 1
		for n < len(slots) && slots[n] < end {
			n++
		}
		at := fineBlock{seg, int(block)}
		parts, wanted = append(parts, part{at, slots[:n], first}), append(wanted, at)
		slots, first = slots[n:], first+n
	}
	var inBlock [blockCodes]int32
	err := t.eachFine(ctx, m, h, wanted, func(i int, fine []byte) error {
		p := parts[i]
		base := h.starts[p.at.segment] + int32(p.at.block*blockCodes)
		for n, slot := range p.slots {
			inBlock[n] = slot - base
		}
		return h.probe.Refine(says[p.first:p.first+len(p.slots)], fine, inBlock[:len(p.slots)])
	})
	if err != nil {
		return err
	}
	for _, p := range parts {
		numbers := h.codes.segments[p.at.segment].numbers
		for n, slot := range p.slots {
			fn(numbers[slot-h.starts[p.at.segment]], h.scores[slot], says[p.first+n])
		}
	}
	return nil
}
