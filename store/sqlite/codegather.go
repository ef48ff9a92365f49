package sqlite

// #include "gather.h"
import "C"

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/strata-memory/strata/vector"
)

// gatherCodes reads all blocks of a head into new segments: what the first
// search of a process does. SQLite copies them to where they belong, in one
// statement; then they are checked and arranged, by all processors.
func (t *tx) gatherCodes(ctx context.Context, m model, head int64) ([]*segment, error) {
	var state, blocks int64
	err := t.queryRow(ctx, `SELECT gathering(), (SELECT count(*) FROM code_block WHERE head = ?)`, head).Scan(&state, &blocks)
	if err != nil || blocks == 0 {
		return nil, err
	}
	g := newGathering(m.dim, int(blocks))
	defer g.pins.Unpin()
	C.strata_gather_into(C.uintptr_t(state), &g.places[0], C.int64_t(len(g.places)), segmentBlocks,
		8*blockCodes, C.int64_t(blockCodes*vector.CodeBytes(m.dim)))
	var found int64
	// By change is nearly the order of the file.
	err = t.queryRow(ctx, `SELECT gather(id, numbers, codes, sum) FROM code_block INDEXED BY code_block_change WHERE head = ?`, head).Scan(&found)
	C.strata_gather_end(C.uintptr_t(state))
	if err != nil {
		return nil, err
	}
	if found != blocks {
		return nil, errDamaged // the indexes and the table differ
	}
	return g.segments, g.arrange()
}

// gatherFine reads the fine codes of blocks to where it is told, one after
// another with as much room for each, and returns what it found.
func (t *tx) gatherFine(ctx context.Context, ids []int64, to []byte) ([]C.strata_block, error) {
	var state int64
	if err := t.queryRow(ctx, `SELECT gathering()`).Scan(&state); err != nil {
		return nil, err
	}
	found := make([]C.strata_block, len(ids))
	place := []C.strata_place{{blocks: &found[0], codes: (*C.uint8_t)(unsafe.Pointer(&to[0]))}}
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(&found[0])
	pins.Pin(&to[0])
	pins.Pin(&place[0])
	C.strata_gather_into(C.uintptr_t(state), &place[0], 1, C.int64_t(len(ids)), 0, C.int64_t(len(to)/fineAtOnce))
	var n int
	err := t.queryRow(ctx, `
		SELECT gather(f.block, NULL, f.codes, f.sum) FROM unpack(?) AS j CROSS JOIN code_fine AS f ON f.block = j.c0`,
		packNumbers(ids)).Scan(&n)
	C.strata_gather_end(C.uintptr_t(state))
	return found[:min(n, len(found))], err
}

// gathering is where blocks are read to.
type gathering struct {
	segments []*segment
	blocks   [][]C.strata_block // of each segment
	places   []C.strata_place
	pins     runtime.Pinner // of all that places point to
}

func newGathering(dim, blocks int) *gathering {
	g := new(gathering)
	for ; blocks > 0; blocks -= segmentBlocks {
		n := min(blocks, segmentBlocks)
		s := newSegment(dim, n)
		s.ids, s.fine = make([]int64, n), make([]*atomic.Pointer[memory], n)
		s.numbers = make([]int64, n*blockCodes)
		list := make([]C.strata_block, n)
		g.pins.Pin(&list[0])
		g.pins.Pin(&s.numbers[0])
		g.segments, g.blocks = append(g.segments, s), append(g.blocks, list)
		g.places = append(g.places, C.strata_place{
			blocks:  &list[0],
			numbers: (*C.uint8_t)(unsafe.Pointer(&s.numbers[0])),
			codes:   (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(s.groups.bytes))),
		})
	}
	g.pins.Pin(&g.places[0])
	return g
}

// arrange checks all blocks and makes of them what searches read.
func (g *gathering) arrange() error {
	workers := min(runtime.GOMAXPROCS(0), len(g.segments))
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(g.segments) && errs[w] == nil; i += workers {
				errs[w] = g.arrangeSegment(i)
			}
		})
	}
	wg.Wait()
	return cmp.Or(errs...)
}

func (g *gathering) arrangeSegment(i int) error {
	s := g.segments[i]
	size := blockCodes * vector.CodeBytes(s.dim)
	numbers := unsafe.Slice((*byte)(unsafe.Pointer(&s.numbers[0])), 8*len(s.numbers)) // still as stored
	codes := make([]byte, 0, size)
	for at, b := range g.blocks[i] {
		if b.numbers > 8*blockCodes || int(b.codes) > size {
			return errDamaged
		}
		codes = append(codes[:0], s.groups.bytes[at*size:at*size+int(b.codes)]...)
		block := storedBlock{id: int64(b.id), numbers: numbers[at*8*blockCodes:][:b.numbers], codes: codes}
		if sum := int64(b.sum); b.has_sum != 0 {
			block.sum = &sum
		}
		if !block.whole(s.dim) {
			return errDamaged
		}
		if err := s.put(at, block); err != nil {
			return err
		}
	}
	runtime.KeepAlive(s.groups)
	return nil
}
