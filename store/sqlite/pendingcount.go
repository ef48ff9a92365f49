package sqlite

import (
	"context"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

// textSize is how many texts there are, and how many bytes of them.
type textSize struct{ texts, bytes int64 }

func (s textSize) plus(other textSize) textSize {
	return textSize{s.texts + other.texts, s.bytes + other.bytes}
}

// reaches reports whether there are so many texts, or so many bytes.
func (s textSize) reaches(bound textSize) bool {
	return s.texts >= bound.texts || s.bytes >= bound.bytes
}

// textSizes are those of rows of (number, normalized text, terms), by scope.
func textSizes(rows packed.Rows) (map[int64]textSize, error) {
	sizes := make(map[int64]textSize)
	_, err := packed.Each(rows, 3, func(row []packed.Value) error {
		no := passage.Scope(row[0].Int())
		sizes[no] = sizes[no].plus(textSize{1, int64(len(row[1].Bytes()))})
		return nil
	})
	return sizes, err
}

// maxCountedScopes bounds the scopes of which it is known how much waits, at some
// 50 bytes each.
const maxCountedScopes = 16 << 10

// pendingCounts are how much waits in scopes that were written to, so that not every
// save looks through the table. What is added and what is merged is counted; where
// something is removed or undone, or others wrote (see alone), the table is asked
// again. Only the holder of the baton uses them.
type pendingCounts struct {
	scopes map[int64]textSize
}

// add counts texts that wait from now on, where it is known how many do.
func (c *pendingCounts) add(scopeNo int64, n textSize) {
	if before, known := c.scopes[scopeNo]; known {
		c.scopes[scopeNo] = before.plus(n)
	}
}

// set takes note of how much waits in a scope.
func (c *pendingCounts) set(scopeNo int64, n textSize) {
	if c.scopes == nil || len(c.scopes) >= maxCountedScopes {
		c.scopes = make(map[int64]textSize)
	}
	c.scopes[scopeNo] = n
}

// forget has a scope asked for again.
func (c *pendingCounts) forget(scopeNo int64) { delete(c.scopes, scopeNo) }

// drop has all scopes asked for again.
func (c *pendingCounts) drop() { c.scopes = nil }

// pendingOf is how much waits in a scope.
func (t *tx) pendingOf(ctx context.Context, scopeNo int64) (textSize, error) {
	if n, known := t.db.pending.scopes[scopeNo]; known {
		return n, nil
	}
	low, high := passage.Numbers(scopeNo)
	n, err := t.lookIntegers(ctx, 2, `
		SELECT count(*), coalesce(sum(octet_length(normal)), 0) FROM pending WHERE number BETWEEN ? AND ?`, low, high)
	if err != nil {
		return textSize{}, err
	}
	size := textSize{n[0], n[1]}
	t.db.pending.set(scopeNo, size)
	return size, nil
}
