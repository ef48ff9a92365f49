package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Extractions lists sessions with turns that facts are still to be extracted from.
func (t *tx) Extractions(ctx context.Context, limit int) ([]store.Extraction, error) {
	rows, err := t.query(ctx, `SELECT s.key, x.session, x.after FROM extraction x JOIN scope s ON s.no = x.scope_no LIMIT ?`, clampLimit(limit))
	if err != nil {
		return nil, wrap("list extractions", err)
	}
	return collect(rows, func(scan scanner) (x store.Extraction, err error) {
		var key string
		if err = scan(&key, &x.Session, &x.After); err == nil {
			x.Scope, err = strata.ParseScope(key)
		}
		return x, err
	})
}

// Extraction returns how far facts were extracted from a session that waits for it.
func (t *tx) Extraction(ctx context.Context, scope strata.Scope, session string) (store.Extraction, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read extraction", "extraction of session", session, func(no int64) (store.Extraction, error) {
		x := store.Extraction{Scope: scope, Session: session}
		return x, t.queryRow(ctx, `SELECT after FROM extraction WHERE scope_no = ? AND session = ?`, no, session).Scan(&x.After)
	})
}

// lastTurn is the number of the last turn of session ?2 in scope ?1.
const lastTurn = `(SELECT coalesce(max(seq), 0) FROM turn WHERE scope_no = ?1 AND session = ?2)`

// QueueExtraction has facts extracted from the turns that follow the last.
func (t *tx) QueueExtraction(ctx context.Context, scope strata.Scope, session string) error {
	no, err := t.sessionScope(ctx, "queue extraction", scope, session)
	if err == nil {
		_, err = t.exec(ctx, `INSERT INTO extraction (scope_no, session, after) VALUES (?1, ?2, `+lastTurn+`) ON CONFLICT DO NOTHING`, no, session)
	}
	return wrap("queue extraction", err)
}

// MoveExtraction records that facts were extracted up to a turn.
func (t *tx) MoveExtraction(ctx context.Context, x store.Extraction) error {
	no, err := t.sessionScope(ctx, "move extraction", x.Scope, x.Session)
	if err == nil {
		_, err = t.exec(ctx, `UPDATE extraction SET after = max(after, ?3) WHERE scope_no = ?1 AND session = ?2`, no, x.Session, x.After)
	}
	if err == nil {
		_, err = t.exec(ctx, `DELETE FROM extraction WHERE scope_no = ?1 AND session = ?2 AND after >= `+lastTurn, no, x.Session)
	}
	return wrap("move extraction", err)
}
