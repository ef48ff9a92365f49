package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata/internal/index/passage"
)

// DropStale removes some vectors of models that are no longer wanted, and reports
// whether there may be more to do.
//
// Such a model may have a million vectors, so each call removes up to limit rows.
// Until the last row is gone, the model keeps its row in table model, so that its
// number is not reused.
func (t *tx) DropStale(ctx context.Context, limit int) (bool, error) {
	const op = "remove stale vectors"
	if more, err := t.bringOver(ctx, max(1, clampLimit(limit)/8)); more || err != nil {
		return more, wrap(op, err)
	}
	var m model
	err := t.queryRow(ctx, `SELECT number, dim, queue FROM model WHERE stale ORDER BY number LIMIT 1`).
		Scan(&m.number, &m.dim, &m.queue)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, wrap(op, err)
	}
	t.cached.clear()
	limit = clampLimit(limit)
	// The rows of a model are a range within those of each scope.
	const ofModel = `(s.no << 40) + (?1 << 34) AND (s.no << 40) + (?1 + 1 << 34) - 1 LIMIT ?2)`
	for _, c := range []struct {
		statement string
		model     int64
		limit     int
	}{
		// A block of codes fills a page or more.
		{`DELETE FROM code_block WHERE id IN (
			SELECT b.id FROM code_head AS h CROSS JOIN code_block AS b ON b.head = h.id WHERE h.model = ?1 LIMIT ?2)`,
			m.number, max(1, limit/8)},
		{`DELETE FROM pending_code WHERE (head, number) IN (
			SELECT u.head, u.number FROM code_head AS h CROSS JOIN pending_code AS u ON u.head = h.id WHERE h.model = ?1 LIMIT ?2)`,
			m.number, limit},
		{`DELETE FROM code_head WHERE id IN (SELECT id FROM code_head WHERE model = ?1 LIMIT ?2)`, m.number, limit},
		{`DELETE FROM parent_vector WHERE place IN (
			SELECT v.place FROM scope AS s CROSS JOIN parent_vector AS v ON v.place BETWEEN ` + ofModel, m.number, limit},
		{`DELETE FROM vector WHERE place IN (
			SELECT v.place FROM scope AS s CROSS JOIN vector AS v ON v.place BETWEEN ` + ofModel, m.number, limit},
		{`DELETE FROM embedding_queue WHERE (number, model) IN (
			SELECT number, model FROM embedding_queue WHERE model = ?1 LIMIT ?2)`, m.queue, limit},
		{`DELETE FROM model WHERE number = ?1 AND ?2 > 0`, m.number, limit},
	} {
		res, err := t.exec(ctx, c.statement, c.model, c.limit)
		if err != nil {
			return false, wrap(op, err)
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			return true, wrap(op, err)
		}
	}
	return true, nil
}

// uncodeStale removes a passage's vector of a stale model from the codes that are
// left, together with the whole block that may hold it.
func (t *tx) uncodeStale(ctx context.Context, m model, p passageRow) error {
	for _, statement := range []string{
		`DELETE FROM pending_code WHERE number = ?1 AND head IN (
			SELECT id FROM code_head WHERE scope_no = ?2 AND model = ?3 AND kind = ?4)`,
		`DELETE FROM code_block WHERE low <= ?1 AND high >= ?1 AND head IN (
			SELECT id FROM code_head WHERE scope_no = ?2 AND model = ?3 AND kind = ?4)`,
	} {
		if _, err := t.exec(ctx, statement, p.number, passage.Scope(p.number), m.number, p.kind); err != nil {
			return err
		}
	}
	return nil
}
