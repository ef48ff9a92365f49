package sqlite

import (
	"context"
	"maps"
	"slices"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

// New texts and their terms are pending, in the table of that name, until so many
// of their scope are that it pays to merge them into the indexes of trigrams (table
// piece) and of terms (table word). Until then a search reads them one by one. To
// index a text alone would cost every save pages of both tables, and seven bytes
// for most of its trigrams where many scopes have few passages
// (docs/decisions/0014-one-pending-delta.md).

// Texts of a scope are merged when so many are pending, or so many bytes of them.
const (
	pendingTexts = 256
	pendingBytes = 128 << 10
)

const insertPending = `INSERT INTO pending (number, normal, terms) SELECT c0, c1, c2 FROM unpack(?)`

// addPending makes rows of (number, normalized text, terms) findable.
func (t *tx) addPending(ctx context.Context, rows packed.Rows) error {
	ctx = context.WithoutCancel(ctx) // what is counted must be what is stored
	sizes, err := textSizes(rows)
	if err != nil {
		return err
	}
	if _, err := t.put(ctx, insertPending, []byte(rows)); err != nil {
		return err
	}
	for no, n := range sizes {
		t.db.pending.add(no, n)
	}
	for _, no := range slices.Sorted(maps.Keys(sizes)) {
		n, err := t.pendingOf(ctx, no)
		if err == nil && n.reaches(t.db.mergePendingFrom) {
			err = t.mergePending(ctx, no)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mergePending puts all pending texts of a scope into piece, and their terms into
// word. All go at once: a reader that knows of one that is still pending knows that
// nothing was merged, see [tx.catchUpWaiting].
func (t *tx) mergePending(ctx context.Context, scopeNo int64) error {
	low, high := passage.Numbers(scopeNo)
	sizes, err := t.lookIntegers(ctx, 2, `
		SELECT sum(octet_length(normal)), coalesce(sum(octet_length(terms)), 0) FROM pending WHERE number BETWEEN ? AND ?`, low, high)
	if err != nil {
		return err
	}
	t.db.pending.forget(scopeNo)
	for _, statement := range []string{
		`INSERT INTO word (rowid, terms) SELECT number, terms FROM pending WHERE number BETWEEN ? AND ? AND terms IS NOT NULL ORDER BY number`,
		`INSERT INTO piece (rowid, normal) SELECT number, normal FROM pending WHERE number BETWEEN ? AND ? ORDER BY number`,
		`DELETE FROM pending WHERE number BETWEEN ? AND ?`,
	} {
		if _, err := t.put(ctx, statement, low, high); err != nil {
			return err
		}
	}
	t.db.pending.set(scopeNo, textSize{})
	t.db.unmerged.pieces += int(sizes[0])
	t.db.unmerged.words += int(sizes[1])
	return nil
}

// holdingPending and holdingMerged are what MatchSubstring finds among pending texts
// and among the others. ?8 is what is looked for, ?9 the most that are wanted, ?10
// the query for its groups of characters and ?11 the most texts that were merged to
// look at. These are in order already; sorted again, all of them would be looked at.
const (
	holding        = `SELECT * FROM (` + holdingPending + `) UNION ALL SELECT * FROM (` + holdingMerged + `) ORDER BY 1 DESC LIMIT ?9`
	holdingPending = `
		SELECT p.number, p.parent, p.seq, p.words, p.kind
		FROM pending AS u CROSS JOIN passage AS p ON p.number = u.number
		WHERE u.number BETWEEN ?1 AND ?2 AND instr(u.normal, ?8) > 0 AND ` + passes + `
		ORDER BY u.number DESC LIMIT ?9`
	holdingMerged = `
		SELECT number, parent, seq, words, kind
		FROM (
			SELECT p.number, p.parent, p.seq, p.words, p.kind, piece.normal AS normal
			FROM piece CROSS JOIN passage AS p ON p.number = piece.rowid
			WHERE piece MATCH ?10 AND piece.rowid BETWEEN ?1 AND ?2 AND ` + passes + `
			ORDER BY piece.rowid DESC LIMIT ?11)
		WHERE instr(normal, ?8) > 0 LIMIT ?9`
)
