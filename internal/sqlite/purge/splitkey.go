package purge

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
)

// FTS5 finds the leaf of a segment that holds a term by split keys, the rows of its
// table idx. A split key is the first term of a leaf, or as much of it as
// distinguishes it from the term before. A term that is removed later is overwritten
// in its leaf, but remains a split key while the leaf holds other terms. The formats
// are described in https://sqlite.org/fts5.html and fts5_index.c.
//
// A splitKey is a row of an FTS5 table idx.

// A splitKey is a row of an FTS5 table idx.
type splitKey struct {
	segment int64
	term    []byte
	page    int64  // twice the number of the leaf, and 1 if it has an index of rows
	leaf    []byte // nil if it was cut off the segment
}

// SplitKeys replaces split keys of removed terms, in all full-text tables, by
// prefixes of terms that still exist. No transaction may be open, so that FTS5 holds
// nothing in memory.
func (p Purger) SplitKeys(ctx context.Context, c Conn) error {
	ctx = context.WithoutCancel(ctx)
	return inTransaction(ctx, c, func() error {
		for _, table := range p.Tables {
			known, err := p.knows(ctx, c, table)
			if err != nil {
				return err
			}
			if known {
				err = renewSplitKeys(ctx, c, table)
			}
			if !known || errors.Is(err, ErrUnknown) {
				err = Rebuild(ctx, c, table)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func renewSplitKeys(ctx context.Context, c Conn, table string) error {
	stale, err := staleSplitKeys(ctx, c, table)
	if err != nil {
		return err
	}
	for _, k := range stale {
		if err := k.renew(ctx, c, table); err != nil {
			return err
		}
	}
	return nil
}

// staleSplitKeys returns the split keys of a table that are not a prefix of the
// first term of their leaf, or that have no leaf.
func staleSplitKeys(ctx context.Context, c Conn, table string) ([]splitKey, error) {
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

// renew replaces a split key by the shortest prefix of its leaf's first term that is
// greater than the key, and so still greater than all terms of the leaves before. It
// deletes a key whose leaf was cut off, which has no use.
func (k splitKey) renew(ctx context.Context, c Conn, table string) error {
	if k.leaf == nil {
		_, err := c.ExecContext(ctx, `DELETE FROM `+table+`_idx WHERE segid = ? AND term = ?`, k.segment, k.term)
		return err
	}
	first, err := firstTerm(k.leaf)
	if err != nil {
		return err
	}
	if bytes.Compare(first, k.term) < 0 {
		return fmt.Errorf("a leaf begins before its key: %w", ErrUnknown)
	}
	same := 0
	for same < len(k.term) && first[same] == k.term[same] {
		same++
	}
	_, err = c.ExecContext(ctx, `UPDATE `+table+`_idx SET term = ? WHERE segid = ? AND term = ?`, first[:same+1], k.segment, k.term)
	return err
}

// firstTerm returns the first term of a leaf. A leaf has 2 bytes that are
// skipped, 2 bytes with the size of everything before the footer, rows and terms, and
// the footer, whose first number is the offset of the first term.
func firstTerm(leaf []byte) ([]byte, error) {
	if len(leaf) < 4 {
		return nil, fmt.Errorf("read leaf: it has no head: %w", ErrUnknown)
	}
	size := int(binary.BigEndian.Uint16(leaf[2:]))
	if size > len(leaf) {
		return nil, fmt.Errorf("read leaf: it is cut short: %w", ErrUnknown)
	}
	at, _ := sqliteVarint(leaf[size:])
	if at < 4 || at >= uint64(size) {
		return nil, fmt.Errorf("read leaf: it has a key and no term: %w", ErrUnknown)
	}
	n, bytes := sqliteVarint(leaf[at:size])
	begin := at + uint64(bytes)
	if n > uint64(size)-begin {
		return nil, fmt.Errorf("read leaf: a term is cut short: %w", ErrUnknown)
	}
	return leaf[begin : begin+n], nil
}

// sqliteVarint reads an integer in SQLite's format, seven bits per byte, the most
// significant first. It returns the length in bytes, or 0 if b ends too early.
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
