package nearest

import (
	"context"
	"errors"

	"github.com/strata-memory/strata/vector"
)

// errDamaged means that codes do not match the block's checksum or the number of
// codes that the head records.
var errDamaged = errors.New("codes are damaged")

// codes are the codes of one head as of a change number. They are immutable once
// other goroutines can see them.
type codes struct {
	change   int64
	coder    *vector.Coder
	segments []*segment
}

// bytes returns how much memory the codes take.
func (c *codes) bytes() (n int64) {
	for _, s := range c.segments {
		n += int64(8*cap(s.numbers) + len(s.groups.Bytes))
	}
	return n
}

// live returns how many passages have codes.
func (c *codes) live() (n int) {
	for _, s := range c.segments {
		n += s.live()
	}
	return n
}

// open returns the codes of a head as the transaction sees them. The error wraps
// errDamaged if they are damaged. What a writer reads is not cached, because it may
// never be committed.
func (x *Index) open(ctx context.Context, src Source, h Head, dim int, writing bool) (*codes, error) {
	entry := x.heads.Get(h.ID)
	cached := &entry.Value
	if c := cached.codes.Load(); c != nil && c.change == h.Change {
		return c, nil
	}
	if writing {
		return readCodes(ctx, src, h, dim, cached.codes.Load())
	}
	cached.mu.Lock()
	defer cached.mu.Unlock()
	old := cached.codes.Load()
	if old != nil && old.change == h.Change {
		return old, nil
	}
	c, err := readCodes(ctx, src, h, dim, old)
	if err != nil || old != nil && old.change > h.Change { // the transaction is older than the cache
		return c, err
	}
	cached.codes.Store(c)
	x.heads.Count(h.ID, entry, c.bytes(), maxBytes)
	return c, nil
}

// readCodes returns the codes of a head. It reads only what changed since old, if
// old is not nil and no block was removed since.
func readCodes(ctx context.Context, src Source, h Head, dim int, old *codes) (*codes, error) {
	if old == nil || old.change > h.Change || old.change < h.Removed {
		center, err := src.Center(ctx, h.ID)
		if err != nil {
			return nil, err
		}
		old = &codes{change: -1}
		if old.coder, err = NewCoder(center, dim); err != nil {
			return nil, errors.Join(errDamaged, err)
		}
	}
	b := newCodeBuilder(old, dim, int(h.Coded))
	if err := src.Blocks(ctx, h.ID, old.change, b.put); err != nil {
		return nil, err
	}
	c := b.done(h.Change)
	if c.live() != int(h.Coded) {
		return nil, errDamaged // a block is missing
	}
	return c, nil
}

// codeBuilder builds a new version of codes from an older one.
type codeBuilder struct {
	codes
	dim      int
	expected int          // codes in all, used to size segments
	before   int          // segments of the old version, whose blocks may be replaced
	private  map[int]bool // segments that only the builder sees
	slots    int
}

func newCodeBuilder(old *codes, dim, expected int) *codeBuilder {
	b := &codeBuilder{codes: codes{coder: old.coder}, dim: dim, expected: expected, before: len(old.segments), private: make(map[int]bool)}
	b.segments = append(b.segments, old.segments...)
	for _, s := range b.segments {
		b.slots += len(s.numbers)
	}
	return b
}

// put adds a block, or replaces an earlier version of it.
func (b *codeBuilder) put(block Block) error {
	if !block.Whole(b.dim) {
		return errDamaged
	}
	for i, s := range b.segments[:b.before] {
		for at, id := range s.ids {
			if id == block.ID {
				return b.writable(i, s.capacity()).put(at, block)
			}
		}
	}
	b.slots += BlockCodes
	last := len(b.segments) - 1
	if last < 0 || len(b.segments[last].ids) == segmentBlocks {
		left := (b.expected-b.slots)/BlockCodes + 2
		b.segments = append(b.segments, newSegment(b.dim, max(8, min(left, segmentBlocks))))
		last++
		b.private[last] = true
	}
	s := b.segments[last]
	capacity := s.capacity()
	if len(s.ids) == capacity {
		capacity = min(2*capacity, segmentBlocks)
	}
	s = b.writable(last, capacity)
	return s.put(len(s.ids), block)
}

// writable returns segment i with room for capacity blocks, copying it if others see
// it or it is too small.
func (b *codeBuilder) writable(i, capacity int) *segment {
	if !b.private[i] || b.segments[i].capacity() < capacity {
		b.segments[i] = b.segments[i].clone(capacity)
		b.private[i] = true
	}
	return b.segments[i]
}

// done returns the codes as of a change.
func (b *codeBuilder) done(change int64) *codes {
	c := b.codes
	c.change = change
	return &c
}
