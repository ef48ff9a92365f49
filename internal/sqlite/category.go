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
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// Categories returns the categories of a scope that hold a current fact, with
// the sums of their vectors of the model.
func (t *tx) Categories(ctx context.Context, scope strata.Scope, m store.Model) ([]store.CategoryVector, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	low, high := passage.Numbers(no)
	list, err := readPacked(ctx, t, `
		SELECT pack_rows(p.number, p.name, p.passages, v.sum, m.dim)
		FROM parent AS p
		LEFT JOIN model AS m ON m.name = ?4 AND m.dim = ?5 AND NOT m.stale
		LEFT JOIN parent_vector AS v ON v.place = p.number + (m.number << 34)
		WHERE p.number BETWEEN ?1 AND ?2 AND p.kind = ?3 AND p.passages > 0`,
		[]any{low, high, passage.KindCode(strata.KindFact), m.Name, m.Dim}, scanCategory)
	slices.SortFunc(list, func(a, b store.CategoryVector) int { return cmp.Compare(a.Number, b.Number) })
	return list, err
}

func scanCategory(scan scanner) (store.CategoryVector, error) {
	var c store.CategoryVector
	var sum []byte
	var dim sql.NullInt64
	err := scan(&c.Number, &c.Name, &c.Facts, &sum, &dim)
	if err == nil && sum != nil {
		if c.Sum, err = vector.Decode(sum, int(dim.Int64)); err != nil {
			err = database.Corrupt("read category", err.Error())
		}
	}
	return c, err
}

// RenameCategory gives a category another name, in the index, in the facts and in
// the choices. If another category already has that name, the two are merged.
func (t *tx) RenameCategory(ctx context.Context, scope strata.Scope, name, to string) error {
	const op = "rename category"
	if err := strata.ValidateName("category", to); err != nil {
		return err
	}
	no, number, err := t.category(ctx, scope, name)
	if err != nil {
		return wrap(op, err)
	}
	if number == 0 {
		return strata.NotFound(op, "category", name)
	}
	return wrap(op, t.renameCategory(ctx, no, number, name, to))
}

// category returns the numbers of a scope and of its category with a name. The
// number of the category is 0 if it holds no current fact.
func (t *tx) category(ctx context.Context, scope strata.Scope, name string) (scopeNo, number int64, err error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return 0, 0, err
	}
	number, err = t.queryInteger(ctx, `SELECT number FROM parent WHERE scope_no = ? AND kind = ? AND name = ? AND passages > 0`,
		no, passage.KindCode(strata.KindFact), name)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return no, number, err
}

// MoveFacts moves current facts from one category into another, in the index and in
// the facts themselves, and returns how many it moved. A category that is left empty
// is removed.
func (t *tx) MoveFacts(ctx context.Context, scope strata.Scope, from, into string, ids []string) (int, error) {
	const op = "move facts"
	if err := strata.ValidateName("category", into); err != nil {
		return 0, err
	}
	if from == into {
		return 0, nil
	}
	no, number, err := t.category(ctx, scope, from)
	if err != nil || number == 0 {
		return 0, wrap(op, err)
	}
	moved := 0
	for _, id := range ids {
		ok, err := t.moveFact(ctx, no, id, from, into)
		if err != nil {
			return moved, fmt.Errorf("move fact %s: %w", id, err)
		}
		if ok {
			moved++
		}
	}
	return moved, wrap(op, t.closeParent(ctx, number))
}

// moveFact moves a fact and reports whether it was current and in the category.
func (t *tx) moveFact(ctx context.Context, scopeNo int64, id, from, into string) (bool, error) {
	fact, err := t.queryInteger(ctx, `SELECT number FROM fact WHERE scope_no = ? AND id = ? AND category = ? AND retired_at IS NULL`,
		scopeNo, id, from)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	row, err := t.passage(ctx, fact)
	if err != nil {
		return false, err
	}
	if err := t.takeFromParent(ctx, row); err != nil {
		return false, err
	}
	if err := t.countPassage(ctx, row, -1); err != nil {
		return false, err
	}
	if row.parent, err = t.openParent(ctx, scopeNo, row.kind, into); err != nil {
		return false, err
	}
	if err := t.countPassage(ctx, row, 1); err != nil {
		return false, err
	}
	if err := t.addToParent(ctx, row); err != nil {
		return false, err
	}
	if err := t.renameInFacts(ctx, []int64{fact}, into); err != nil {
		return false, err
	}
	if _, err := t.exec(ctx, `UPDATE passage SET parent = ? WHERE number = ?`, row.parent, fact); err != nil {
		return false, err
	}
	return true, t.touch(ctx, fact)
}

// mergeParents moves all passages of one category into another, whose name is given.
func (t *tx) mergeParents(ctx context.Context, from, into int64, name string) error {
	members, err := t.members(ctx, from)
	if err != nil {
		return err
	}
	if err := t.renameInFacts(ctx, members, name); err != nil {
		return err
	}
	if err := t.moveSums(ctx, from, into); err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		UPDATE parent SET passages = parent.passages + f.passages, words = parent.words + f.words
		FROM (SELECT passages, words FROM parent WHERE number = ?1) AS f
		WHERE parent.number = ?2`, from, into)
	if err != nil {
		return err
	}
	if _, err := t.exec(ctx, `UPDATE parent SET passages = 0, words = 0 WHERE number = ?`, from); err != nil {
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

// renameInFacts writes the new name of a category into facts, so that a rebuilt
// index has it too.
func (t *tx) renameInFacts(ctx context.Context, facts []int64, name string) error {
	_, err := t.exec(ctx, `UPDATE fact SET category = ? WHERE number IN (SELECT c0 FROM unpack(?))`, name, packed.Numbers(facts))
	return err
}

// moveSums adds the sums of one parent to those of another.
func (t *tx) moveSums(ctx context.Context, from, into int64) error {
	_, err := t.exec(ctx, `
		INSERT INTO parent_vector (place, count, sum, crc)
		SELECT ?2 + (m.number << 34), v.count, v.sum, v.crc
		FROM model AS m CROSS JOIN parent_vector AS v ON v.place = ?1 + (m.number << 34)
		WHERE true
		ON CONFLICT DO UPDATE SET count = parent_vector.count + excluded.count,
			sum = vec_add(parent_vector.sum, excluded.sum), crc = checksum(vec_add(parent_vector.sum, excluded.sum))`, from, into)
	return err
}
