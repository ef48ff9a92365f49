package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// openParent returns the number of a category or session, which exists from
// then on.
func (t *tx) openParent(ctx context.Context, scopeNo, kind int64, name string) (int64, error) {
	var number int64
	err := t.queryRow(ctx, `SELECT number FROM parent WHERE scope_no = ? AND kind = ? AND name = ?`,
		scopeNo, kind, name).Scan(&number)
	if !errors.Is(err, sql.ErrNoRows) {
		return number, err
	}
	if number, err = t.nextNumber(ctx, scopeNo); err != nil {
		return 0, err
	}
	_, err = t.exec(ctx, `INSERT INTO parent (number, scope_no, kind, name) VALUES (?, ?, ?, ?)`,
		number, scopeNo, kind, name)
	return number, err
}

// closeParent removes a parent that no passage has any more.
func (t *tx) closeParent(ctx context.Context, number int64) error {
	res, err := t.exec(ctx, `
		DELETE FROM parent
		WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM passage WHERE parent = ?1)`, number)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = t.exec(ctx, `
		DELETE FROM parent_vector
		WHERE place IN (SELECT ? + (number << 34) FROM model)`, number)
	return err
}

// addToParent adds a passage's vectors to the sums of its parent (by = 1) or
// takes them away (by = -1).
func (t *tx) addToParent(ctx context.Context, p passageRow, by int64) error {
	list, err := t.vectors(ctx, p.number)
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.embedding == nil || r.model.stale {
			continue
		}
		if err := t.addVector(ctx, r.model.place(p.parent), r.embedding, by); err != nil {
			return err
		}
	}
	return nil
}

// addVector adds one vector to the sum at place, or takes it away. The sum of
// no vectors is no row, so that rounding leaves nothing behind.
func (t *tx) addVector(ctx context.Context, place int64, embedding []byte, by int64) error {
	if by > 0 {
		_, err := t.exec(ctx, `
			INSERT INTO parent_vector (place, count, sum) VALUES (?, 1, ?)
			ON CONFLICT DO UPDATE SET count = count + 1, sum = vec_add(sum, excluded.sum)`, place, embedding)
		return err
	}
	_, err := t.exec(ctx, `UPDATE parent_vector SET count = count - 1, sum = vec_sub(sum, ?) WHERE place = ?`,
		embedding, place)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `DELETE FROM parent_vector WHERE place = ? AND count <= 0`, place)
	return err
}

// NearestParents returns the k parents whose mean vector is closest to v.
func (t *tx) NearestParents(ctx context.Context, scope strata.Scope, name string, v []float32, kind strata.Kind, k int) ([]store.Near, error) {
	no, m, unit, err := t.searchVector(ctx, scope, name, v)
	if err != nil || unit == nil || k <= 0 {
		return nil, err
	}
	low, high := placesOf(no, m)
	// Vectors that cancel out have no mean, and no distance either.
	rows, err := t.query(ctx, `
		SELECT number, distance FROM (
			SELECT p.number, vec_distance_cosine(v.sum, ?4) AS distance
			FROM parent_vector AS v CROSS JOIN parent AS p ON p.number = v.place - ?5
			WHERE v.place BETWEEN ?1 AND ?2 AND p.kind = ?3)
		WHERE distance IS NOT NULL
		ORDER BY distance, number LIMIT ?6`, low, high, kindCode(kind), unit, m.shift(), k)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (store.Near, error) {
		var n store.Near
		var distance float64
		err := scan(&n.Number, &distance)
		n.Similarity = float32(min(1, max(-1, 1-distance)))
		return n, err
	})
}

// Parents returns the named parents; with no numbers all of the scope.
func (t *tx) Parents(ctx context.Context, scope strata.Scope, kind strata.Kind, list []int64) ([]store.ParentInfo, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	const columns = `SELECT p.number, p.kind, p.name, p.passages, p.words FROM `
	low, high := numbers(no)
	var rows *sql.Rows
	if len(list) == 0 {
		rows, err = t.query(ctx, columns+`parent AS p
			WHERE p.number BETWEEN ? AND ? AND p.kind = ? ORDER BY p.number`, low, high, kindCode(kind))
	} else {
		var wanted string
		if wanted, err = encodeNumbers(list); err != nil {
			return nil, err
		}
		rows, err = t.query(ctx, columns+`(SELECT DISTINCT value FROM json_each(?)) AS j CROSS JOIN parent AS p ON p.number = j.value
			WHERE p.number BETWEEN ? AND ? AND p.kind = ? ORDER BY p.number`, wanted, low, high, kindCode(kind))
	}
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (store.ParentInfo, error) {
		var p store.ParentInfo
		var code int64
		err := scan(&p.Number, &code, &p.Name, &p.Passages, &p.Words)
		p.Kind = kindOf(code)
		return p, err
	})
}
