package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/check"
	"github.com/strata-memory/strata/store/sqlite/retention"
)

// SessionUses lists the closed sessions of a scope that hold what can be pruned.
func (t *tx) SessionUses(ctx context.Context, scope strata.Scope) ([]store.SessionUse, error) {
	return inScope(ctx, t, scope, "list what sessions take up", func(no int64) ([]store.SessionUse, error) {
		rows, err := t.query(ctx, transcriptColumns+`,`+retention.UseColumns+transcriptTables+retention.Used, no)
		if err != nil {
			return nil, err
		}
		return collect(rows, func(scan scanner) (store.SessionUse, error) {
			var u store.SessionUse
			var err error
			u.Transcript, err = scanTranscript(func(dest ...any) error { return scan(append(dest, &u.Bytes, &u.Extraction)...) })
			return u, err
		})
	})
}

// PruneSession blanks the turns of a closed session.
func (t *tx) PruneSession(ctx context.Context, scope strata.Scope, session string) (int, error) {
	const op = "prune session"
	no, err := t.sessionScope(ctx, op, scope, session)
	if err != nil {
		return 0, err
	}
	turns, err := t.numberList(ctx, retention.Turns, no, session)
	if err != nil || len(turns) == 0 {
		return 0, wrap(op, err)
	}
	for _, number := range turns {
		if err := t.pruneTurn(ctx, number); err != nil {
			return 0, wrap(op, err)
		}
	}
	for _, statement := range retention.Kept {
		if _, err := t.exec(ctx, statement, no, session); err != nil {
			return 0, wrap(op, err)
		}
	}
	return len(turns), nil
}

// pruneTurn takes a turn out of the index and blanks it.
func (t *tx) pruneTurn(ctx context.Context, number int64) error {
	if err := t.removeTurnPassages(ctx, number); err != nil {
		return err
	}
	if _, err := t.exec(ctx, retention.Images, number); err != nil {
		return err
	}
	if _, err := t.exec(ctx, retention.BlankTurn, number, strata.PrunedText); err != nil {
		return err
	}
	return t.sum(ctx, check.Turn, number)
}
