package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// repairIndex is the command that mends whatever is wrong with the index.
const repairIndex = "strata reindex"

// indexChecks are statements that yield a row (number) for each problem. The
// scope follows from the number.
var indexChecks = []struct {
	kind, detail, query string
}{
	{"fact_without_passage", "the fact is not indexed", `
		SELECT number FROM fact WHERE NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.number = fact.number AND p.kind = 1)`},
	{"turn_without_passage", "the turn is not indexed", `
		SELECT number FROM turn WHERE NOT forgotten
			AND NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.number = turn.number AND p.kind = 2)`},
	{"passage_without_fact", "the index holds a fact or turn that is not there", `
		SELECT number FROM passage AS p
		WHERE p.kind = 1 AND NOT EXISTS (SELECT 1 FROM fact WHERE fact.number = p.number)
			OR p.kind = 2 AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.number = p.number AND NOT forgotten)`},
	{"wrong_retirement", "the index takes the fact for current and it is not, or the other way round", `
		SELECT p.number FROM passage AS p JOIN fact AS f ON f.number = p.number
		WHERE p.kind = 1 AND p.retired_at IS NOT f.retired_at`},
	{"passage_without_parent", "the passage belongs to no category or session", `
		SELECT number FROM passage AS p
		WHERE NOT EXISTS (SELECT 1 FROM parent WHERE parent.number = p.parent AND parent.kind = p.kind)`},
	{"wrong_category", "the index has the fact in another category than the fact says", `
		SELECT p.number FROM passage AS p JOIN fact AS f ON f.number = p.number JOIN parent ON parent.number = p.parent
		WHERE p.kind = 1 AND parent.name <> f.category`},
	{"passage_without_words", "the passage cannot be found by its words", `
		SELECT number FROM passage WHERE number NOT IN (SELECT id FROM word_content)
			OR number NOT IN (SELECT id FROM piece_content)`},
	{"stray_words", "words are indexed of a passage that is not there", `
		SELECT id FROM word_content WHERE id NOT IN (SELECT number FROM passage)
		UNION SELECT id FROM piece_content WHERE id NOT IN (SELECT number FROM passage)`},
	{"passage_without_vector", "the passage has no vector and does not wait for one", `
		SELECT number FROM passage AS p
		WHERE NOT EXISTS (SELECT 1 FROM embedding_queue AS q WHERE q.number = p.number)
			AND NOT EXISTS (SELECT 1 FROM model AS m CROSS JOIN vector AS v ON v.place = p.number + (m.number << 34))`},
	{"stray_vector", "a vector is stored of a passage or model that is not there", `
		SELECT place FROM vector AS v WHERE NOT EXISTS (
			SELECT 1 FROM model AS m CROSS JOIN passage AS p ON p.number = v.place - (m.number << 34)
			WHERE m.number = v.place >> 34 & 63)`},
	{"wrong_vector", "a vector has another length than its model's", `
		SELECT place FROM vector AS v JOIN model AS m ON m.number = v.place >> 34 & 63
		WHERE length(v.embedding) <> 4 * m.dim`},
	{"stray_queue_entry", "a passage waits for a vector and is not there", `
		SELECT number FROM embedding_queue WHERE number NOT IN (SELECT number FROM passage)`},
	{"wrong_parent_count", "the category or session counts its passages wrongly", `
		SELECT a.number FROM parent AS a
		WHERE (a.passages, a.words) IS NOT (
			SELECT count(*), coalesce(sum(p.words), 0) FROM passage AS p WHERE p.parent = a.number AND p.retired_at IS NULL)`},
	{"empty_parent", "the category or session has no passage", `
		SELECT a.number FROM parent AS a WHERE NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.parent = a.number)`},
	{"wrong_scope_count", "the scope counts its passages wrongly", `
		SELECT scope_no << 40 FROM (
			SELECT scope_no, kind, passages, words FROM scope_stat WHERE passages <> 0 OR words <> 0
			EXCEPT
			SELECT number >> 40, kind, count(*), sum(words) FROM passage WHERE retired_at IS NULL GROUP BY 1, 2)
		UNION
		SELECT scope_no << 40 FROM (
			SELECT number >> 40 AS scope_no, kind, count(*), sum(words) FROM passage WHERE retired_at IS NULL GROUP BY 1, 2
			EXCEPT
			SELECT scope_no, kind, passages, words FROM scope_stat)`},
	{"change_behind", "the next change number is taken already", `
		SELECT number FROM passage WHERE change > (SELECT value FROM counter WHERE name = 'change')`},
	{"wrong_code_count", "the scope counts its codes wrongly", `
		SELECT scope_no << 40 FROM code_head AS h
		WHERE h.uncoded <> (SELECT count(*) FROM uncoded AS u WHERE u.head = h.id)
			OR h.coded <> (SELECT coalesce(sum(live), 0) FROM code_block AS b WHERE b.head = h.id)`},
}

// checkIndex looks for disagreement between the index and what it is derived
// from, and inside the index. That FTS5's own structures agree with what they
// index is part of SQLite's integrity check.
func (t *tx) checkIndex(ctx context.Context) ([]store.Problem, error) {
	var out []store.Problem
	for _, c := range indexChecks {
		list, err := t.numberList(ctx, c.query+` LIMIT ?`, maxProblems)
		if err != nil {
			return out, err
		}
		for _, number := range list {
			p, err := t.indexProblem(ctx, c.kind, c.detail, number)
			if err != nil {
				return out, err
			}
			out = append(out, p)
		}
	}
	for _, look := range []func(context.Context) ([]store.Problem, error){t.checkSums, t.checkCodes} {
		found, err := look(ctx)
		out = append(out, found...)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// indexProblem describes a problem of a passage, parent, vector or scope.
func (t *tx) indexProblem(ctx context.Context, kind, detail string, number int64) (store.Problem, error) {
	scope, err := t.scopeKey(ctx, scopeOf(number))
	return store.Problem{Kind: kind, Scope: scope, Ref: fmt.Sprint(number), Detail: detail, Repair: repairIndex}, err
}

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
			p, err := t.indexProblem(ctx, "wrong_parent_vector", "the mean vector of the category or session is not that of its passages", number)
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

// sumsAgree reports whether the stored sums of a parent are those of its
// current passages.
func (t *tx) sumsAgree(ctx context.Context, parent int64) (bool, error) {
	stored := make(map[int64]parentSum)
	rows, err := t.query(ctx, `
		SELECT m.number, v.count, v.sum
		FROM model AS m CROSS JOIN parent_vector AS v ON v.place = ? + (m.number << 34)`, parent)
	if err != nil {
		return false, err
	}
	if err := addSums(rows, stored); err != nil {
		return false, err
	}
	actual := make(map[int64]parentSum)
	rows, err = t.query(ctx, `
		SELECT m.number, 1, v.embedding
		FROM passage AS p CROSS JOIN model AS m CROSS JOIN vector AS v ON v.place = p.number + (m.number << 34)
		WHERE p.parent = ? AND p.retired_at IS NULL AND v.embedding IS NOT NULL`, parent)
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
	rows, err := t.query(ctx, `SELECT b.head, b.low, b.high, b.live, b.numbers FROM code_block AS b`)
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
		WHERE v.embedding IS NOT NULL`)
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

// indexStats counts the categories of a scope that hold a current fact, its
// passages that wait for a vector, and its vectors of all models.
func (t *tx) indexStats(ctx context.Context, scopeNo int64) (categories, unembedded, vectors int64, err error) {
	low, high := numbers(scopeNo)
	err = t.queryRow(ctx, `
		SELECT (SELECT count(*) FROM parent WHERE number BETWEEN ?1 AND ?2 AND kind = 1 AND passages > 0),
			(SELECT count(*) FROM embedding_queue WHERE number BETWEEN ?1 AND ?2),
			(SELECT coalesce(sum(coded + uncoded), 0) FROM code_head WHERE scope_no = ?3)`,
		low, high, scopeNo).Scan(&categories, &unembedded, &vectors)
	return categories, unembedded, vectors, err
}
