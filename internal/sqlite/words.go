package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/sqlite/purge"
)

// markWords makes removals from the full-text tables only mark entries as deleted,
// until [tx.purgeWords].
//
// Overwriting what a passage left in FTS5's segments takes a search and a written
// page for each of its words and trigrams: 80 ms of processor time and 330 pages for
// a section of 500 characters among 30,000, where marking takes 2 ms and 25 pages.
// Forgetting is worth that. Editing a section is not, since its old text stays in
// the decision about the edit; nor is dropping the index of a scope, whose texts
// stay too. What they leave behind is overwritten all at once when something is
// forgotten.
func (t *tx) markWords(ctx context.Context) error {
	if marks, err := t.marksWords(ctx); err != nil || marks {
		return err
	}
	return t.overwriteWords(ctx, false)
}

// purgeWords overwrites what removed passages left in the full-text tables, if
// anything, and makes removals overwrite at once from now on. It takes as long as
// copying these tables once.
func (t *tx) purgeWords(ctx context.Context) error {
	if marks, err := t.marksWords(ctx); err != nil || !marks {
		return err
	}
	if err := t.overwriteWords(ctx, true); err != nil {
		return err
	}
	return t.onConn(ctx, t.db.purger.OverwriteMarked)
}

// marksWords reports whether removals only mark entries as deleted, so that the
// full-text tables may still hold words of removed passages. The setting is stored
// in those tables and lost with them when they are rebuilt.
func (t *tx) marksWords(ctx context.Context) (marks bool, err error) {
	err = t.queryRow(ctx, `SELECT NOT v FROM term_index_config WHERE k = 'secure-delete'`).Scan(&marks)
	return marks, err
}

// overwriteWords sets whether removals from the full-text tables overwrite what they
// remove.
func (t *tx) overwriteWords(ctx context.Context, on bool) error {
	return t.onConn(ctx, func(ctx context.Context, c purge.Conn) error { return t.db.purger.Overwrite(ctx, c, on) })
}

// flushWords makes FTS5 write out what it holds in memory; see [purge.Purger.Flush].
func (t *tx) flushWords(ctx context.Context) error { return t.onConn(ctx, t.db.purger.Flush) }

// onConn calls a function of package purge inside the transaction.
func (t *tx) onConn(ctx context.Context, do func(context.Context, purge.Conn) error) error {
	ctx, err := t.statementContext(ctx)
	if err != nil {
		return err
	}
	if err := do(ctx, t.conn); err != nil {
		return t.failed("purge words", err)
	}
	return nil
}
