package sqlite

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/vector"
)

var _ nearest.Source = nearSource{}

// nearSource implements [nearest.Source] for a transaction. It reads rows packed,
// several hundred at a time, because stepping through rows from Go takes longer than
// finding them.
type nearSource struct{ *tx }

// How many rows are read at once.
const (
	blocksAtOnce  = 64 // half a MiB with 384 dimensions
	vectorsAtOnce = 512
	rowsAtOnce    = 4096
	sumsAtOnce    = 256
)

// Heads returns the heads of a scope, a model and the kinds in a mask.
func (s nearSource) Heads(ctx context.Context, scope, model, kinds int64) ([]nearest.Head, error) {
	const columns = 6
	list, err := s.queryIntegers(ctx, columns, `
		SELECT id, kind, coded, pending, change, removed FROM code_head
		WHERE scope_no = ? AND model = ? AND (? >> kind) & 1`, scope, model, kinds)
	var heads []nearest.Head
	for row := range slices.Chunk(list, columns) {
		heads = append(heads, nearest.Head{ID: row[0], Kind: passage.KindOf(row[1]),
			Coded: row[2], Pending: row[3], Change: row[4], Removed: row[5]})
	}
	return heads, err
}

// Center returns the center that the codes of a head are relative to, or nil before
// the first block.
func (s nearSource) Center(ctx context.Context, head int64) (center []byte, err error) {
	err = s.queryPackedRow(ctx, `SELECT pack_rows(center) FROM code_head WHERE id = ?`, []any{head}, &center)
	return center, err
}

// Blocks calls fn with the blocks of a head that changed after a change.
func (s nearSource) Blocks(ctx context.Context, head, after int64, fn func(nearest.Block) error) error {
	last := int64(math.MaxInt64) // the id of the last block read
	return s.pages(ctx, 7, `
		SELECT pack_rows(id, change, sum, low, high, numbers, codes) FROM (
			SELECT id, change, sum, low, high, numbers, codes FROM code_block INDEXED BY code_block_change
			WHERE head = ?1 AND (change, id) > (?2, ?3) ORDER BY change, id LIMIT ?4)`,
		func() []any { return []any{head, after, last, blocksAtOnce} },
		func(row []packed.Value) error {
			last, after = row[0].Int(), row[1].Int()
			b := nearest.Block{ID: last, Low: row[3].Int(), High: row[4].Int(), Numbers: row[5].Bytes(), Codes: row[6].Bytes()}
			if sum := row[2].Int(); !row[2].IsNull() {
				b.Sum = &sum
			}
			return fn(b)
		})
}

// Pending lists the passages of a head that are in no block yet.
func (s nearSource) Pending(ctx context.Context, head int64) ([]int64, error) {
	return s.queryIntegers(ctx, 1, `SELECT number FROM pending_code WHERE head = ?`, head)
}

// closest returns a query for the rows of the ?3 passages closest to the vector ?1
// of ?2 values. from yields the candidates' vectors v, and number is the expression
// for a candidate's number. sqlite-vec measures them.
func closest(number, from string) string {
	return `
	SELECT pack_rows(d.distance, p.number, p.parent, p.seq, p.words, p.kind, p.type, p.recorded_at, p.retired_at)
	FROM (
		SELECT ` + number + ` AS number, vec_distance_cosine(as_int8(v.embedding, ?2), vec_int8(?1)) AS distance
		FROM ` + from + ` AND v.embedding IS NOT NULL ORDER BY distance, number LIMIT ?3) AS d
	CROSS JOIN passage AS p ON p.number = d.number`
}

// Queries for vectors v of passages: those in a range of places, those of parents,
// and those of given numbers and pending in given heads. ?4 is the difference
// between a place and a number.
var (
	closestInScope   = closest(`v.place - ?4`, `vector AS v WHERE v.place BETWEEN ?5 AND ?6`)
	closestInParents = closest(`m.number`, fmt.Sprintf(membersOf, `?5`)+` CROSS JOIN vector AS v WHERE v.place = m.number + ?4`)
	closestOf        = closest(`n.number`, `(
			SELECT c0 AS number FROM unpack(?5)
			UNION ALL
			SELECT u.number FROM unpack(?6) AS h CROSS JOIN pending_code AS u ON u.head = h.c0) AS n
		CROSS JOIN vector AS v WHERE v.place = n.number + ?4`)
)

// Closest measures some passages by the vectors of a model.
func (s nearSource) Closest(ctx context.Context, number int64, to []float32, of nearest.Passages, most int, fn func(*passage.Row, float32) error) error {
	shift := model{number: number}.shift()
	args := []any{vector.EncodeInt8(to), len(to), most, shift}
	query := closestOf
	switch {
	case of.Numbers != nil:
		args = append(args, packed.Numbers(of.Numbers), packed.Numbers(of.Pending))
	case of.Parents != nil:
		query, args = closestInParents, append(args, packed.Numbers(of.Parents))
	default:
		low, high := places(of.Scope, shift)
		query, args = closestInScope, append(args, low, high)
	}
	return s.rows(ctx, 1+columnsOfRow, query, args, func(row []packed.Value) error {
		if row[0].IsNull() {
			return passage.Corrupt("read vector", "a vector has no direction") // it would be stored as null
		}
		r := readRow(row[1:])
		return fn(&r, float32(1-row[0].Float()))
	})
}

// places returns the first and the last place of the vectors of a scope and a model.
func places(scope, shift int64) (low, high int64) {
	low, high = passage.Numbers(scope)
	return low + shift, min(high, low+1<<modelShift-1) + shift // the next model's vectors begin after that
}

// asFloat is the vector v of model ?2 as float32.
const asFloat = `as_float(v.embedding, (SELECT dim FROM model WHERE number = ?2 >> 34))`

// Vectors calls fn with the vectors of some passages by a model.
func (s nearSource) Vectors(ctx context.Context, number int64, of nearest.Passages, fn func(int64, []byte) error) error {
	shift := model{number: number}.shift()
	each := func(row []packed.Value) error { return fn(row[0].Int(), row[1].Bytes()) }
	if of.Numbers != nil {
		for part := range slices.Chunk(of.Numbers, vectorsAtOnce) {
			err := s.rows(ctx, 2, `
				SELECT pack_rows(j.c0, `+asFloat+`) FROM unpack(?1) AS j CROSS JOIN vector AS v ON v.place = j.c0 + ?2
				WHERE v.embedding IS NOT NULL`, []any{packed.Numbers(part), shift}, each)
			if err != nil {
				return err
			}
		}
		return nil
	}
	low, high := places(of.Scope, shift)
	return s.pages(ctx, 2, `
		SELECT pack_rows(v.place - ?2, `+asFloat+`) FROM (
			SELECT place, embedding FROM vector WHERE place BETWEEN ?1 AND ?3 AND embedding IS NOT NULL ORDER BY place LIMIT ?4) AS v`,
		func() []any { return []any{low, shift, high, vectorsAtOnce} },
		func(row []packed.Value) error {
			low = row[0].Int() + shift + 1
			return each(row)
		})
}

// The columns of a passage p that a filter examines.
const (
	rowOfPassage   = `SELECT pack_rows(p.number, p.parent, p.seq, p.words, p.kind, p.type, p.recorded_at, p.retired_at) FROM `
	columnsOfRow   = 8
	passagesNumber = rowOfPassage + `unpack(?1) AS j CROSS JOIN passage AS p ON p.number = j.c0`
	passagesScope  = rowOfPassage + `(SELECT * FROM passage WHERE number BETWEEN ?1 AND ?2 ORDER BY number LIMIT ?3) AS p`
)

var passagesInside = fmt.Sprintf(rowOfPassage+inParents, `?1`)

// Rows calls fn with the rows of some passages.
func (s nearSource) Rows(ctx context.Context, of nearest.Passages, fn func(*passage.Row) error) error {
	switch {
	case of.Numbers != nil:
		return s.RowsAt(ctx, of.Numbers, fn)
	case of.Parents != nil:
		return s.rows(ctx, columnsOfRow, passagesInside, []any{packed.Numbers(of.Parents)}, rowReader(fn))
	}
	low, high := passage.Numbers(of.Scope)
	return s.RowsBetween(ctx, low, high, fn)
}

// RowsAt calls fn with those of the given passages that exist.
func (t *tx) RowsAt(ctx context.Context, numbers []int64, fn func(*passage.Row) error) error {
	each := rowReader(fn)
	for part := range slices.Chunk(numbers, rowsAtOnce) {
		if err := t.rows(ctx, columnsOfRow, passagesNumber, []any{packed.Numbers(part)}, each); err != nil {
			return err
		}
	}
	return nil
}

// RowsBetween calls fn with the passages numbered low to high.
func (t *tx) RowsBetween(ctx context.Context, low, high int64, fn func(*passage.Row) error) error {
	each := rowReader(fn)
	return t.pages(ctx, columnsOfRow, passagesScope,
		func() []any { return []any{low, high, rowsAtOnce} },
		func(row []packed.Value) error {
			low = row[0].Int() + 1
			return each(row)
		})
}

// rowReader returns a function that reads the columns of rowOfPassage and calls fn.
func rowReader(fn func(*passage.Row) error) func([]packed.Value) error {
	var r passage.Row
	return func(row []packed.Value) error {
		r = readRow(row)
		return fn(&r)
	}
}

// readRow reads the columns of rowOfPassage.
func readRow(row []packed.Value) (r passage.Row) {
	r.Number, r.Parent, r.Seq, r.Words = row[0].Int(), row[1].Int(), row[2].Int(), int32(row[3].Int())
	r.Kind, r.Type = passage.KindOf(row[4].Int()), row[5].Int()
	r.Speech = passage.SpeechOf(r.Type)
	r.Recorded, r.Retired = row[6].Int(), row[7].Int() // 0 for null
	return r
}

// ParentSums calls fn with the sums of the vectors of the parents of a scope.
func (s nearSource) ParentSums(ctx context.Context, scope, number int64, kind strata.Kind, fn func(nearest.ParentSum) error) error {
	name := ""
	return s.pages(ctx, 4, `
		SELECT pack_rows(number, count, sum, name) FROM (
			SELECT p.number, v.count, v.sum, p.name
			FROM parent AS p CROSS JOIN parent_vector AS v ON v.place = p.number + ?1
			WHERE p.scope_no = ?2 AND p.kind = ?3 AND p.name >= ?4 ORDER BY p.name LIMIT ?5)`,
		func() []any {
			return []any{model{number: number}.shift(), scope, passage.KindCode(kind), name, sumsAtOnce}
		},
		func(row []packed.Value) error {
			name = string(row[3].Bytes()) + "\x00" // the least name after this one
			return fn(nearest.ParentSum{Number: row[0].Int(), Count: row[1].Int(), Sum: row[2].Bytes()})
		})
}

// CountMembers counts the current passages of some parents.
func (s nearSource) CountMembers(ctx context.Context, parents []int64) (int64, error) {
	return s.queryInteger(ctx, `
		SELECT coalesce(sum(p.passages), 0) FROM unpack(?) AS j CROSS JOIN parent AS p ON p.number = j.c0`, packed.Numbers(parents))
}

// SessionNumbers lists the numbers of the sessions of a kind, ascending.
func (t *tx) SessionNumbers(ctx context.Context, scope int64, kind strata.SessionKind) ([]int64, error) {
	list, err := t.queryIntegers(ctx, 1, `
		SELECT p.number FROM session AS x CROSS JOIN parent AS p ON p.scope_no = x.scope_no AND p.kind = 2 AND p.name = x.id
		WHERE x.scope_no = ? AND x.kind = ?`, scope, string(kind))
	slices.Sort(list)
	return list, err
}
