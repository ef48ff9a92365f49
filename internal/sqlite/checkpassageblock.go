package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/store"
)

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
