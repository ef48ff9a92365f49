package sqlite

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/check"
)

// repairIndex is the command that mends whatever is wrong with the index.
const repairIndex = "strata reindex"

// checkIndex looks for disagreement between the index and what it is derived
// from, and inside the index. That FTS5's own structures agree with what they
// index is part of SQLite's integrity check.
func (t *tx) checkIndex(ctx context.Context) ([]store.Problem, error) {
	var out []store.Problem
	for _, c := range check.Index {
		list, err := t.numberList(ctx, c.Query+` LIMIT ?`, maxProblems)
		if err != nil {
			return out, err
		}
		for _, number := range list {
			p, err := t.indexProblem(ctx, c.Kind, c.Detail, number)
			if err != nil {
				return out, err
			}
			out = append(out, p)
		}
	}
	for _, look := range []func(context.Context) ([]store.Problem, error){t.checkWaiting, t.checkKeys, t.checkVectors, t.checkPassageBlocks} {
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
	scope, err := t.scopeKey(ctx, passage.Scope(number))
	return store.Problem{Kind: kind, Scope: scope, Ref: fmt.Sprint(number), Detail: detail, Repair: repairIndex}, err
}
