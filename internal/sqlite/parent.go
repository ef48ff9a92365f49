package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// openParent returns the number of a category, session or document, creating its row
// if needed.
func (t *tx) openParent(ctx context.Context, scopeNo, kind int64, name string) (int64, error) {
	number, err := t.queryInteger(ctx, `SELECT number FROM parent WHERE scope_no = ? AND kind = ? AND name = ?`,
		scopeNo, kind, name)
	if !errors.Is(err, sql.ErrNoRows) {
		return number, err
	}
	if number, err = t.nextNumber(ctx, scopeNo); err != nil {
		return 0, err
	}
	_, err = t.exec(ctx, `INSERT INTO parent (number, scope_no, kind, name) VALUES (?, ?, ?, ?)`, number, scopeNo, kind, name)
	return number, err
}

// membersOf selects the numbers of the passages of parents, current or not; %[1]s is
// the list of the parents, as unpack reads it. Current facts are found by the index
// of facts by category, all others by the index of passages, which leaves those
// facts out, so that a new fact is written to only one of the two
// (docs/decisions/0019-one-index-by-category.md).
const membersOf = `(
		SELECT f.number FROM unpack(%[1]s) AS j CROSS JOIN parent AS c ON c.number = j.c0 AND c.kind = 1
			CROSS JOIN fact AS f INDEXED BY fact_category
				ON f.scope_no = c.scope_no AND f.category = c.name AND f.retired_at IS NULL
		UNION ALL
		SELECT q.number FROM unpack(%[1]s) AS j CROSS JOIN passage AS q INDEXED BY passage_place ON q.parent = j.c0
		WHERE q.kind <> 1 OR q.retired_at IS NOT NULL) AS m`

// inParents joins the passages p of parents.
const inParents = membersOf + ` CROSS JOIN passage AS p ON p.number = m.number`

// selectMembers selects the passages of some parents.
var selectMembers = fmt.Sprintf(`SELECT p.number FROM `+inParents+` ORDER BY p.number`, `?1`)

// members returns the passages of a parent, current or not.
func (t *tx) members(ctx context.Context, parent int64) ([]int64, error) {
	return t.queryIntegers(ctx, 1, selectMembers, packed.Numbers([]int64{parent}))
}

// closeParent removes a parent that has no passages left.
func (t *tx) closeParent(ctx context.Context, number int64) error {
	res, err := t.exec(ctx, `
		DELETE FROM parent
		WHERE number = ?1 AND (kind <> 1 OR passages <= 0) AND NOT EXISTS (
			SELECT 1 FROM passage AS p INDEXED BY passage_place
			WHERE p.parent = ?1 AND (p.kind <> 1 OR p.retired_at IS NOT NULL))`, number)
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

// takeFromParent subtracts a passage's vectors from the sums of its parent.
func (t *tx) takeFromParent(ctx context.Context, p passageRow) error {
	return t.eachVector(ctx, p, func(r vectorRow) error { return t.takeFromSum(ctx, p, r) })
}

// addToParent adds a passage's vectors to the sums of its parent.
func (t *tx) addToParent(ctx context.Context, p passageRow) error {
	return t.eachVector(ctx, p, func(r vectorRow) error { return t.addToSum(ctx, p, r) })
}

// eachVector calls fn with each vector of a passage that is in the sum of its parent.
func (t *tx) eachVector(ctx context.Context, p passageRow, fn func(vectorRow) error) error {
	list, err := t.vectors(ctx, p.number)
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.stored != nil && !r.model.stale {
			if err := fn(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// addToSum adds a passage's vector to the sum of its parent.
func (t *tx) addToSum(ctx context.Context, p passageRow, r vectorRow) error {
	_, err := t.exec(ctx, `
		INSERT INTO parent_vector (place, count, sum, crc) VALUES (?1, 1, as_float(?2, ?3), checksum(as_float(?2, ?3)))
		ON CONFLICT DO UPDATE SET count = count + 1, sum = vec_add(sum, excluded.sum), crc = checksum(vec_add(sum, excluded.sum))`,
		r.model.place(p.parent), r.stored, r.model.dim)
	return err
}

// takeFromSum subtracts a passage's vector from the sum of its parent. It deletes
// the row of an empty sum, so that rounding leaves nothing behind.
func (t *tx) takeFromSum(ctx context.Context, p passageRow, r vectorRow) error {
	place := r.model.place(p.parent)
	_, err := t.exec(ctx, `
		UPDATE parent_vector SET count = count - 1, sum = vec_sub(sum, as_float(?2, ?3)), crc = checksum(vec_sub(sum, as_float(?2, ?3)))
		WHERE place = ?1`, place, r.stored, r.model.dim)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `DELETE FROM parent_vector WHERE place = ? AND count <= 0`, place)
	return err
}

// ParentNumber returns the number of the parent with a name, or 0 if there is none.
func (t *tx) ParentNumber(ctx context.Context, scope strata.Scope, kind strata.Kind, name string) (int64, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return 0, err
	}
	number, err := t.queryInteger(ctx, `SELECT number FROM parent WHERE scope_no = ? AND kind = ? AND name = ?`,
		no, passage.KindCode(kind), name)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
}

// Parents returns the parents with the given numbers, or all of the scope if there
// are none.
func (t *tx) Parents(ctx context.Context, scope strata.Scope, kind strata.Kind, list []int64) ([]store.ParentInfo, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	const columns = `SELECT pack_rows(p.number, p.name, p.passages, p.words) FROM `
	low, high := passage.Numbers(no)
	query, args := columns+`parent AS p WHERE p.number BETWEEN ? AND ? AND p.kind = ?`, []any{low, high, passage.KindCode(kind)}
	if len(list) > 0 {
		query = columns + `unpack(?4) AS j CROSS JOIN parent AS p ON p.number = j.c0
			WHERE p.number BETWEEN ?1 AND ?2 AND p.kind = ?3`
		args = append(args, packed.Numbers(distinct(list)))
	}
	found, err := readPacked(ctx, t, query, args, func(scan scanner) (store.ParentInfo, error) {
		p := store.ParentInfo{Kind: kind}
		err := scan(&p.Number, &p.Name, &p.Passages, &p.Words)
		return p, err
	})
	slices.SortFunc(found, func(a, b store.ParentInfo) int { return cmp.Compare(a.Number, b.Number) })
	return found, err
}

// distinct returns the numbers sorted and without duplicates. Lists are prepared
// here and not in SQL, because SQLite would build a table for that, which costs more
// than most of the queries.
func distinct(list []int64) []int64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
