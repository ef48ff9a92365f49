package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// Table passage_block holds a second copy of the passages of large scopes, packed
// into blocks by package lexical.

// packYieldFactor is how long to wait between two blocks while others read or write, as a
// multiple of the time that the first of the two took to write.
const packYieldFactor = 4

// Pack writes blocks of a scope until they cover all of it and none is too old. Each
// block is written in a short transaction of its own that determines what to do
// next, so that several processes may pack at once and any may stop. It gives way to
// questions and to saves. It fails on a read-only handle.
func (h lexicalHost) Pack(ctx context.Context, scopeNo int64, p lexical.Packing) error {
	db := h.db
	defer db.releaseMemory()
	for done := false; !done; {
		begun := time.Now()
		err := db.Update(ctx, func(w store.Writer) (err error) {
			done, err = w.(*tx).packNext(ctx, scopeNo, p)
			return err
		})
		if err != nil {
			return err
		}
		p.Replace = false // they have been removed
		db.dropPages()    // nobody needs the pages of a block again
		if !done && (db.readers.Busy() || db.commits.busy()) {
			if err := pause(ctx, packYieldFactor*time.Since(begun)); err != nil {
				return err
			}
		}
	}
	return nil
}

// packNext writes one block and reports whether it was the last.
func (t *tx) packNext(ctx context.Context, scopeNo int64, p lexical.Packing) (done bool, err error) {
	first, last := passage.Numbers(scopeNo)
	if p.Replace {
		if _, err := t.exec(ctx, `DELETE FROM passage_block WHERE low BETWEEN ? AND ?`, first, last); err != nil {
			return false, err
		}
	}
	src := lexicalSource{t}
	now, err := src.Scope(ctx, scopeNo)
	if err != nil {
		return false, err
	}
	blocks, err := src.Blocks(ctx, scopeNo)
	if err != nil {
		return false, err
	}
	size := t.db.blockPassages
	low, high := lexical.NextBlock(blocks, scopeNo, min(p.Before, now.Change), int64(size))
	rows, err := t.firstRows(ctx, low, high, size)
	if err != nil {
		return true, err
	}
	n := len(rows)
	done = high == last && n < size
	switch {
	case n == size || high == last && n > 0: // other passages follow, or will be added
		high = rows[n-1].Number
	case high == last: // the last block may be empty by now
		_, err = t.exec(ctx, `DELETE FROM passage_block WHERE low = ?`, low)
		return true, err
	}
	b, passages, ok := lexical.NewBlock(low, high, now.Change, rows)
	if !ok {
		return true, nil
	}
	_, err = t.exec(ctx, `
		INSERT INTO passage_block (low, high, change, sum, passages) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET high = excluded.high, change = excluded.change, sum = excluded.sum, passages = excluded.passages`,
		b.Low, b.High, b.Change, b.Sum, passages)
	return done, err
}

// firstRows returns the first n passages with numbers from low to high.
func (t *tx) firstRows(ctx context.Context, low, high int64, n int) (rows []passage.Row, err error) {
	err = t.rows(ctx, columnsOfRow, passagesScope, []any{low, high, n}, func(row []packed.Value) error {
		rows = append(rows, readRow(row))
		return nil
	})
	return rows, err
}

// dropRemoved deletes the blocks that hold removed passages, because they reveal how
// long forgotten texts were. The writing connection must not be in a transaction.
func (db *DB) dropRemoved(ctx context.Context) error {
	_, err := db.writing.Exec(context.WithoutCancel(ctx), `
		DELETE FROM passage_block WHERE EXISTS (
			SELECT 1 FROM removal AS r
			WHERE r.scope_no = passage_block.low >> 40 AND r.change > passage_block.change AND r.number BETWEEN passage_block.low AND passage_block.high)`, nil)
	return err
}
