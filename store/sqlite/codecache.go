package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata/vector"
)

// maxCodeCache bounds the codes kept in memory, in bytes: those of a million
// vectors of 384 dimensions, fine ones included. Where they do not fit, fine
// codes are read when needed; then what was not used for longest goes.
const maxCodeCache = 256 << 20

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
		n += int64(8*cap(s.numbers) + len(s.groups.bytes))
		for _, f := range s.fine {
			if m := f.Load(); m != nil {
				n += int64(len(m.bytes))
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

// codeCache keeps the codes of heads in memory, so that a search reads of the
// database only what changed since the last one. Every change of a block has a
// number, which its head has too: a reader sees at once whether what is kept is
// what its transaction sees.
type codeCache struct {
	scores sync.Pool // of *[]uint16, room for the scores of a search
	blocks sync.Pool // of *[]byte, room for blocks that are read and not kept

	mu    sync.Mutex
	heads map[int64]*cachedHead
	bytes int64 // of all heads
	turn  int64 // counts the uses
	// damaged are the heads whose codes are to be made anew.
	damaged map[int64]bool
	// prepared are the scopes whose codes were asked for beforehand.
	prepared map[int64]bool
}

// cachedHead is what is kept of one head.
type cachedHead struct {
	codes    atomic.Pointer[codes]
	searches atomic.Int64

	mu sync.Mutex // held while it catches up

	bytes int64 // as counted by the cache
	used  int64 // the turn of the last use
}

// openCodes returns the codes of a head as the transaction sees them, or an
// error that wraps errDamaged.
func (t *tx) openCodes(ctx context.Context, m model, h codeHead) (*codes, error) {
	kept := t.db.codes.head(h.id)
	if c := kept.codes.Load(); c != nil && c.change == h.change {
		return c, nil
	}
	if t.group != nil { // may see what will never be committed
		return t.readCodes(ctx, m, h, kept.codes.Load())
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	old := kept.codes.Load()
	if old != nil && old.change == h.change {
		return old, nil
	}
	c, err := t.readCodes(ctx, m, h, old)
	if err != nil || old != nil && old.change > h.change { // the transaction is older than what is kept
		return c, err
	}
	kept.codes.Store(c)
	t.db.codes.keep(h.id, kept, c.bytes())
	return c, nil
}

// readCodes returns the codes of a head, reading only what changed since old
// was read. old may be nil, or of no use.
func (t *tx) readCodes(ctx context.Context, m model, h codeHead, old *codes) (c *codes, err error) {
	if old == nil || old.change > h.change || old.change < h.removed {
		var center []byte
		err = t.queryRow(ctx, `SELECT center FROM code_head WHERE id = ?`, h.id).Scan(&center)
		if err != nil {
			return nil, err
		}
		old = &codes{change: -1}
		if old.coder, err = coderOf(m, center); err != nil {
			return nil, errors.Join(errDamaged, err)
		}
	}
	if len(old.segments) == 0 {
		c = &codes{change: h.change, coder: old.coder}
		if c.segments, err = t.gatherCodes(ctx, m, h.id); err == nil && c.live() != int(h.coded) {
			err = errDamaged // a block is missing
		}
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	// The driver watches a context that can end from a goroutine for every row.
	rows, err := t.query(context.WithoutCancel(ctx), `SELECT id, numbers, codes, sum FROM code_block WHERE head = ? AND change > ?`, h.id, old.change)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	b := newCodeBuilder(old, m.dim, int(h.coded))
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return nil, wrap("read blocks", err)
		}
		var id int64
		var numbers, packed sql.RawBytes // valid until the next row
		var sum sql.NullInt64
		if err := rows.Scan(&id, &numbers, &packed, &sum); err != nil {
			return nil, wrap("read block", err)
		}
		block := storedBlock{id: id, numbers: numbers, codes: packed}
		if sum.Valid {
			block.sum = &sum.Int64
		}
		if err := b.put(block); err != nil {
			return nil, err
		}
	}
	if err := rows.Err(); err != nil {
		return nil, wrap("read blocks", err)
	}
	c = b.done(h.change)
	if c.live() != int(h.coded) {
		return nil, errDamaged // a block is missing
	}
	return c, nil
}

// codeBuilder makes new codes from older ones.
type codeBuilder struct {
	codes
	dim      int
	expected int          // codes in all
	own      map[int]bool // segments that nobody else sees
	slots    int
}

func newCodeBuilder(old *codes, dim, expected int) *codeBuilder {
	b := &codeBuilder{codes: codes{coder: old.coder}, dim: dim, expected: expected, own: make(map[int]bool)}
	b.segments = append(b.segments, old.segments...)
	for _, s := range b.segments {
		b.slots += len(s.numbers)
	}
	return b
}

// put adds a block, or puts it in the place of what it was.
func (b *codeBuilder) put(block storedBlock) error {
	if !block.whole(b.dim) {
		return errDamaged
	}
	for i, s := range b.segments {
		for at, id := range s.ids {
			if id == block.id {
				return b.writable(i, s.room()).put(at, block)
			}
		}
	}
	b.slots += blockCodes
	last := len(b.segments) - 1
	if last < 0 || len(b.segments[last].ids) == segmentBlocks {
		left := (b.expected-b.slots)/blockCodes + 2
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

// head returns the place where the codes of a head are kept.
func (cc *codeCache) head(id int64) *cachedHead {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	h := cc.heads[id]
	if h == nil {
		if cc.heads == nil {
			cc.heads = make(map[int64]*cachedHead)
		}
		h = new(cachedHead)
		cc.heads[id] = h
	}
	cc.turn++
	h.used = cc.turn
	return h
}

// keep counts the codes of a head and drops those that were not used for
// longest, until all that is kept fits.
func (cc *codeCache) keep(id int64, h *cachedHead, bytes int64) {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if cc.heads[id] == h {
		cc.bytes += bytes - h.bytes
		h.bytes = bytes
	}
	for cc.bytes > maxCodeCache {
		var oldest int64
		for id, h := range cc.heads {
			if o := cc.heads[oldest]; h.bytes > 0 && (o == nil || h.used < o.used) {
				oldest = id
			}
		}
		cc.bytes -= cc.heads[oldest].bytes
		delete(cc.heads, oldest)
	}
}

// take counts bytes more for a head that is kept, if they fit.
func (cc *codeCache) take(id int64, bytes int64) bool {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	h := cc.heads[id]
	if h == nil || h.bytes == 0 || cc.bytes+bytes > maxCodeCache {
		return false
	}
	cc.bytes += bytes
	h.bytes += bytes
	return true
}

// borrowScores returns room for n scores.
func (cc *codeCache) borrowScores(n int) *[]uint16 {
	if p, ok := cc.scores.Get().(*[]uint16); ok && cap(*p) >= n {
		*p = (*p)[:n]
		return p
	}
	s := make([]uint16, n, n+n/8)
	return &s
}

// giveScores takes back what borrowScores gave.
func (cc *codeCache) giveScores(p *[]uint16) { cc.scores.Put(p) }

// borrowBlocks returns n bytes that hold anything.
func (cc *codeCache) borrowBlocks(n int) *[]byte {
	if p, ok := cc.blocks.Get().(*[]byte); ok && cap(*p) >= n {
		*p = (*p)[:n]
		return p
	}
	b := make([]byte, n)
	return &b
}

// giveBlocks takes back what borrowBlocks gave.
func (cc *codeCache) giveBlocks(p *[]byte) { cc.blocks.Put(p) }
