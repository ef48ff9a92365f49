package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
)

// DropIndex removes everything derived in a scope: passages, words,
// substrings, vectors, parents. Facts and turns stay.
func (t *tx) DropIndex(ctx context.Context, scope strata.Scope) error {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return err
	}
	if err := t.dropCodes(ctx, no); err != nil {
		return err
	}
	low, high := numbers(no)
	for _, statement := range []string{
		`DELETE FROM word WHERE rowid BETWEEN ? AND ?`,
		`DELETE FROM piece WHERE rowid BETWEEN ? AND ?`,
		`DELETE FROM embedding_queue WHERE number BETWEEN ? AND ?`,
		`DELETE FROM vector WHERE place BETWEEN ? AND ?`,
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
	} {
		if _, err := t.exec(ctx, statement, no); err != nil {
			return err
		}
	}
	return t.noteRemoval(ctx, no, 0)
}
