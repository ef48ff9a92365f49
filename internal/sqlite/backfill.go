package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata/store"
)

// The backfill of a target goes through the passages that existed when it became the
// target, by number. Its progress is stored in table embedding, so that each batch
// costs the same and a killed process loses nothing. A later passage brings its
// vector or waits in the queue, wherever its number lies.

// batchMost bounds how many passages a batch goes through, as a multiple of how many
// may lack a vector: where many are written, most already have one.
const batchMost = 16

const backfillQuery = `
	SELECT p.number,
		NOT EXISTS (SELECT 1 FROM vector AS v WHERE v.place = p.number + ?2)
		AND NOT EXISTS (SELECT 1 FROM embedding_queue AS q WHERE q.number = p.number AND q.model = ?3)
	FROM passage AS p WHERE p.number > ?1 ORDER BY p.number LIMIT ?4`

// NextBackfill returns the next batch in the backfill of the target.
func (t *tx) NextBackfill(ctx context.Context, target store.Model, limit int) (store.BackfillBatch, error) {
	const op = "read backfill"
	var out store.BackfillBatch
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

// missing lists the passages of the next batch that have no vector of the target and
// are not queued for one.
func (t *tx) missing(ctx context.Context, w *wantedModels, limit int, into *store.BackfillBatch) ([]int64, error) {
	rows, err := t.query(ctx, backfillQuery,
		w.through, w.target.shift(), w.target.queue, batchMost*limit)
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

// AdvanceBackfill records that a batch is done. It does nothing if another process
// has already recorded it.
func (t *tx) AdvanceBackfill(ctx context.Context, target store.Model, b store.BackfillBatch) error {
	const op = "advance backfill"
	w, err := t.models(ctx)
	if err != nil || !w.isTarget(target) || b.Through <= w.through {
		return wrap(op, err)
	}
	t.cached.clear()
	_, err = t.exec(ctx, `UPDATE embedding SET backfilled_through = ?, done = done + ?`, b.Through, b.Seen)
	return wrap(op, err)
}

// LeaseBackfill leases the backfill to a holder and reports whether it could; it
// cannot while another holder's lease runs. An until that is not in the future gives
// up the holder's lease.
func (t *tx) LeaseBackfill(ctx context.Context, holder string, until time.Time) (bool, error) {
	now := micros(t.now)
	if micros(until) <= now {
		_, err := t.exec(ctx, `UPDATE embedding SET holder = '', lease = 0 WHERE holder = ?`, holder)
		return true, wrap("lease backfill", err)
	}
	res, err := t.exec(ctx, `UPDATE embedding SET holder = ?1, lease = ?2 WHERE holder IN ('', ?1) OR lease <= ?3`,
		holder, micros(until), now)
	if err != nil {
		return false, wrap("lease backfill", err)
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
