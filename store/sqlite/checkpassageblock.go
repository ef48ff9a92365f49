package sqlite

import (
	"context"

	"github.com/strata-memory/strata/index/lexical"
	"github.com/strata-memory/strata/store"
)

// checkPassageBlocks compares blocks of passages with the passages themselves.
func (t *tx) checkPassageBlocks(ctx context.Context) (out []store.Problem, err error) {
	scopes, err := t.numberList(ctx, `SELECT DISTINCT low >> 40 FROM passage_block`)
	if err != nil {
		return nil, err
	}
	for _, scopeNo := range scopes {
		wrong, err := lexical.CheckBlocks(ctx, lexicalSource{t}, scopeNo)
		if err != nil {
			return out, err
		}
		for _, low := range wrong {
			if len(out) == maxProblems {
				return out, nil
			}
			p, err := t.indexProblem(ctx, "wrong_block", "a block of passages is not what these were when it was written", low)
			if err != nil {
				return out, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}
