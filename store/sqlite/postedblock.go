package sqlite

import (
	"context"
	"encoding/binary"
	"hash/crc32"

	"github.com/strata-memory/strata/index/passage"
)

// Sixteen bytes are kept of a passage (postedPassage), and to read them out of
// a million rows takes up to half a second. So large scopes have them stored a
// second time, in table posted, thousands to a row: a million take some 20 ms.
//
// A block is what the passages with its numbers were at one change. Nobody keeps
// it up to date: who reads it reads what changed since, and a passage that no
// block covers from its row. So a scope may have any blocks that do not overlap,
// or none.

const (
	// packedPassage is how many bytes a passage takes in a block.
	packedPassage = 16
	// blockPassages is how many passages a block holds: 128 KiB, which are read
	// and written in some milliseconds, for which saves wait.
	blockPassages = 8192
)

// postedBlock is a row of table posted without the passages themselves.
type postedBlock struct{ low, high, change, sum, size int64 }

// postedBlocks returns the blocks of a scope by rising number.
func (t *tx) postedBlocks(ctx context.Context, scopeNo int64) ([]postedBlock, error) {
	low, high := passage.Numbers(scopeNo)
	list, err := t.queryIntegers(ctx, 5, `
		SELECT low, high, change, sum, length(passages) FROM posted WHERE low BETWEEN ? AND ? ORDER BY low`, low, high)
	if err != nil {
		return nil, err
	}
	blocks := make([]postedBlock, 0, len(list)/5)
	for ; len(list) > 0; list = list[5:] {
		blocks = append(blocks, postedBlock{list[0], list[1], list[2], list[3], list[4]})
	}
	return blocks, nil
}

// fits reports whether a block may be one that begins behind all numbers before
// next, as far as that is told without its passages. A change later than the
// last of the scope cannot be.
func (b postedBlock) fits(next, last, change int64) bool {
	return b.low >= next && b.high >= b.low && b.high <= last && b.change <= change && b.size%packedPassage == 0
}

// passagesIn reads the passages of a block, in the room of a list. It reports
// false if they are not what was written.
func (t *tx) passagesIn(ctx context.Context, b postedBlock, list []postedPassage) ([]postedPassage, bool, error) {
	packed, err := t.lookBlob(ctx, `SELECT passages FROM posted WHERE low = ?`, b.low)
	if err != nil {
		return nil, false, err
	}
	if b.sum != b.sumOf(packed) {
		return nil, false, nil
	}
	list, ok := b.unpack(list, packed)
	return list, ok, nil
}

// sumOf is the checksum of a block. It has a sign, so that it nearly always
// takes four bytes: a row that keeps its size is overwritten where it differs.
func (b postedBlock) sumOf(packed []byte) int64 {
	head := make([]byte, 0, 3*8)
	for _, n := range []int64{b.low, b.high, b.change} {
		head = binary.LittleEndian.AppendUint64(head, uint64(n))
	}
	return int64(int32(crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, packed)))
}

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// packPosted makes of passages what a block holds.
func packPosted(list []postedPassage) []byte {
	packed := make([]byte, 0, packedPassage*len(list))
	for _, p := range list {
		packed = binary.LittleEndian.AppendUint32(packed, p.number)
		packed = binary.LittleEndian.AppendUint32(packed, p.parent)
		packed = binary.LittleEndian.AppendUint32(packed, p.seq)
		packed = binary.LittleEndian.AppendUint32(packed, p.words)
	}
	return packed
}

// unpack reads what packPosted made, in the room of a list. It reports false
// where the numbers do not rise or lie outside of the block, or a passage is none
// that postPassage makes.
func (b postedBlock) unpack(list []postedPassage, packed []byte) ([]postedPassage, bool) {
	list = list[:0]
	last := b.low&lowBits - 1
	for ; len(packed) >= packedPassage; packed = packed[packedPassage:] {
		p := postedPassage{
			number: binary.LittleEndian.Uint32(packed),
			parent: binary.LittleEndian.Uint32(packed[4:]),
			seq:    binary.LittleEndian.Uint32(packed[8:]),
			words:  binary.LittleEndian.Uint32(packed[12:]),
		}
		if int64(p.number) <= last || p.words&noFlag != 0 || p.words&kindBits == 0 {
			return nil, false
		}
		last = int64(p.number)
		list = append(list, p)
	}
	return list, len(packed) == 0 && last <= b.high&lowBits
}
