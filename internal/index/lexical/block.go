package lexical

import (
	"context"
	"encoding/binary"
	"hash/crc32"

	"github.com/strata-memory/strata/internal/index/passage"
)

// BlockPassages is how many passages a block holds: 128 KiB, which are read and
// written in some milliseconds, for which saves wait.
const BlockPassages = 8192

// Block says which passages are packed together. To read those of a large scope
// one by one takes up to half a second for a million, from blocks some 20 ms.
//
// A block is what the passages with its numbers were at one change. Nobody keeps
// it up to date: who reads it reads what changed since, and a passage that no
// block covers from its row. So a scope may have any blocks that do not overlap,
// or none.
type Block struct {
	Low, High int64 // the numbers it covers
	Change    int64 // the last one before it was written
	Sum       int64 // a checksum
	Size      int64 // bytes of its passages
}

// NewBlock packs passages with numbers between two, by number, as they are after
// a change. It reports false where a number is too large for the index.
func NewBlock(low, high, change int64, rows []passage.Row) (b Block, packed []byte, ok bool) {
	for i := range rows {
		p, ok := newCached(passage.Scope(low), &rows[i])
		if !ok {
			return b, nil, false
		}
		packed = p.appendTo(packed)
	}
	b = Block{Low: low, High: high, Change: change, Size: int64(len(packed))}
	b.Sum = b.sumOf(packed)
	return b, packed, true
}

// sumOf is the checksum of a block. It has a sign, so that it nearly always
// takes four bytes: a row that keeps its size is overwritten where it differs.
func (b Block) sumOf(packed []byte) int64 {
	head := make([]byte, 0, 3*8)
	for _, n := range []int64{b.Low, b.High, b.Change} {
		head = binary.LittleEndian.AppendUint64(head, uint64(n))
	}
	return int64(int32(crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, packed)))
}

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fits reports whether a block may be one that begins behind all numbers before
// next, as far as that is told without its passages. A change later than the
// last of the scope cannot be.
func (b Block) fits(next, last, change int64) bool {
	return b.Low >= next && b.High >= b.Low && b.High <= last && b.Change <= change && b.Size%cachedBytes == 0
}

// unpack reads the passages of a block, in the room of a list. It reports false
// if they are not what was written: the checksum differs, or they do not rise
// inside of the block, or one is none that newCached makes.
func (b Block) unpack(list []cachedPassage, packed []byte) ([]cachedPassage, bool) {
	list = list[:0]
	if b.Sum != b.sumOf(packed) {
		return list, false
	}
	last := b.Low&lowMask - 1
	for ; len(packed) >= cachedBytes; packed = packed[cachedBytes:] {
		p, ok := unpackCached(packed)
		if !ok || int64(p.number) <= last {
			return list, false
		}
		last = int64(p.number)
		list = append(list, p)
	}
	return list, len(packed) == 0 && last <= b.High&lowMask
}

// Packing is what is to be done about the blocks of a scope.
type Packing struct {
	Wanted  bool  // anything is
	Replace bool  // some are damaged: none of them is to stay
	Before  int64 // those older than this change are to be made anew
}

// NextBlock returns the numbers that the next block of a scope is to cover, if
// blocks older than a change are made anew and one holds up to size passages:
// those of a block that is older, or that no block covers, or the end of the scope.
// What is behind the last block is added to it while it is not full.
func NextBlock(blocks []Block, scope, before, size int64) (low, high int64) {
	next, last := passage.Numbers(scope)
	for i, b := range blocks {
		switch {
		case b.Low > next:
			return next, b.Low - 1
		case i == len(blocks)-1 && b.Size < size*cachedBytes:
			return b.Low, last
		case b.Change < before:
			return b.Low, b.High
		}
		next = b.High + 1
	}
	return next, last
}

// CheckBlocks returns the numbers with which blocks of a scope begin that are not
// what was written, or do not hold what their passages are, save for those that
// changed since.
func CheckBlocks(ctx context.Context, src Source, scope int64) (wrong []int64, err error) {
	now, err := src.Scope(ctx, scope)
	if err != nil {
		return nil, err
	}
	blocks, err := src.Blocks(ctx, scope)
	if err != nil {
		return nil, err
	}
	next, last := passage.Numbers(scope)
	for _, b := range blocks {
		ok := b.fits(next, last, now.Change)
		if ok {
			next = b.High + 1
			if ok, err = b.agrees(ctx, src, scope); err != nil {
				return wrong, err
			}
		}
		if !ok {
			wrong = append(wrong, b.Low)
		}
	}
	return wrong, nil
}

// agrees reports whether a block holds what its passages are, or were.
func (b Block) agrees(ctx context.Context, src Source, scope int64) (bool, error) {
	packed, err := src.BlockPassages(ctx, b.Low)
	if err != nil {
		return false, err
	}
	list, agree := b.unpack(nil, packed)
	if !agree {
		return false, nil
	}
	const noLimit = 1 << 40
	removed, err := src.Removed(ctx, scope, b.Change, noLimit)
	if err != nil {
		return false, err
	}
	changed := make(map[int64]bool, len(removed))
	for _, n := range removed {
		changed[n&lowMask] = true
	}
	err = src.Changed(ctx, scope, b.Change, noLimit, false, func(r *passage.Row, _ string) error {
		changed[r.Number&lowMask] = true
		return nil
	})
	if err != nil || changed[0] { // all of the scope was removed
		return err == nil, err
	}
	differ := func(n uint32) { agree = agree && changed[int64(n)] }
	err = src.RowsBetween(ctx, b.Low, b.High, func(r *passage.Row) error {
		p, ok := newCached(scope, r)
		agree = agree && ok
		for len(list) > 0 && list[0].number < p.number {
			differ(list[0].number)
			list = list[1:]
		}
		switch {
		case len(list) == 0 || list[0].number != p.number:
			differ(p.number)
		case list[0] != p:
			differ(p.number)
			fallthrough
		default:
			list = list[1:]
		}
		return nil
	})
	for _, p := range list {
		differ(p.number)
	}
	return agree, err
}
