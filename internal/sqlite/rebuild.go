package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/purge"
)

// DropIndex removes everything derived in a scope: passages, words, substrings and
// parents. Facts, turns, documents and their vectors stay.
func (t *tx) DropIndex(ctx context.Context, scope strata.Scope) error {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return err
	}
	if err := t.dropCodes(ctx, no); err != nil {
		return err
	}
	if err := t.dropUnusableVectors(ctx, no); err != nil {
		return err
	}
	low, high := passage.Numbers(no)
	for _, table := range t.db.purger.Tables {
		if err := t.dropWords(ctx, table, low, high); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		`DELETE FROM pending WHERE number BETWEEN ? AND ?`,
		`DELETE FROM embedding_queue WHERE number BETWEEN ? AND ?`,
		`DELETE FROM parent_vector WHERE place BETWEEN ? AND ?`,
		`DELETE FROM parent WHERE number BETWEEN ? AND ?`,
		`DELETE FROM passage WHERE number BETWEEN ? AND ?`,
		`DELETE FROM passage_block WHERE low BETWEEN ? AND ?`,
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

// dropWords removes a range of passages from a full-text table. Their text stays in
// the facts, turns and documents, so their entries are only marked as deleted. A
// table that holds nothing else is emptied at once.
func (t *tx) dropWords(ctx context.Context, table string, low, high int64) error {
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
		return purge.Rebuild(ctx, t.conn, table)
	}
	if err := t.markWords(ctx); err != nil {
		return err
	}
	if _, err = t.exec(ctx, `DELETE FROM `+table+` WHERE rowid BETWEEN ? AND ?`, low, high); err != nil {
		return err
	}
	return t.flushWords(ctx) // the passages may be put again
}
