package sqlite

import (
	"context"
	"maps"
	"slices"
)

// Texts wait in table uncut until so many of their scope do that it pays to cut
// them into the groups of three characters of table piece: until then a search
// reads them one by one. A text alone would cost pages of that table to every
// save, and seven bytes for most of its groups where many scopes have few
// passages (docs/decisions/0014-substrings-wait.md). Their terms wait with them,
// and go into table word at the same time (docs/decisions/0018-words-wait.md).

// Texts of a scope are cut when so many wait, or so many bytes of them.
const (
	cutTexts = 256
	cutBytes = 128 << 10
)

const insertUncut = `INSERT INTO uncut (number, normal, terms) SELECT c0, c1, c2 FROM unpack(?)`

// putTexts makes rows of (number, normalized text, terms) findable.
func (t *tx) putTexts(ctx context.Context, rows packedRows) error {
	ctx = context.WithoutCancel(ctx) // what is counted must be what is stored
	sizes, err := textSizes(rows)
	if err != nil {
		return err
	}
	if _, err := t.put(ctx, insertUncut, []byte(rows)); err != nil {
		return err
	}
	for no, n := range sizes {
		t.db.uncut.add(no, n)
	}
	for _, no := range slices.Sorted(maps.Keys(sizes)) {
		n, err := t.uncutOf(ctx, no)
		if err == nil && n.reaches(t.db.cutFrom) {
			err = t.cut(ctx, no)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cut puts all texts of a scope that wait into piece, and their terms into word.
// All go at once: a reader that knows of one that still waits knows that nothing
// was cut, see [tx.catchUpWaiting].
func (t *tx) cut(ctx context.Context, scopeNo int64) error {
	low, high := numbers(scopeNo)
	sizes, err := t.lookIntegers(ctx, 2, `
		SELECT sum(octet_length(normal)), coalesce(sum(octet_length(terms)), 0) FROM uncut WHERE number BETWEEN ? AND ?`, low, high)
	if err != nil {
		return err
	}
	t.db.uncut.forget(scopeNo)
	for _, statement := range []string{
		`INSERT INTO word (rowid, terms) SELECT number, terms FROM uncut WHERE number BETWEEN ? AND ? AND terms IS NOT NULL ORDER BY number`,
		`INSERT INTO piece (rowid, normal) SELECT number, normal FROM uncut WHERE number BETWEEN ? AND ? ORDER BY number`,
		`DELETE FROM uncut WHERE number BETWEEN ? AND ?`,
	} {
		if _, err := t.put(ctx, statement, low, high); err != nil {
			return err
		}
	}
	t.db.uncut.set(scopeNo, textSize{})
	t.db.unmerged.pieces += int(sizes[0])
	t.db.unmerged.words += int(sizes[1])
	return nil
}

// holdingUncut and holdingCut are what MatchSubstring finds among texts that
// wait and among the others. ?8 is what is looked for, ?9 the most that are
// wanted and ?10 the query for its groups of characters.
const (
	holding      = `SELECT * FROM (` + holdingUncut + `) UNION ALL SELECT * FROM (` + holdingCut + `) ORDER BY 1 DESC LIMIT ?9`
	holdingUncut = `
		SELECT p.number, p.parent, p.seq, p.words, p.kind
		FROM uncut AS u CROSS JOIN passage AS p ON p.number = u.number
		WHERE u.number BETWEEN ?1 AND ?2 AND instr(u.normal, ?8) > 0 AND ` + passes + `
		ORDER BY u.number DESC LIMIT ?9`
	holdingCut = `
		SELECT p.number, p.parent, p.seq, p.words, p.kind
		FROM piece CROSS JOIN passage AS p ON p.number = piece.rowid
		WHERE piece MATCH ?10 AND piece.rowid BETWEEN ?1 AND ?2 AND ` + passes + ` AND instr(piece.normal, ?8) > 0
		ORDER BY piece.rowid DESC LIMIT ?9`
	// holdingTried is holding with no more than ?11 texts looked at that were cut.
	// They are in order already; sorted again, all of them would be looked at.
	holdingTried = `SELECT * FROM (` + holdingUncut + `) UNION ALL SELECT * FROM (
		SELECT p.number, p.parent, p.seq, p.words, p.kind
		FROM (
			SELECT rowid AS number, normal FROM piece
			WHERE piece MATCH ?10 AND rowid BETWEEN ?1 AND ?2 ORDER BY rowid DESC LIMIT ?11) AS c
		CROSS JOIN passage AS p ON p.number = c.number
		WHERE instr(c.normal, ?8) > 0 AND ` + passes + ` LIMIT ?9) ORDER BY 1 DESC LIMIT ?9`
)
