package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
)

// DropIndex removes everything derived in a scope: passages, words,
// substrings, parents. Facts, turns and documents stay, and so do their
// vectors.
func (t *tx) DropIndex(ctx context.Context, scope strata.Scope) error {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return err
	}
	if err := t.dropCodes(ctx, no); err != nil {
		return err
	}
	if err := t.loosenVectors(ctx, no); err != nil {
		return err
	}
	low, high := numbers(no)
	for _, table := range textTables {
		if err := t.dropWords(ctx, table, low, high); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		`DELETE FROM embedding_queue WHERE number BETWEEN ? AND ?`,
		`DELETE FROM parent_vector WHERE place BETWEEN ? AND ?`,
		`DELETE FROM parent WHERE number BETWEEN ? AND ?`,
		`DELETE FROM passage WHERE number BETWEEN ? AND ?`,
	} {
		if _, err := t.exec(ctx, statement, low, high); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		`DELETE FROM scope_stat WHERE scope_no = ?`,
		`DELETE FROM removal WHERE scope_no = ?`,
		`DELETE FROM sketch WHERE scope_no = ?`,
	} {
		if _, err := t.exec(ctx, statement, no); err != nil {
			return err
		}
	}
	return t.noteRemoval(ctx, no, 0)
}

// textTables are the full-text tables.
var textTables = []string{"word", "piece"}

// staleWords is the row of table meta that says that the full-text tables hold
// entries of dropped passages which are merely marked as deleted.
const staleWords = "stale_words"

// dropWords removes the passages of a range from a full-text table.
//
// To overwrite what a passage left in FTS5's segments takes about 2 ms, which
// forgetting is worth, and dropping a scope is not: its text stays in the facts
// and turns. So its entries are only marked as deleted, and overwritten all at
// once before the first passage is removed ([tx.purgeWords]). A table that
// holds nothing else is emptied at once.
func (t *tx) dropWords(ctx context.Context, table string, low, high int64) error {
	if err := t.writeWords(ctx); err != nil {
		return err
	}
	var others bool
	err := t.queryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM `+table+`_content WHERE id < ?) OR EXISTS (SELECT 1 FROM `+table+`_content WHERE id > ?)`,
		low, high).Scan(&others)
	if err != nil {
		return err
	}
	if !others {
		if _, err := t.exec(ctx, `DELETE FROM `+table+`_content`); err != nil {
			return err
		}
		_, err := t.exec(ctx, `INSERT INTO `+table+` (`+table+`) VALUES ('rebuild')`)
		return err
	}
	// FTS5 looks at the setting when it writes out what it holds in memory,
	// which it does at a savepoint.
	secure := `INSERT INTO ` + table + ` (` + table + `, rank) VALUES ('secure-delete', ?)`
	for _, step := range []struct {
		statement string
		args      []any
	}{
		{`SAVEPOINT words`, nil},
		{`RELEASE words`, nil},
		{secure, []any{0}},
		{`DELETE FROM ` + table + ` WHERE rowid BETWEEN ? AND ?`, []any{low, high}},
		{`SAVEPOINT words`, nil},
		{`RELEASE words`, nil},
		{secure, []any{1}},
		{`INSERT INTO meta (name, value) VALUES (?, x'01') ON CONFLICT DO NOTHING`, []any{staleWords}},
	} {
		if _, err := t.exec(ctx, step.statement, step.args...); err != nil {
			return err
		}
	}
	return nil
}

// purgeWords overwrites what dropped passages left in the full-text tables, if
// anything. It takes as long as copying these tables once.
func (t *tx) purgeWords(ctx context.Context) error {
	if err := t.writeWords(ctx); err != nil {
		return err
	}
	var stale []byte
	err := t.queryRow(ctx, `SELECT value FROM meta WHERE name = ?`, staleWords).Scan(&stale)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, table := range textTables {
		if _, err := t.exec(ctx, `INSERT INTO `+table+` (`+table+`) VALUES ('optimize')`); err != nil {
			return err
		}
	}
	_, err = t.exec(ctx, `DELETE FROM meta WHERE name = ?`, staleWords)
	return err
}
