package sqlite

import (
	"context"
	"maps"
	"slices"

	"github.com/strata-memory/strata/internal/index/passage"
)

// New texts and their terms are pending, in the table of that name, until so many
// of their scope are that it pays to merge them into tables trigram_index and
// term_index. Until then a search reads them one by one. To index a text alone would
// cost every save pages of both tables, and seven bytes for most of its trigrams
// where many scopes have few passages (docs/decisions/0014-one-pending-delta.md).

// The texts of a scope are merged when so many are pending, or so many bytes of them.
const (
	pendingTexts = 256
	pendingBytes = 128 << 10
)

// textSize is a number of texts, and how many bytes they have.
type textSize struct{ texts, bytes int64 }

// reaches reports whether there are so many texts, or so many bytes.
func (s textSize) reaches(bound textSize) bool {
	return s.texts >= bound.texts || s.bytes >= bound.bytes
}

// addPending makes the text of a passage findable. Terms of which the index would
// take one for several, or for none, as only FTS5 knows, do not wait.
func (t *tx) addPending(ctx context.Context, number int64, terms, normal string) error {
	var pending any = terms
	if !passage.AreTerms(terms) {
		pending = nil
		if _, err := t.exec(ctx, `INSERT INTO term_index (rowid, terms) VALUES (?, ?)`, number, terms); err != nil {
			return err
		}
	}
	t.group.pending[passage.Scope(number)] = true
	_, err := t.exec(ctx, `INSERT INTO pending (number, normal, terms) VALUES (?, ?, ?)`, number, withoutNUL(normal), pending)
	return err
}

// mergeFull merges what is pending of the scopes to which the transaction added,
// where that is enough. It comes last: FTS5 writes out what it holds in memory, as
// a segment of its own, at every savepoint.
func (t *tx) mergeFull(ctx context.Context) error {
	for _, scopeNo := range slices.Sorted(maps.Keys(t.group.pending)) {
		low, high := passage.Numbers(scopeNo)
		n, err := t.queryIntegers(ctx, 3, `
			SELECT count(*), coalesce(sum(octet_length(normal)), 0), coalesce(sum(octet_length(terms)), 0)
			FROM pending WHERE number BETWEEN ? AND ?`, low, high)
		if err != nil {
			return err
		}
		if !(textSize{n[0], n[1]}).reaches(t.db.mergePendingFrom) {
			continue
		}
		if err := t.mergePending(ctx, scopeNo, n[1], n[2]); err != nil {
			return err
		}
	}
	return nil
}

// Segments of the full-text tables are merged, a part at a time, in proportion to
// the bytes that were written: so many for each page that is merged. Terms take a
// quarter of the pages that trigrams take.
const (
	mergeTerms    = 2 << 10
	mergeTrigrams = 512
)

// mergePending puts all pending texts of a scope into trigram_index, and their terms
// into term_index. All go at once: a reader that knows of one that is still pending
// knows that nothing was merged. textBytes and termBytes are how much that is.
func (t *tx) mergePending(ctx context.Context, scopeNo, textBytes, termBytes int64) error {
	low, high := passage.Numbers(scopeNo)
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`INSERT INTO term_index (rowid, terms) SELECT number, terms FROM pending WHERE number BETWEEN ? AND ? AND terms IS NOT NULL ORDER BY number`,
			[]any{low, high}},
		{`INSERT INTO trigram_index (rowid, normal) SELECT number, normal FROM pending WHERE number BETWEEN ? AND ? ORDER BY number`,
			[]any{low, high}},
		{`DELETE FROM pending WHERE number BETWEEN ? AND ?`, []any{low, high}},
		{`INSERT INTO term_index (term_index, rank) VALUES ('merge', ?)`, []any{1 + termBytes/mergeTerms}},
		{`INSERT INTO trigram_index (trigram_index, rank) VALUES ('merge', ?)`, []any{1 + textBytes/mergeTrigrams}},
	} {
		if _, err := t.exec(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	return nil
}

// holdingPending and holdingMerged are what MatchSubstring finds among pending texts
// and among the others. ?8 is what is looked for, ?9 the most that are wanted, ?10
// the query for its groups of characters and ?11 the most texts that were merged to
// look at. These are in order already; sorted again, all of them would be looked at.
const (
	holding        = `SELECT * FROM (` + holdingPending + `) UNION ALL SELECT * FROM (` + holdingMerged + `) ORDER BY 1 DESC LIMIT ?9`
	holdingPending = `
		SELECT p.number, p.parent, p.seq, p.words, p.kind, p.type
		FROM pending AS u CROSS JOIN passage AS p ON p.number = u.number
		WHERE u.number BETWEEN ?1 AND ?2 AND instr(u.normal, ?8) > 0 AND ` + passes + `
		ORDER BY u.number DESC LIMIT ?9`
	holdingMerged = `
		SELECT number, parent, seq, words, kind, type
		FROM (
			SELECT p.number, p.parent, p.seq, p.words, p.kind, p.type, trigram_index.normal AS normal
			FROM trigram_index CROSS JOIN passage AS p ON p.number = trigram_index.rowid
			WHERE trigram_index MATCH ?10 AND trigram_index.rowid BETWEEN ?1 AND ?2 AND ` + passes + `
			ORDER BY trigram_index.rowid DESC LIMIT ?11)
		WHERE instr(normal, ?8) > 0 LIMIT ?9`
)
