package sqlite

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/nearest"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

var _ nearest.Source = nearSource{}

// nearSource is a transaction as package nearest reads it. Rows come packed,
// some hundred at once: to step through them from Go takes longer than to find
// them.
type nearSource struct{ *tx }

// How many rows are read at once.
const (
	blocksAtOnce  = 64 // half a MiB with 384 dimensions
	vectorsAtOnce = 512
	rowsAtOnce    = 4096
	sumsAtOnce    = 256
)

// Heads returns the heads of a scope, a model and the kinds of a mask.
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

// Center returns what the codes of a head are relative to; nil before the first.
func (s nearSource) Center(ctx context.Context, head int64) (center []byte, err error) {
	err = s.queryPackedRow(ctx, `SELECT pack_rows(center) FROM code_head WHERE id = ?`, []any{head}, &center)
	return center, err
}

// Blocks calls fn with the blocks of a head that changed after a change.
func (s nearSource) Blocks(ctx context.Context, head, after int64, fn func(nearest.Block) error) error {
	last := int64(math.MaxInt64) // the id of the block that was read last
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

// FineBlocks calls fn with the fine codes of some blocks.
func (s nearSource) FineBlocks(ctx context.Context, blocks []int64, fn func(nearest.FineBlock) error) error {
	return s.rows(ctx, 3, `
		SELECT pack_rows(f.block, f.sum, f.codes) FROM unpack(?) AS j CROSS JOIN code_fine AS f ON f.block = j.c0`,
		[]any{packed.Numbers(blocks)}, func(row []packed.Value) error {
			return fn(nearest.FineBlock{Block: row[0].Int(), Sum: row[1].Int(), Codes: row[2].Bytes()})
		})
}

// Pending lists the passages of a head that are in no block yet.
func (s nearSource) Pending(ctx context.Context, head int64) ([]int64, error) {
	return s.queryIntegers(ctx, 1, `SELECT number FROM pending_code WHERE head = ?`, head)
}

// vectorsInside selects the vectors of the passages of parents.
var vectorsInside = fmt.Sprintf(`
	SELECT pack_rows(m.number, v.embedding)
	FROM `+membersOf+` CROSS JOIN vector AS v ON v.place = m.number + ?2 WHERE v.embedding IS NOT NULL`, `?1`)

// Vectors calls fn with the vectors of some passages by a model.
func (s nearSource) Vectors(ctx context.Context, number int64, of nearest.Passages, fn func(int64, []byte) error) error {
	shift := model{number: number}.shift()
	each := func(row []packed.Value) error { return fn(row[0].Int(), row[1].Bytes()) }
	switch {
	case of.Numbers != nil:
		for part := range slices.Chunk(of.Numbers, vectorsAtOnce) {
			err := s.rows(ctx, 2, `
				SELECT pack_rows(j.c0, v.embedding) FROM unpack(?1) AS j CROSS JOIN vector AS v ON v.place = j.c0 + ?2
				WHERE v.embedding IS NOT NULL`, []any{packed.Numbers(part), shift}, each)
			if err != nil {
				return err
			}
		}
		return nil
	case of.Parents != nil:
		return s.rows(ctx, 2, vectorsInside, []any{packed.Numbers(of.Parents), shift}, each)
	}
	low, high := passage.Numbers(of.Scope)
	high = min(high, low+1<<modelShift-1) // the next model's vectors lie behind
	return s.pages(ctx, 2, `
		SELECT pack_rows(place - ?1, embedding) FROM (
			SELECT place, embedding FROM vector WHERE place BETWEEN ?2 AND ?3 AND embedding IS NOT NULL ORDER BY place LIMIT ?4)`,
		func() []any {
			return []any{shift, low + shift, high + shift, vectorsAtOnce}
		},
		func(row []packed.Value) error {
			low = row[0].Int() + 1
			return each(row)
		})
}

// The columns of a passage p that a filter looks at.
const (
	rowOfPassage   = `SELECT pack_rows(p.number, p.parent, p.seq, p.words, p.kind, p.type, p.recorded_at, p.retired_at) FROM `
	columnsOfRow   = 8
	passagesNumber = rowOfPassage + `unpack(?1) AS j CROSS JOIN passage AS p ON p.number = j.c0`
	passagesScope  = rowOfPassage + `(SELECT * FROM passage WHERE number BETWEEN ?1 AND ?2 ORDER BY number LIMIT ?3) AS p`
)

var passagesInside = fmt.Sprintf(rowOfPassage+inParents, `?1`)

// Rows calls fn with the rows of some passages.
func (s nearSource) Rows(ctx context.Context, of nearest.Passages, fn func(*passage.Row) error) error {
	var r passage.Row
	each := func(row []packed.Value) error {
		r = readRow(row)
		return fn(&r)
	}
	switch {
	case of.Numbers != nil:
		for part := range slices.Chunk(of.Numbers, rowsAtOnce) {
			if err := s.rows(ctx, columnsOfRow, passagesNumber, []any{packed.Numbers(part)}, each); err != nil {
				return err
			}
		}
		return nil
	case of.Parents != nil:
		return s.rows(ctx, columnsOfRow, passagesInside, []any{packed.Numbers(of.Parents)}, each)
	}
	low, high := passage.Numbers(of.Scope)
	return s.pages(ctx, columnsOfRow, passagesScope,
		func() []any { return []any{low, high, rowsAtOnce} },
		func(row []packed.Value) error {
			low = row[0].Int() + 1
			return each(row)
		})
}

// readRow reads the columns of rowOfPassage.
func readRow(row []packed.Value) (r passage.Row) {
	r.Number, r.Parent, r.Seq, r.Words = row[0].Int(), row[1].Int(), row[2].Int(), int32(row[3].Int())
	r.Kind, r.Type = passage.KindOf(row[4].Int()), row[5].Int()
	r.Speech = passage.SpeechOf(r.Type)
	r.Recorded, r.Retired = row[6].Int(), row[7].Int() // 0 for null
	return r
}

// ParentSums calls fn with the sums of the vectors of the parents of a scope. The
// passages of a document have one type.
func (s nearSource) ParentSums(ctx context.Context, scope, number int64, kind strata.Kind, fn func(nearest.ParentSum) error) error {
	name := ""
	return s.pages(ctx, 5, `
		SELECT pack_rows(number, type, sum, name, count) FROM (
			SELECT p.number, v.count, iif(p.kind = 3, (SELECT type FROM passage AS q WHERE q.parent = p.number AND q.kind <> 1 LIMIT 1), NULL) AS type,
				v.sum, p.name
			FROM parent AS p CROSS JOIN parent_vector AS v ON v.place = p.number + ?1
			WHERE p.scope_no = ?2 AND p.kind = ?3 AND p.name >= ?4 ORDER BY p.name LIMIT ?5)`,
		func() []any {
			return []any{model{number: number}.shift(), scope, passage.KindCode(kind), name, sumsAtOnce}
		},
		func(row []packed.Value) error {
			name = string(row[3].Bytes()) + "\x00" // the name that comes next
			p := nearest.ParentSum{Number: row[0].Int(), Count: row[4].Int(), Type: -1, Sum: row[2].Bytes()}
			if !row[1].IsNull() {
				p.Type = row[1].Int()
			}
			return fn(p)
		})
}

// CountMembers counts the current passages of some parents.
func (s nearSource) CountMembers(ctx context.Context, parents []int64) (int64, error) {
	return s.queryInteger(ctx, `
		SELECT coalesce(sum(p.passages), 0) FROM unpack(?) AS j CROSS JOIN parent AS p ON p.number = j.c0`, packed.Numbers(parents))
}

// Sessions lists the numbers of the sessions of a kind, rising.
func (s nearSource) Sessions(ctx context.Context, scope int64, kind strata.SessionKind) ([]int64, error) {
	list, err := s.queryIntegers(ctx, 1, `
		SELECT p.number FROM session AS x CROSS JOIN parent AS p ON p.scope_no = x.scope_no AND p.kind = 2 AND p.name = x.id
		WHERE x.scope_no = ? AND x.kind = ?`, scope, string(kind))
	slices.Sort(list)
	return list, err
}
