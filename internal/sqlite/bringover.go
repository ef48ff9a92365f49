package sqlite

import (
	"context"
	"database/sql"
)

// A home of an older version has vectors of 16 bits per value, and fine codes, which
// nothing reads any more. Both are replaced in small batches, so that the home opens
// at once; table embedding stores the place from which vectors may still be in the
// old form. Each batch leaves the store consistent, and searches find the same
// before and after, since they read 16 bits as the 8 that they become. Codes remain
// those of the 16-bit vectors, which may differ in a few signs of values close to
// zero.

// bringOver converts up to limit vectors and reports whether there was anything to
// do.
func (t *tx) bringOver(ctx context.Context, limit int) (bool, error) {
	// A block of fine codes fills several pages.
	res, err := t.exec(ctx, `DELETE FROM code_fine WHERE block IN (SELECT block FROM code_fine LIMIT ?)`, max(1, limit/32))
	if err != nil {
		return false, err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return true, err
	}
	var from sql.NullInt64
	if err := t.queryRow(ctx, `SELECT wide_from FROM embedding`).Scan(&from); err != nil || !from.Valid {
		return false, err
	}
	type wide struct {
		place, number int64
		dim           int
	}
	list, err := collect(ctx, t, `
		SELECT v.place, v.place - (m.number << 34), m.dim
		FROM vector AS v CROSS JOIN model AS m ON m.number = v.place >> 34 & 63
		WHERE v.place >= ? AND length(v.embedding) = 4 + 2 * m.dim ORDER BY v.place LIMIT ?`, []any{from.Int64, limit},
		func(scan scanner) (w wide, err error) { return w, scan(&w.place, &w.number, &w.dim) })
	if err != nil {
		return false, err
	}
	for _, w := range list {
		if err := t.narrow(ctx, w.place, w.number, w.dim); err != nil {
			return false, err
		}
	}
	var next any // null if nothing is left
	if len(list) == limit {
		next = list[len(list)-1].place + 1
	}
	_, err = t.exec(ctx, `UPDATE embedding SET wide_from = ?`, next)
	return true, err
}

// narrow stores a vector in eight bits per value and updates the sum of its parent.
func (t *tx) narrow(ctx context.Context, place, number int64, dim int) error {
	_, err := t.exec(ctx, `
		UPDATE parent_vector SET sum = s.sum, crc = checksum(s.sum)
		FROM (
			SELECT o.place, vec_add(o.sum, vec_sub(as_float(as_int8(v.embedding, ?3), ?3), as_float(v.embedding, ?3))) AS sum
			FROM passage AS p CROSS JOIN vector AS v ON v.place = ?1
				CROSS JOIN parent_vector AS o ON o.place = p.parent + (?1 - ?2)
			WHERE p.number = ?2 AND p.retired_at IS NULL AND length(as_float(v.embedding, ?3)) > 0) AS s
		WHERE parent_vector.place = s.place`, place, number, dim)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		UPDATE vector SET embedding = v.narrow, sum = checksum(v.narrow)
		FROM (SELECT as_int8(embedding, ?2) AS narrow FROM vector WHERE place = ?1) AS v WHERE vector.place = ?1`, place, dim)
	return err
}
