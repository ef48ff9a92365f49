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
	SELECT n.number, 1, widen(v.embedding)
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
	if err := addSums(rows, stored); err != nil {
		return false, err
	}
	actual := make(map[int64]parentSum)
	rows, err = t.query(ctx, selectMemberVectors, packNumbers([]int64{parent}))
	if err != nil {
		return false, err
	}
	if err := addSums(rows, actual); err != nil {
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
func addSums(rows *sql.Rows, sums map[int64]parentSum) error {
	_, err := collect(rows, func(scan scanner) (struct{}, error) {
		var m, count int64
		var b sql.RawBytes
		if err := scan(&m, &count, &b); err != nil {
			return struct{}{}, err
		}
		v, err := vector.Decode(b, len(b)/4)
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

// checkCodes compares the vectors with what is coded or waits for it.
func (t *tx) checkCodes(ctx context.Context) ([]store.Problem, error) {
	rows, err := t.query(ctx, `
		SELECT b.head, b.low, b.high, b.live, b.numbers FROM code_block AS b
		WHERE b.head IN (SELECT h.id FROM code_head AS h JOIN model AS m ON m.number = h.model WHERE NOT m.stale)`)
	if err != nil {
		return nil, err
	}
	type place struct{ head, number int64 }
	coded := make(map[place]bool)
	var out []store.Problem
	report := func(number int64) error {
		p, err := t.indexProblem(ctx, "wrong_code", "the codes of the scope are not those of its vectors", number)
		if len(out) < maxProblems {
			out = append(out, p)
		}
		return err
	}
	var damaged []int64
	_, err = collect(rows, func(scan scanner) (struct{}, error) {
		var head, low, high, live int64
		var b codeBlock
		if err := scan(&head, &low, &high, &live, &b.numbers); err != nil {
			return struct{}{}, err
		}
		for slot := range len(b.numbers) / 8 {
			n := b.number(slot)
			if n == 0 {
				continue
			}
			live--
			if n < low || n > high || coded[place{head, n}] {
				damaged = append(damaged, n)
			}
			coded[place{head, n}] = true
		}
		if live != 0 {
			damaged = append(damaged, low)
		}
		return struct{}{}, nil
	})
	if err != nil {
		return nil, err
	}
	rows, err = t.query(ctx, `
		SELECT h.id, p.number, EXISTS (SELECT 1 FROM uncoded AS u WHERE u.head = h.id AND u.number = p.number)
		FROM code_head AS h
		CROSS JOIN passage AS p ON p.number BETWEEN h.scope_no << 40 AND (h.scope_no + 1 << 40) - 1 AND p.kind = h.kind
		CROSS JOIN vector AS v ON v.place = p.number + (h.model << 34)
		WHERE v.embedding IS NOT NULL AND EXISTS (SELECT 1 FROM model AS m WHERE m.number = h.model AND NOT m.stale)`)
	if err != nil {
		return nil, err
	}
	_, err = collect(rows, func(scan scanner) (struct{}, error) {
		var at place
		var waits bool
		if err := scan(&at.head, &at.number, &waits); err != nil {
			return struct{}{}, err
		}
		if coded[at] == waits { // both, or neither
			damaged = append(damaged, at.number)
		}
		delete(coded, at)
		return struct{}{}, nil
	})
	if err != nil {
		return nil, err
	}
	for at := range coded { // codes of vectors that are not there
		damaged = append(damaged, at.number)
	}
	for _, n := range damaged {
		if err := report(n); err != nil {
			return out, err
		}
	}
	return out, nil
}
