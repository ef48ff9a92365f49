package sqlite

import (
	"context"
	"encoding/binary"
)

// termEntry is a passage that holds a term: the lower part of its number above
// hitBits, and how often it holds the term below.
type termEntry uint64

// hitBits is how many bits of an entry count. A row of termRows and what
// term_entries returns are packed so.
const hitBits = 29

func (e termEntry) number() int64 { return int64(e >> hitBits) }
func (e termEntry) count() int64  { return int64(e & (1<<hitBits - 1)) }

const (
	// termRows selects the entries of a term in a range of row ids.
	termRows = `
		SELECT pack(hit) FROM (
			SELECT (rowid & 0x3ffffffff) << 29 | min(phrase_count(word), 0x1fffffff) AS hit
			FROM word WHERE word MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT -1)`
	// termWalk does the same in a third of the time for each entry, but walks
	// through those of lower row ids, too.
	termWalk = `SELECT term_entries(word, ?2, ?3) FROM word WHERE word MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT 1`
	// walkShare is the part of the index that a scope must hold for that to pay.
	walkShare = 2
)

// termEntries has do read the entries of a term in a scope, by number. They are
// valid until it returns.
func (t *tx) termEntries(ctx context.Context, scopeNo int64, term string, do func(n int, at func(i int) termEntry)) error {
	query := termRows
	if walk, err := t.walksIndex(ctx, scopeNo); err != nil {
		return err
	} else if walk {
		query = termWalk
	}
	low, high := numbers(scopeNo)
	return t.packed(ctx, func(packed []byte) error {
		do(len(packed)/8, func(i int) termEntry { return termEntry(binary.LittleEndian.Uint64(packed[8*i:])) })
		return nil
	}, query, anyOf([]string{term}), low, high)
}

// walksIndex reports whether a scope holds so much of the index that to walk
// through all of it takes less time than to be handed each row of the scope.
func (t *tx) walksIndex(ctx context.Context, scopeNo int64) (bool, error) {
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
