package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata/store"
)

// The passages there were when a model became the target are walked through in
// the order of their numbers. Where the walk is stands in table embedding, so
// that each stretch of it costs the same and a killed process loses nothing.
// What comes later brings its vector or waits in the queue, wherever its
// number lies.

// stretchMost is how many passages a stretch goes through for each that may be
// missing: most have their vector already where the writes were many.
const stretchMost = 16

const stretchQuery = `
	SELECT p.number,
		NOT EXISTS (SELECT 1 FROM vector AS v WHERE v.place = p.number + ?2)
		AND NOT EXISTS (SELECT 1 FROM embedding_queue AS q WHERE q.number = p.number AND q.model = ?3)
	FROM passage AS p WHERE p.number > ?1 ORDER BY p.number LIMIT ?4`

// Stretch returns what follows in the walk for the target.
func (t *tx) Stretch(ctx context.Context, target store.Model, limit int) (store.Stretch, error) {
	const op = "walk through passages"
	var out store.Stretch
	w, err := t.models(ctx)
	if err != nil {
		return out, wrap(op, err)
	}
	if !w.isTarget(target) {
		return out, nil
	}
	limit = clampLimit(limit)
	missing, err := t.missing(ctx, w, limit, &out)
	if err != nil || len(missing) == 0 {
		return out, wrap(op, err)
	}
	sources, err := t.sourcesAt(ctx, missing)
	if err != nil {
		return out, wrap(op, err)
	}
	for _, n := range missing {
		if s, ok := sources[n]; ok {
			out.Missing = append(out.Missing, store.Unembedded{Source: s})
		}
	}
	return out, nil
}

// missing lists the passages of the next stretch that have no vector of the
// target and do not wait for one.
func (t *tx) missing(ctx context.Context, w *wantedModels, limit int, into *store.Stretch) ([]int64, error) {
	rows, err := t.query(ctx, stretchQuery,
		w.walked, w.target.shift(), w.target.queue, stretchMost*limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []int64
	for len(list) < limit && rows.Next() {
		var missing bool
		if err := rows.Scan(&into.Through, &missing); err != nil {
			return nil, err
		}
		into.Seen++
		if missing {
			list = append(list, into.Through)
		}
	}
	return list, rows.Err()
}

// isTarget reports whether m is the target.
func (w *wantedModels) isTarget(m store.Model) bool {
	return w.target.number != 0 && w.target.name == m.Name && w.target.dim == m.Dim
}

// Advance moves the walk behind a stretch. Another process may have been
// there first.
func (t *tx) Advance(ctx context.Context, target store.Model, s store.Stretch) error {
	const op = "walk through passages"
	w, err := t.models(ctx)
	if err != nil || !w.isTarget(target) || s.Through <= w.walked {
		return wrap(op, err)
	}
	t.wanted = nil
	_, err = t.exec(ctx, `UPDATE embedding SET walked = ?, done = done + ?`, s.Through, s.Seen)
	return wrap(op, err)
}

// LeaseEmbedding gives the walk to a holder unless another has it.
func (t *tx) LeaseEmbedding(ctx context.Context, holder string, until time.Time) (bool, error) {
	now := micros(t.now)
	if micros(until) <= now {
		_, err := t.exec(ctx, `UPDATE embedding SET holder = '', lease = 0 WHERE holder = ?`, holder)
		return true, wrap("lease the walk", err)
	}
	res, err := t.exec(ctx, `UPDATE embedding SET holder = ?1, lease = ?2 WHERE holder IN ('', ?1) OR lease <= ?3`,
		holder, micros(until), now)
	if err != nil {
		return false, wrap("lease the walk", err)
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
