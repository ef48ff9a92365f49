package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata/vector"
)

// maxCodeCache bounds the codes kept in memory, in bytes: those of 3 million
// vectors of 384 dimensions. What was not used for longest goes first, and a
// head with more is read from the database by every search.
const maxCodeCache = 192 << 20

// codes are the codes of one head as of a change number. They are never changed
// once others can see them.
type codes struct {
	change  int64
	coder   *vector.Coder
	numbers []int64 // the passages; 0 where one is gone
	codes   []byte  // in the same order
}

// bytes is what they take of memory.
func (c *codes) bytes() int64 { return int64(8*cap(c.numbers) + cap(c.codes)) }

// codeCache keeps the codes of heads in memory, so that a search reads of the
// database only what changed since the last one. Every change of a block has a
// number, which its head has too: a reader sees at once whether what is kept is
// what its transaction sees.
type codeCache struct {
	mu    sync.Mutex
	heads map[int64]*cachedHead
	bytes int64 // of all heads
	turn  int64 // counts the uses
}

// cachedHead is what is kept of one head.
type cachedHead struct {
	codes atomic.Pointer[codes]

	mu sync.Mutex    // held while it catches up
	at map[int64]int // the first slot of each block

	bytes int64 // as counted by the cache
	used  int64 // the turn of the last use
}

// openCodes returns the codes of a head as the transaction sees them.
func (t *tx) openCodes(ctx context.Context, m model, h codeHead) (*codes, error) {
	kept := t.db.codes.head(h.id)
	if c := kept.codes.Load(); c != nil && c.change == h.change {
		return c, nil
	}
	if t.group != nil {
		return t.readCodes(ctx, m, h, nil, make(map[int64]int)) // may hold what will never be committed
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	old := kept.codes.Load()
	switch {
	case old != nil && old.change == h.change:
		return old, nil
	case old != nil && old.change > h.change: // the transaction is older than what is kept
		return t.readCodes(ctx, m, h, nil, make(map[int64]int))
	case old == nil || old.change < h.removed:
		old, kept.at = nil, make(map[int64]int)
	}
	c, err := t.readCodes(ctx, m, h, old, kept.at)
	if err != nil {
		kept.codes.Store(nil) // at may be ahead of it
		return nil, err
	}
	kept.codes.Store(c)
	t.db.codes.keep(h.id, kept, c.bytes())
	return c, nil
}

// readCodes adds what changed since old was read; a nil old is empty. at holds
// where the blocks of old begin and gets those of the new ones.
func (t *tx) readCodes(ctx context.Context, m model, h codeHead, old *codes, at map[int64]int) (*codes, error) {
	c := &codes{change: h.change}
	since := int64(-1)
	if old != nil {
		// Others read what lies below the length. What is appended lies above.
		c.coder, c.numbers, c.codes, since = old.coder, old.numbers, old.codes, old.change
	} else {
		var center []byte
		err := t.queryRow(ctx, `SELECT center FROM code_head WHERE id = ?`, h.id).Scan(&center)
		if err != nil {
			return nil, err
		}
		if c.coder, err = coderOf(m, center); err != nil {
			return nil, err
		}
		c.numbers, c.codes = make([]int64, 0, h.coded), make([]byte, 0, int(h.coded)*vector.CodeBytes(m.dim))
	}
	rows, err := t.query(ctx, `SELECT id, numbers, codes FROM code_block WHERE head = ? AND change > ?`, h.id, since)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	own := old == nil
	for rows.Next() {
		var id int64
		var numbers, packed sql.RawBytes // valid until the next row
		if err := rows.Scan(&id, &numbers, &packed); err != nil {
			return nil, wrap("read block", err)
		}
		if len(packed) != len(numbers)/8*vector.CodeBytes(m.dim) {
			return nil, corruptError("read block", "a block of codes is cut short")
		}
		slot, known := at[id]
		if !known {
			at[id] = len(c.numbers)
			c.numbers = appendNumbers(c.numbers, numbers)
			c.codes = append(c.codes, packed...)
			continue
		}
		if !own { // a code was blanked: that happens rarely
			c.numbers, c.codes, own = slices.Clone(c.numbers), slices.Clone(c.codes), true
		}
		if slot+len(numbers)/8 > len(c.numbers) {
			return nil, corruptError("read block", "a block of codes grew")
		}
		appendNumbers(c.numbers[:slot], numbers)
		copy(c.codes[slot*vector.CodeBytes(m.dim):], packed)
	}
	return c, wrap("read blocks", rows.Err())
}

// appendNumbers appends packed numbers.
func appendNumbers(numbers []int64, packed []byte) []int64 {
	for ; len(packed) >= 8; packed = packed[8:] {
		numbers = append(numbers, int64(binary.LittleEndian.Uint64(packed)))
	}
	return numbers
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
