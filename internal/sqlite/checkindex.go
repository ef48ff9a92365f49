package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/store"
)

// checkVectors compares codes and the sums of parents with the vectors they were
// made from.
func (t *tx) checkVectors(ctx context.Context) ([]store.Problem, error) {
	const columns = 3
	list, err := t.queryIntegers(ctx, columns, `
		SELECT s.no, m.number, m.dim FROM scope AS s CROSS JOIN model AS m WHERE NOT m.stale ORDER BY s.no, m.number`)
	var out []store.Problem
	report := func(kind, detail string, list []int64) error {
		found, err := check.Checker{Conn: t.conn}.OfNumbers(ctx, kind, detail, list)
		out = append(out, found...)
		return err
	}
	for ; err == nil && len(list) > 0 && len(out) < check.Most; list = list[columns:] {
		var faults nearest.Faults
		if faults, err = nearest.Check(ctx, nearSource{t}, list[0], list[1], int(list[2])); err != nil {
			break
		}
		err = report("wrong_code", "codes are not those of the vectors", faults.Codes)
		if err == nil {
			err = report("wrong_parent_vector",
				"the mean vector of the category, session or document is not that of its passages", faults.Parents)
		}
	}
	return out, err
}

// checkPassageBlocks compares blocks of passages with the passages themselves.
func (t *tx) checkPassageBlocks(ctx context.Context) (out []store.Problem, err error) {
	scopes, err := t.queryIntegers(ctx, 1, `SELECT DISTINCT low >> 40 FROM passage_block`)
	if err != nil {
		return nil, err
	}
	for _, scopeNo := range scopes {
		wrong, err := lexical.CheckBlocks(ctx, lexicalSource{t}, scopeNo)
		if err != nil {
			return out, err
		}
		found, err := check.Checker{Conn: t.conn}.OfNumbers(ctx, "wrong_block", "a block of passages is not what these were when it was written", wrong)
		out = append(out, found...)
		if err != nil || len(out) >= check.Most {
			return out, err
		}
	}
	return out, nil
}
