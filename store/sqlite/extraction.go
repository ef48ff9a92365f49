package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Extractions lists sessions with turns that wait for an extractor.
func (t *tx) Extractions(ctx context.Context, by store.Extractor, limit int) ([]store.Extraction, error) {
	rows, err := t.query(ctx, `SELECT s.key, x.session, x.after FROM extraction x JOIN scope s ON s.no = x.scope_no WHERE x.extractor = ? LIMIT ?`,
		by, clampLimit(limit))
	if err != nil {
		return nil, wrap("list extractions", err)
	}
	return collect(rows, func(scan scanner) (x store.Extraction, err error) {
		var key string
		x.Extractor = by
		if err = scan(&key, &x.Session, &x.After); err == nil {
			x.Scope, err = strata.ParseScope(key)
		}
		return x, err
	})
}

// Extraction returns how far an extractor is in a session that waits for it.
func (t *tx) Extraction(ctx context.Context, scope strata.Scope, session string, by store.Extractor) (store.Extraction, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read extraction", "extraction of session", session, func(no int64) (store.Extraction, error) {
		x := store.Extraction{Scope: scope, Session: session, Extractor: by}
		return x, t.queryRow(ctx, `SELECT after FROM extraction WHERE scope_no = ? AND session = ? AND extractor = ?`, no, session, by).Scan(&x.After)
	})
}

// lastTurn is the number of the last turn of session ?2 in scope ?1.
const lastTurn = `(SELECT coalesce(max(seq), 0) FROM turn WHERE scope_no = ?1 AND session = ?2)`

// QueueExtraction has an extractor read the turns that follow the last.
func (t *tx) QueueExtraction(ctx context.Context, scope strata.Scope, session string, by store.Extractor) error {
	no, err := t.sessionScope(ctx, "queue extraction", scope, session)
	if err == nil {
		_, err = t.exec(ctx, `INSERT INTO extraction (scope_no, session, extractor, after) VALUES (?1, ?2, ?3, `+lastTurn+`) ON CONFLICT DO NOTHING`,
			no, session, by)
	}
	return wrap("queue extraction", err)
}

// MoveExtraction records that an extractor has read up to a turn.
func (t *tx) MoveExtraction(ctx context.Context, x store.Extraction) error {
	no, err := t.sessionScope(ctx, "move extraction", x.Scope, x.Session)
	if err == nil {
		_, err = t.exec(ctx, `UPDATE extraction SET after = max(after, ?4) WHERE scope_no = ?1 AND session = ?2 AND extractor = ?3`,
			no, x.Session, x.Extractor, x.After)
	}
	if err == nil {
		_, err = t.exec(ctx, `DELETE FROM extraction WHERE scope_no = ?1 AND session = ?2 AND extractor = ?3 AND after >= `+lastTurn,
			no, x.Session, x.Extractor)
	}
	return wrap("move extraction", err)
}
