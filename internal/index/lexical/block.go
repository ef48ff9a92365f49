package lexical

import (
	"context"
	"encoding/binary"
	"hash/crc32"

	"github.com/strata-memory/strata/internal/index/passage"
)

// BlockPassages is how many passages a block holds. They take 128 KiB, which can be
// read or written in a few milliseconds; saves wait for a write.
const BlockPassages = 8192

// Block describes a run of passages that are packed together. Reading the passages
// of a large scope one by one takes up to half a second per million; reading them
// from blocks takes about 20 ms.
//
// A block holds its passages as they were at one change and is not kept up to date.
// A reader also reads what changed since, and reads the passages that no block
// covers from their rows. So a scope may have any set of blocks that do not overlap,
// or none.
type Block struct {
	Low, High int64 // the range of passage numbers it covers, inclusive
	Change    int64 // the last change before it was written
	Sum       int64 // a checksum of the packed passages and the fields above
	Size      int64 // of the packed passages, in bytes
}

// NewBlock packs the passages with numbers from low to high, sorted by number, as
// they were after a change. It reports false if a number is too large for the index.
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

// sumOf returns the checksum of a block. It is signed so that SQLite nearly always
// stores it in four bytes: a row that keeps its size is overwritten in place.
func (b Block) sumOf(packed []byte) int64 {
	head := make([]byte, 0, 3*8)
	for _, n := range []int64{b.Low, b.High, b.Change} {
		head = binary.LittleEndian.AppendUint64(head, uint64(n))
	}
	return int64(int32(crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, packed)))
}

// castagnoli is the CRC-32 polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fits reports whether a block can be valid and begins at next or later, as far as
// can be told without reading its passages. No block can be newer than the last
// change of the scope.
func (b Block) fits(next, last, change int64) bool {
	return b.Low >= next && b.High >= b.Low && b.High <= last && b.Change <= change && b.Size%cachedBytes == 0
}

// unpack reads the passages of a block, reusing the memory of list. It reports false
// if the block is damaged: the checksum differs, the numbers do not ascend within
// the block's range, or a passage is not one that newCached can make.
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

// Packing says which blocks of a scope need to be written.
type Packing struct {
	Wanted  bool  // whether there is anything to write
	Replace bool  // some blocks are damaged, and all of them are to be replaced
	Before  int64 // blocks older than this change are to be rewritten
}

// NextBlock returns the range of numbers that the next block to be written covers,
// where a block holds up to size passages and blocks older than the change before
// are rewritten. The range is a gap that no block covers, an outdated block, or the
// end of the scope. The last block is extended to the end of the scope while it is
// not full.
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

// CheckBlocks returns the first numbers of the blocks of a scope that are damaged or
// that differ from their passages, not counting passages that changed since the
// block was written.
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

// agrees reports whether a block matches its passages, except those that changed
// since.
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
