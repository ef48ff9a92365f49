package nearest

import (
	"context"
	"maps"
	"runtime"
	"slices"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/internal/offheap"
	"github.com/strata-memory/strata/vector"
)

// cacheFineFrom is the search of a process from which fine codes are cached, block
// by block. Caching a block of which one code is needed takes longer than reading
// it, and a command that asks one question never needs it again.
const cacheFineFrom = 3

// fineAtOnce is how many blocks are read at once: few enough that the processor's
// caches hold them until they are used.
const fineAtOnce = 16

// blockPlace is the place of a block: its segment, and its index in that.
type blockPlace struct{ segment, block int }

// eachFine calls fn with the fine codes of some blocks, by their places among
// those wanted, in no order. The codes are valid until fn returns.
func (e *codeSearch) eachFine(ctx context.Context, h *scoredHead, wanted []blockPlace, fn func(i int, fine []byte) error) error {
	var missing []int
	for i, w := range wanted {
		f := h.codes.segments[w.segment].fine[w.block].Load()
		if f == nil {
			missing = append(missing, i)
			continue
		}
		err := fn(i, f.Bytes)
		runtime.KeepAlive(f)
		if err != nil {
			return err
		}
	}
	for part := range slices.Chunk(missing, fineAtOnce) {
		if err := e.readFine(ctx, h, wanted, part, fn); err != nil {
			return err
		}
	}
	return nil
}

// readFine is eachFine for a few blocks that are not in memory. What is damaged
// or was not written is made anew from vectors.
func (e *codeSearch) readFine(ctx context.Context, h *scoredHead, wanted []blockPlace, part []int, fn func(i int, fine []byte) error) error {
	place := make(map[int64]int, len(part))
	ids := make([]int64, len(part))
	for n, i := range part {
		ids[n] = h.codes.segments[wanted[i].segment].ids[wanted[i].block]
		place[ids[n]] = i
	}
	size := vector.FineBytes(len(e.Vector))
	use := func(i int, fine []byte) error {
		if h.cachesFine && e.index.heads.Grow(h.head.ID, int64(BlockCodes*size), maxBytes) {
			f := offheap.New(BlockCodes * size)
			copy(f.Bytes, fine)
			h.codes.segments[wanted[i].segment].fine[wanted[i].block].Store(f)
		}
		return fn(i, fine)
	}
	err := e.src.FineBlocks(ctx, ids, func(b FineBlock) error {
		i, ok := place[b.Block]
		slots := len(b.Codes) / size
		if !ok || slots == 0 || slots > BlockCodes || len(b.Codes)%size != 0 || !b.Whole() {
			return nil // damaged, and made anew below
		}
		delete(place, b.Block)
		if slots < BlockCodes { // the block is not full
			b.Codes = append(slices.Clone(b.Codes), make([]byte, (BlockCodes-slots)*size)...)
		}
		return use(i, b.Codes)
	})
	if err != nil {
		return err
	}
	for _, i := range place {
		fine, err := e.makeFine(ctx, h.codes, wanted[i])
		if err != nil {
			return err
		}
		if err := use(i, fine); err != nil {
			return err
		}
	}
	return nil
}

// makeFine makes the fine codes of a block from its vectors.
func (e *codeSearch) makeFine(ctx context.Context, c *codes, w blockPlace) ([]byte, error) {
	dim := len(e.Vector)
	size := vector.FineBytes(dim)
	fine := make([]byte, BlockCodes*size)
	numbers := c.segments[w.segment].numbers[w.block*BlockCodes : (w.block+1)*BlockCodes]
	slots := make(map[int64]int, len(numbers))
	for slot, n := range numbers {
		if n != 0 {
			slots[n] = slot
		}
	}
	var one []byte
	err := e.src.Vectors(ctx, e.Model, Passages{Scope: e.Scope, Numbers: slices.Sorted(maps.Keys(slots))}, func(number int64, scaled []byte) error {
		v, err := vector.DecodeScaled(scaled, dim)
		if err != nil {
			return passage.Corrupt("read vector", err.Error())
		}
		if _, one, err = c.coder.AppendCodes(nil, one[:0], v); err != nil {
			return err
		}
		copy(fine[slots[number]*size:], one)
		return nil
	})
	return fine, err
}

// refine calls fn with the similarities that the fine codes in some slots give.
// The slots are those of the whole head, in ascending order.
func (e *codeSearch) refine(ctx context.Context, h *scoredHead, slots []int32, fn func(number int64, score uint16, similarity float32)) error {
	type part struct {
		at    blockPlace
		slots []int32 // of the head
		first int     // the place of the first among all
	}
	similarities := make([]float32, len(slots))
	var parts []part
	var wanted []blockPlace
	for first := 0; len(slots) > 0; {
		seg := h.segmentOf(slots[0])
		start := h.starts[seg]
		block := (slots[0] - start) / BlockCodes
		end := start + (block+1)*BlockCodes
		n := 1
		for n < len(slots) && slots[n] < end {
			n++
		}
		at := blockPlace{seg, int(block)}
		parts, wanted = append(parts, part{at, slots[:n], first}), append(wanted, at)
		slots, first = slots[n:], first+n
	}
	var inBlock [BlockCodes]int32
	err := e.eachFine(ctx, h, wanted, func(i int, fine []byte) error {
		p := parts[i]
		base := h.starts[p.at.segment] + int32(p.at.block*BlockCodes)
		for n, slot := range p.slots {
			inBlock[n] = slot - base
		}
		return h.probe.Refine(similarities[p.first:p.first+len(p.slots)], fine, inBlock[:len(p.slots)])
	})
	if err != nil {
		return err
	}
	for _, p := range parts {
		numbers := h.codes.segments[p.at.segment].numbers
		for n, slot := range p.slots {
			fn(numbers[slot-h.starts[p.at.segment]], h.scores[slot], similarities[p.first+n])
		}
	}
	return nil
}
