package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
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
		if r.embedding == nil {
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

// Categories returns the categories of a scope that hold a current fact, with
// the sums of their vectors of the model.
func (t *tx) Categories(ctx context.Context, scope strata.Scope, name string) ([]store.CategoryVector, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	low, high := numbers(no)
	rows, err := t.query(ctx, `
		SELECT p.number, p.name, p.passages, v.sum, m.dim
		FROM parent AS p
		LEFT JOIN model AS m ON m.name = ?4
		LEFT JOIN parent_vector AS v ON v.place = p.number + (m.number << 34)
		WHERE p.number BETWEEN ?1 AND ?2 AND p.kind = ?3 AND p.passages > 0
		ORDER BY p.number`, low, high, kindCode(strata.KindFact), name)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (store.CategoryVector, error) {
		var c store.CategoryVector
		var sum []byte
		var dim sql.NullInt64
		err := scan(&c.Number, &c.Name, &c.Facts, &sum, &dim)
		if err == nil && sum != nil {
			if c.Sum, err = vector.Decode(sum, int(dim.Int64)); err != nil {
				err = corruptError("read category", err.Error())
			}
		}
		return c, err
	})
}

// MergeCategories moves every fact of one category into another, in the index
// and in the facts themselves. The category it leaves empty is gone.
func (t *tx) MergeCategories(ctx context.Context, scope strata.Scope, from, into int64) error {
	const op = "merge categories"
	if from == into {
		return strata.Invalid(op, "a category cannot be merged into itself", "name two categories")
	}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return err
	}
	var names [2]string
	for i, number := range []int64{from, into} {
		if ok && scopeOf(number) == no {
			names[i], err = t.categoryName(ctx, number)
		} else {
			err = sql.ErrNoRows
		}
		if errors.Is(err, sql.ErrNoRows) {
			return strata.NotFound(op, "category", fmt.Sprint(number))
		}
		if err != nil {
			return err
		}
	}
	return t.mergeParents(ctx, from, into, names[1])
}

// mergeParents moves all passages of one category into another, by that name.
func (t *tx) mergeParents(ctx context.Context, from, into int64, name string) error {
	if err := t.renameInFacts(ctx, from, name); err != nil {
		return err
	}
	if err := t.moveSums(ctx, from, into); err != nil {
		return err
	}
	_, err := t.exec(ctx, `
		UPDATE parent SET passages = parent.passages + f.passages, words = parent.words + f.words
		FROM (SELECT passages, words FROM parent WHERE number = ?1) AS f
		WHERE parent.number = ?2`, from, into)
	if err != nil {
		return err
	}
	members, err := t.members(ctx, from)
	if err != nil {
		return err
	}
	for _, number := range members {
		if _, err := t.exec(ctx, `UPDATE passage SET parent = ? WHERE number = ?`, into, number); err != nil {
			return err
		}
		if err := t.touch(ctx, number); err != nil {
			return err
		}
	}
	return t.closeParent(ctx, from)
}

func (t *tx) categoryName(ctx context.Context, number int64) (string, error) {
	var name string
	err := t.queryRow(ctx, `SELECT name FROM parent WHERE number = ? AND kind = ?`,
		number, kindCode(strata.KindFact)).Scan(&name)
	return name, err
}

// renameInFacts writes a category's new name into its facts, so that a rebuilt
// index has it too.
func (t *tx) renameInFacts(ctx context.Context, category int64, name string) error {
	_, err := t.exec(ctx, `
		UPDATE fact SET category = ?
		WHERE number IN (SELECT number FROM passage WHERE parent = ?)`, name, category)
	return err
}

// moveSums adds the sums of one parent to those of another.
func (t *tx) moveSums(ctx context.Context, from, into int64) error {
	_, err := t.exec(ctx, `
		INSERT INTO parent_vector (place, count, sum)
		SELECT ?2 + (m.number << 34), v.count, v.sum
		FROM model AS m CROSS JOIN parent_vector AS v ON v.place = ?1 + (m.number << 34)
		WHERE true
		ON CONFLICT DO UPDATE SET count = parent_vector.count + excluded.count,
			sum = vec_add(parent_vector.sum, excluded.sum)`, from, into)
	return err
}

// members returns the passages of a parent, current or not.
func (t *tx) members(ctx context.Context, parent int64) ([]int64, error) {
	return t.numberList(ctx, `SELECT number FROM passage WHERE parent = ? ORDER BY number`, parent)
}
