package sqlite

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/text"
)

// New texts and their terms are pending, in the table of that name, until a scope
// has so many that merging them into tables trigram_index and term_index pays off.
// Until then a search reads them one by one. Indexing each text alone would cost
// every save pages of both tables and, where many scopes have few passages, seven
// bytes for most trigrams of the text (docs/decisions/0014-one-pending-delta.md).

// The pending texts of a scope are merged when they reach one of these bounds.
const (
	pendingTexts = 256
	pendingBytes = 128 << 10
)

// textSize is a number of texts and their size in bytes.
type textSize struct{ texts, bytes int64 }

// reaches reports whether the number or the size reaches its bound.
func (s textSize) reaches(bound textSize) bool {
	return s.texts >= bound.texts || s.bytes >= bound.bytes
}

// addPending makes the text of a passage findable. If the index might split or drop
// a term, as only FTS5 knows, the terms are indexed at once.
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

// mergeFull merges the pending texts of the scopes to which the transaction added,
// if they have enough. It runs last, because at every savepoint FTS5 writes out what
// it holds in memory as a segment of its own.
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

// Segments of the full-text tables are merged in steps, in proportion to the bytes
// that were written: one page is merged for this many bytes. Terms take a quarter of
// the pages that trigrams take.
const (
	mergeTerms    = 2 << 10
	mergeTrigrams = 512
)

// mergePending moves all pending texts of a scope into trigram_index, and their
// terms into term_index. It moves all at once, so that a reader that sees a text
// pending knows that none has been merged. textBytes and termBytes are their sizes.
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

// holdingPending and holdingMerged select what MatchSubstring finds among pending
// and among merged texts. ?8 is the substring, ?9 the maximum number of results, ?10
// the query for its trigrams and ?11 the maximum number of merged texts to examine.
// Merged texts come in order already; sorting them again would examine all of them.
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

// trigramText returns a text in the form in which substrings are indexed and looked
// up.
func trigramText(s string) string { return withoutNUL(text.Normalize(s)) }

// withoutNUL replaces NUL characters, at which SQLite would end a query.
func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "\uFFFD") }
