package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
)

// FTS5 finds the leaf of a segment that holds a term by split keys, the rows of
// its table idx: the first term of the leaf, or as much of it as tells it from
// the term before. A term that is removed later is overwritten in its leaf, but
// stays a split key while the leaf holds other terms.
// Formats: https://sqlite.org/fts5.html and fts5_index.c.

// A splitKey is a row of an FTS5 table idx.
type splitKey struct {
	segment int64
	term    []byte
	page    int64  // twice the number of the leaf, and 1 if it has an index of rows
	leaf    []byte // nil if it was cut off the segment
}

// renewSplitKeys cuts the split keys of the full-text tables from terms that are
// there. FTS5 must hold nothing in memory.
func (db *DB) renewSplitKeys(ctx context.Context) (err error) {
	ctx = context.WithoutCancel(ctx)
	c := db.writing
	if _, err := c.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, undo := c.ExecContext(ctx, `ROLLBACK`)
			err = errors.Join(err, undo)
		}
	}()
	for _, table := range textTables {
		stale, err := staleSplitKeys(ctx, c, table)
		if err != nil {
			return err
		}
		for _, k := range stale {
			if err := k.renew(ctx, c, table); err != nil {
				return err
			}
		}
	}
	_, err = c.ExecContext(ctx, `COMMIT`)
	return err
}

// staleSplitKeys returns the split keys of a table that are of no term at the
// beginning of their leaf, or have no leaf.
func staleSplitKeys(ctx context.Context, c *conn, table string) ([]splitKey, error) {
	rows, err := c.QueryContext(ctx, `
		SELECT segid, term, pgno, block FROM `+table+`_idx
		LEFT JOIN `+table+`_data ON id = (segid << 37) + (pgno >> 1)
		WHERE length(term) > 0`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var stale []splitKey
	for rows.Next() {
		var k splitKey
		var term, leaf sql.RawBytes
		if err := rows.Scan(&k.segment, &term, &k.page, &leaf); err != nil {
			return nil, err
		}
		if leaf != nil {
			first, err := firstTerm(leaf)
			if err != nil {
				return nil, err
			}
			if bytes.HasPrefix(first, term) {
				continue
			}
		}
		k.term, k.leaf = bytes.Clone(term), bytes.Clone(leaf)
		stale = append(stale, k)
	}
	return stale, rows.Err()
}

// renew replaces a split key by the least part of the first term of its leaf
// that is greater: it still comes after all terms of the leaves before. A key
// whose leaf was cut off serves nothing.
func (k splitKey) renew(ctx context.Context, c *conn, table string) error {
	if k.leaf == nil {
		_, err := c.ExecContext(ctx, `DELETE FROM `+table+`_idx WHERE segid = ? AND term = ?`, k.segment, k.term)
		return err
	}
	first, err := firstTerm(k.leaf)
	if err != nil {
		return err
	}
	if bytes.Compare(first, k.term) < 0 {
		return corruptError("renew split key", "a leaf of words begins before its key")
	}
	same := 0
	for same < len(k.term) && first[same] == k.term[same] {
		same++
	}
	_, err = c.ExecContext(ctx, `UPDATE `+table+`_idx SET term = ? WHERE segid = ? AND term = ?`, first[:same+1], k.segment, k.term)
	return err
}

// firstTerm returns the first term of a leaf: 2 bytes, the size of what follows
// up to the footer in 2 bytes, rows and terms, and the footer, whose first
// number is the place of the first term.
func firstTerm(leaf []byte) ([]byte, error) {
	const op = "read leaf of words"
	if len(leaf) < 4 {
		return nil, corruptError(op, "it has no head")
	}
	size := int(binary.BigEndian.Uint16(leaf[2:]))
	if size > len(leaf) {
		return nil, corruptError(op, "it is cut short")
	}
	at, _ := sqliteVarint(leaf[size:])
	if at < 4 || at >= uint64(size) {
		return nil, corruptError(op, "it has a key and no term")
	}
	n, bytes := sqliteVarint(leaf[at:size])
	begin := at + uint64(bytes)
	if n > uint64(size)-begin {
		return nil, corruptError(op, "a term is cut short")
	}
	return leaf[begin : begin+n], nil
}

// sqliteVarint reads a number in SQLite's format, seven bits a byte, the
// greatest first, and tells in how many bytes it lies: 0 if there are none.
func sqliteVarint(b []byte) (n uint64, length int) {
	for i, c := range b {
		if i == 8 {
			return n<<8 | uint64(c), 9
		}
		n = n<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}
