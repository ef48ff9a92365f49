package sqlite

import (
	"context"
	"encoding/binary"

	"github.com/strata-memory/strata/index/passage"
)

// termEntry is a passage that holds a term: the lower part of its number above
// hitBits, and how often it holds the term below.
type termEntry uint64

// hitBits is how many bits of an entry count. The rest has room for every
// number of a scope.
const hitBits = 64 - passage.ScopeBits

// newTermEntry is the entry of a passage that holds a term so often.
func newTermEntry(number, count int64) termEntry {
	return termEntry(number&lowBits)<<hitBits | termEntry(min(count, 1<<hitBits-1))
}

func (e termEntry) number() int64 { return int64(e >> hitBits) }
func (e termEntry) count() int64  { return int64(e & (1<<hitBits - 1)) }

// termRows selects the entries of a term in a range of row ids.
const termRows = `
	SELECT pack(hit) FROM (
		SELECT (rowid & 0xffffffffff) << 24 | min(phrase_count(word), 0xffffff) AS hit
		FROM word WHERE word MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT -1)`

// termEntries has do read the entries of a term in a scope, by number, those of
// the passages that wait included. They are valid until it returns.
func (t *tx) termEntries(ctx context.Context, scopeNo int64, waiting *waitingTerms, term string, do func([]termEntry)) error {
	more := waiting.entries(term)
	low, high := passage.Numbers(scopeNo)
	room := t.db.borrowEntries()
	defer t.db.entries.Put(room)
	return t.packed(ctx, func(packed []byte) error {
		*room = (*room)[:0]
		for ; len(packed) >= 8; packed = packed[8:] {
			*room = append(*room, termEntry(binary.LittleEndian.Uint64(packed)))
		}
		*room = withWaiting(*room, more)
		do(*room)
		return nil
	}, termRows, `"`+term+`"`, low, high) // a term holds no quotes
}

// borrowEntries returns room for the entries of a term.
func (db *DB) borrowEntries() *[]termEntry {
	if room, ok := db.entries.Get().(*[]termEntry); ok {
		return room
	}
	return new([]termEntry)
}
