package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/database"
	"github.com/strata-memory/strata/store/sqlite/packed"
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
		if ok && passage.Scope(number) == no {
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

func (t *tx) categoryName(ctx context.Context, number int64) (string, error) {
	var name string
	err := t.queryRow(ctx, `SELECT name FROM parent WHERE number = ? AND kind = ?`,
		number, passage.KindCode(strata.KindFact)).Scan(&name)
	return name, err
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
		INSERT INTO parent_vector (place, count, sum)
		SELECT ?2 + (m.number << 34), v.count, v.sum
		FROM model AS m CROSS JOIN parent_vector AS v ON v.place = ?1 + (m.number << 34)
		WHERE true
		ON CONFLICT DO UPDATE SET count = parent_vector.count + excluded.count,
			sum = vec_add(parent_vector.sum, excluded.sum)`, from, into)
	return err
}

// indexStats counts the categories of a scope that hold a current fact, its
// passages that wait for a vector, and its vectors of all models but a base that
// is kept in addition to the one that serves.
func (t *tx) indexStats(ctx context.Context, scopeNo int64) (categories, unembedded, vectors int64, err error) {
	low, high := passage.Numbers(scopeNo)
	err = t.queryRow(ctx, `
		SELECT (SELECT count(*) FROM parent WHERE number BETWEEN ?1 AND ?2 AND kind = 1 AND passages > 0),
			(SELECT count(DISTINCT number) FROM embedding_queue WHERE number BETWEEN ?1 AND ?2),
			(SELECT coalesce(sum(coded + pending), 0) FROM code_head WHERE scope_no = ?3
				AND model NOT IN (SELECT base FROM embedding WHERE base NOT IN (serving, target)))`,
		low, high, scopeNo).Scan(&categories, &unembedded, &vectors)
	return categories, unembedded, vectors, err
}
