package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
)

// termEntry is a passage that holds a term: the lower part of its number above
// hitBits, and how often it holds the term below.
type termEntry uint64

// hitBits is how many bits of an entry count, and rowBits how many are of the
// row. A row of termRows is packed so.
const (
	hitBits = 29
	rowBits = 34
)

// newTermEntry is the entry of a row that holds a term so often.
func newTermEntry(row, count int64) termEntry {
	return termEntry(row&(1<<rowBits-1))<<hitBits | termEntry(min(count, 1<<hitBits-1))
}

func (e termEntry) number() int64 { return int64(e >> hitBits) }
func (e termEntry) count() int64  { return int64(e & (1<<hitBits - 1)) }

const (
	// termRows selects the entries of a term in a range of row ids.
	termRows = `
		SELECT pack(hit) FROM (
			SELECT (rowid & 0x3ffffffff) << 29 | min(phrase_count(word), 0x1fffffff) AS hit
			FROM word WHERE word MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT -1)`
	// walkShare is the part of the index that a scope must hold for its leaves to
	// be read: the entries of all scopes lie in the same ones.
	walkShare = 2
)

// termEntries has do read the entries of a term in a scope, by number, those of
// the passages that wait included. They are valid until it returns.
func (t *tx) termEntries(ctx context.Context, scopeNo int64, waiting *waitingTerms, term string, do func([]termEntry)) error {
	more := waiting.entries(term)
	walk, err := t.walksIndex(ctx, scopeNo)
	if err != nil {
		return err
	}
	low, high := numbers(scopeNo)
	room := t.db.borrowEntries()
	defer t.db.entries.Put(room)
	if walk {
		list, err := t.entriesInLeaves(ctx, room, indexForm(term), low, high)
		if err == nil {
			do(withWaiting(list, more))
		}
		if !errors.Is(err, errSegment) {
			return err
		}
	}
	return t.packed(ctx, func(packed []byte) error {
		*room = (*room)[:0]
		for ; len(packed) >= 8; packed = packed[8:] {
			*room = append(*room, termEntry(binary.LittleEndian.Uint64(packed)))
		}
		*room = withWaiting(*room, more)
		do(*room)
		return nil
	}, termRows, anyOf([]string{term}), low, high)
}

// walksIndex reports whether a scope holds so much of the index that to read the
// leaves takes less time than to be handed each row of the scope. What a writer
// has written is not in leaves yet.
func (t *tx) walksIndex(ctx context.Context, scopeNo int64) (bool, error) {
	if t.group != nil {
		return false, nil
	}
	if walk, ok := t.walks[scopeNo]; ok {
		return walk, nil
	}
	n, err := t.queryIntegers(ctx, 2, `
		SELECT coalesce(sum(passages) FILTER (WHERE scope_no = ?), 0), coalesce(sum(passages), 0) FROM scope_stat`, scopeNo)
	if err != nil {
		return false, err
	}
	if t.walks == nil {
		t.walks = make(map[int64]bool)
	}
	t.walks[scopeNo] = walkShare*n[0] >= n[1]
	return t.walks[scopeNo], nil
}

// borrowEntries returns room for the entries of a term.
func (db *DB) borrowEntries() *[]termEntry {
	if room, ok := db.entries.Get().(*[]termEntry); ok {
		return room
	}
	return new([]termEntry)
}
