package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
)

const (
	// packAnew and packShare bound what a process reads beside blocks: once more
	// passages than packAnew, and than this part of a scope, changed since they
	// were written or are covered by none, all are made anew.
	packAnew  = 4096
	packShare = 64
)

// packLimits are blockPassages, packAnew, packShare and readAnew, for tests to
// change.
type packLimits struct{ block, anew, share, all int }

// pack writes blocks of a scope until they cover all of it and none is too old.
// Each has a short transaction of its own that looks what is to be done next,
// so that several processes may be at it and any may stop. It gives way to
// questions and to saves. A handle that only reads is refused.
func (db *DB) pack(ctx context.Context, scopeNo int64, todo packing) error {
	if !todo.wanted {
		return nil
	}
	defer db.giveBack()
	for done := false; !done; {
		begun := time.Now()
		err := db.Update(ctx, func(w store.Writer) (err error) {
			done, err = w.(*tx).packNext(ctx, scopeNo, todo)
			return err
		})
		if err != nil {
			return err
		}
		todo.damaged = nil // they are gone
		db.dropPages()     // nobody needs those of a block again
		if !done && (db.readers.busy() || db.writer.busy()) {
			if err := pause(ctx, yields*time.Since(begun)); err != nil {
				return err
			}
		}
	}
	return nil
}

// packNext writes one block. It reports whether it was the last.
func (t *tx) packNext(ctx context.Context, scopeNo int64, todo packing) (done bool, err error) {
	for _, low := range todo.damaged {
		if _, err := t.put(ctx, `DELETE FROM posted WHERE low = ?`, low); err != nil {
			return false, err
		}
	}
	blocks, err := t.postedBlocks(ctx, scopeNo)
	if err != nil {
		return false, err
	}
	change, err := t.postingChange(ctx, scopeNo)
	if err != nil {
		return false, err
	}
	size := int64(t.db.packs.block)
	first, last := passage.Numbers(scopeNo)
	low, high := toPack(blocks, first, last, min(todo.before, change), size)
	list := make([]postedPassage, 0, size)
	n, fit, err := t.eachPosted(ctx, low, high, size, func(p postedPassage) bool {
		list = append(list, p)
		return true
	})
	if err != nil || !fit {
		return true, err
	}
	done = high == last && n < size
	switch {
	case n == size || high == last && n > 0: // others follow, or will
		high = scopeNo<<passage.ScopeBits | int64(list[n-1].number)
	case high == last: // the last block may be empty by now
		_, err = t.put(ctx, `DELETE FROM posted WHERE low = ?`, low)
		return true, err
	}
	packed := packPosted(list)
	b := postedBlock{low: low, high: high, change: change}
	_, err = t.put(ctx, `
		INSERT INTO posted (low, high, change, sum, passages) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET high = excluded.high, change = excluded.change, sum = excluded.sum, passages = excluded.passages`,
		b.low, b.high, b.change, b.sumOf(packed), packed)
	return done, err
}

// toPack returns the numbers that the next block is to cover, between the first
// and the last of a scope: those of a block that is older than a change, or that
// no block covers, or the end of the scope. What is behind the last block is
// added to it while it is not full.
func toPack(blocks []postedBlock, first, last, before, size int64) (low, high int64) {
	next := first
	for i, b := range blocks {
		switch {
		case b.low > next:
			return next, b.low - 1
		case i == len(blocks)-1 && b.size < size*packedPassage:
			return b.low, last
		case b.change < before:
			return b.low, b.high
		}
		next = b.high + 1
	}
	return next, last
}

// dropRemoved deletes the blocks that hold passages which are gone: they say how
// long what was forgotten was. The connection writes and is in no transaction.
func (db *DB) dropRemoved(ctx context.Context) error {
	_, err := db.writing.run(context.WithoutCancel(ctx), `
		DELETE FROM posted WHERE EXISTS (
			SELECT 1 FROM removal AS r
			WHERE r.scope_no = posted.low >> 40 AND r.change > posted.change AND r.number BETWEEN posted.low AND posted.high)`, nil)
	return err
}
