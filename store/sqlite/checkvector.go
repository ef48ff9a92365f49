package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// sumTolerance is how far a sum of unit vectors may lie from the sum computed
// anew, for each vector that was ever added or taken away. Float32 rounds by
// 6e-8 of a value.
const sumTolerance = 1e-4

// checkSums computes the vector sums of parents anew.
func (t *tx) checkSums(ctx context.Context) ([]store.Problem, error) {
	parents, err := t.numberList(ctx, `SELECT number FROM parent ORDER BY number`)
	if err != nil {
		return nil, err
	}
	var out []store.Problem
	for _, number := range parents {
		if len(out) >= maxProblems {
			break
		}
		ok, err := t.sumsAgree(ctx, number)
		if err != nil {
			return out, err
		}
		if !ok {
			p, err := t.indexProblem(ctx, "wrong_parent_vector", "the mean vector of the category, session or document is not that of its passages", number)
			if err != nil {
				return out, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// parentSum is a count and sum of vectors of one model.
type parentSum struct {
	count int64
	sum   []float64
}

// selectMemberVectors yields the vectors of the current passages of parents.
var selectMemberVectors = fmt.Sprintf(`
	SELECT n.number, 1, v.embedding
	FROM `+inParents+` CROSS JOIN model AS n CROSS JOIN vector AS v ON v.place = p.number + (n.number << 34)
	WHERE p.retired_at IS NULL AND v.embedding IS NOT NULL AND NOT n.stale`, `?1`)

// sumsAgree reports whether the stored sums of a parent are those of its
// current passages.
func (t *tx) sumsAgree(ctx context.Context, parent int64) (bool, error) {
	stored := make(map[int64]parentSum)
	rows, err := t.query(ctx, `
		SELECT m.number, v.count, v.sum
		FROM model AS m CROSS JOIN parent_vector AS v ON v.place = ? + (m.number << 34)
		WHERE NOT m.stale`, parent)
	if err != nil {
		return false, err
	}
	if err := addSums(rows, stored, func(b []byte) ([]float32, error) { return vector.Decode(b, len(b)/4) }); err != nil {
		return false, err
	}
	actual := make(map[int64]parentSum)
	rows, err = t.query(ctx, selectMemberVectors, packNumbers([]int64{parent}))
	if err != nil {
		return false, err
	}
	if err := addSums(rows, actual, func(b []byte) ([]float32, error) {
		v, _ := vector.DecodeScaled(b, (len(b)-4)/2) // what is damaged is in no sum
		return v, nil
	}); err != nil {
		return false, err
	}
	if len(stored) != len(actual) {
		return false, nil
	}
	for m, a := range actual {
		s := stored[m]
		if s.count != a.count || len(s.sum) != len(a.sum) {
			return false, nil
		}
		for i, x := range a.sum {
			if !(math.Abs(x-s.sum[i]) <= sumTolerance*float64(1+a.count)) {
				return false, nil
			}
		}
	}
	return true, nil
}

// addSums adds rows of model, count and vector to sums by model.
func addSums(rows *sql.Rows, sums map[int64]parentSum, decode func([]byte) ([]float32, error)) error {
	_, err := collect(rows, func(scan scanner) (struct{}, error) {
		var m, count int64
		var b sql.RawBytes
		if err := scan(&m, &count, &b); err != nil {
			return struct{}{}, err
		}
		v, err := decode(b)
		if err != nil {
			return struct{}{}, corruptError("read vector", err.Error())
		}
		s := sums[m]
		if s.sum == nil {
			s.sum = make([]float64, len(v))
		}
		s.count += count
		for i := range min(len(v), len(s.sum)) {
			s.sum[i] += float64(v[i])
		}
		sums[m] = s
		return struct{}{}, nil
	})
	return err
}
