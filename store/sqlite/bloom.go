package sqlite

import (
	"math/bits"

	"github.com/strata-memory/strata/internal/text"
)

// bloom is a set of keys that never says no of a key that was added, and of few
// others yes. It is a Bloom filter in blocks: all bits of a key lie in one line of
// the processor's cache, so that a look-up waits for memory once (Putze, Sanders
// and Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007). With 12,
// 8 and 6 bits a key it says yes of 0.4, 2.3 and 6.7 % of others. The zero value has
// no room: it says yes of all.
type bloom struct {
	blocks []bloomBlock
	keys   int // those that were added, but for the few of which it said yes before
}

// bloomBlock is a line of the cache.
type bloomBlock [bloomBlockBits / 64]uint64

const (
	bloomBlockBits  = 512
	bloomBlockBytes = bloomBlockBits / 8
	// bloomBits is how many bits of a block are set for a key: best at 9 bits of
	// the set for a key.
	bloomBits = 6
)

// newBloom returns a set with room for so many bits, rounded up, or for bytes.
func newBloom(bits, most int) bloom {
	blocks := (bits + bloomBlockBits - 1) / bloomBlockBits
	return bloom{blocks: make([]bloomBlock, max(1, min(blocks, most/bloomBlockBytes)))}
}

// size is how many bytes the set takes.
func (b *bloom) size() int { return len(b.blocks) * bloomBlockBytes }

// perKey is how many bits there are for a key.
func (b *bloom) perKey() int { return len(b.blocks) * bloomBlockBits / max(1, b.keys) }

// add adds a key.
func (b *bloom) add(key uint64) {
	block, at := b.place(key)
	added := false
	for range bloomBits {
		word, bit := &block[at/64%8], uint64(1)<<(at%64)
		added = added || *word&bit == 0
		*word |= bit
		at >>= 9
	}
	if added {
		b.keys++
	}
}

// mayHold reports whether a key may have been added.
func (b *bloom) mayHold(key uint64) bool {
	if len(b.blocks) == 0 {
		return true
	}
	block, at := b.place(key)
	for range bloomBits {
		if block[at/64%8]&(1<<(at%64)) == 0 {
			return false
		}
		at >>= 9
	}
	return true
}

// place returns the block of a key, and a number of which nine bits each are the
// place of one of its bits.
func (b *bloom) place(key uint64) (*bloomBlock, uint64) {
	h := text.Mix(key)
	block, _ := bits.Mul64(h, uint64(len(b.blocks)))
	return &b.blocks[block], text.Mix(h)
}
