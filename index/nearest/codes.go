package nearest

import (
	"context"
	"errors"

	"github.com/strata-memory/strata/vector"
)

// errDamaged means that codes are not what was written: every block has a
// checksum, and a head knows how many codes it has.
var errDamaged = errors.New("codes are damaged")

// codes are the codes of one head as of a change number. Once others can see
// them they are never changed.
type codes struct {
	change   int64
	coder    *vector.Coder
	segments []*segment
}

// bytes is what they take of memory.
func (c *codes) bytes() (n int64) {
	for _, s := range c.segments {
		n += int64(8*cap(s.numbers) + len(s.groups.Bytes))
		for _, f := range s.fine {
			if m := f.Load(); m != nil {
				n += int64(len(m.Bytes))
			}
		}
	}
	return n
}

// live is how many passages have codes.
func (c *codes) live() (n int) {
	for _, s := range c.segments {
		n += s.live()
	}
	return n
}

// open returns the codes of a head as the transaction sees them, or an error
// that wraps errDamaged. What a writer sees may never be committed: it is not
// kept.
func (x *Index) open(ctx context.Context, src Source, h Head, dim int, writing bool) (*codes, error) {
	kept := x.head(h.ID)
	if c := kept.codes.Load(); c != nil && c.change == h.Change {
		return c, nil
	}
	if writing {
		return readCodes(ctx, src, h, dim, kept.codes.Load())
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	old := kept.codes.Load()
	if old != nil && old.change == h.Change {
		return old, nil
	}
	c, err := readCodes(ctx, src, h, dim, old)
	if err != nil || old != nil && old.change > h.Change { // the transaction is older than what is kept
		return c, err
	}
	kept.codes.Store(c)
	x.keep(h.ID, kept, c.bytes())
	return c, nil
}

// readCodes returns the codes of a head, reading only what changed since old
// was read. old may be nil, or of no use.
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

// codeBuilder makes new codes from older ones.
type codeBuilder struct {
	codes
	dim      int
	expected int          // codes in all
	before   int          // segments that hold blocks which may come again
	own      map[int]bool // segments that nobody else sees
	slots    int
}

func newCodeBuilder(old *codes, dim, expected int) *codeBuilder {
	b := &codeBuilder{codes: codes{coder: old.coder}, dim: dim, expected: expected, before: len(old.segments), own: make(map[int]bool)}
	b.segments = append(b.segments, old.segments...)
	for _, s := range b.segments {
		b.slots += len(s.numbers)
	}
	return b
}

// put adds a block, or puts it in the place of what it was.
func (b *codeBuilder) put(block Block) error {
	if !block.Whole(b.dim) {
		return errDamaged
	}
	for i, s := range b.segments[:b.before] {
		for at, id := range s.ids {
			if id == block.ID {
				return b.writable(i, s.room()).put(at, block)
			}
		}
	}
	b.slots += BlockCodes
	last := len(b.segments) - 1
	if last < 0 || len(b.segments[last].ids) == segmentBlocks {
		left := (b.expected-b.slots)/BlockCodes + 2
		b.segments = append(b.segments, newSegment(b.dim, max(8, min(left, segmentBlocks))))
		last++
		b.own[last] = true
	}
	s := b.segments[last]
	room := s.room()
	if len(s.ids) == room {
		room = min(2*room, segmentBlocks)
	}
	s = b.writable(last, room)
	return s.put(len(s.ids), block)
}

// writable returns a segment with so much room that only the builder sees.
func (b *codeBuilder) writable(i, room int) *segment {
	if !b.own[i] || b.segments[i].room() < room {
		b.segments[i] = b.segments[i].clone(room)
		b.own[i] = true
	}
	return b.segments[i]
}

// done returns the codes, of a change.
func (b *codeBuilder) done(change int64) *codes {
	c := b.codes
	c.change = change
	return &c
}
