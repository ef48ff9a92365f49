package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata/neardup"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/check"
)

// checkKeys looks for current facts without keys of near-duplicates. Only a text without content terms has none.
func (t *tx) checkKeys(ctx context.Context) ([]store.Problem, error) {
	list, err := t.numberList(ctx, `
		SELECT number FROM passage WHERE kind = 1 AND retired_at IS NULL AND number NOT IN (SELECT number FROM sketch)`)
	if err != nil {
		return nil, err
	}
	var without []int64
	for _, number := range list {
		if len(without) >= check.Most {
			break
		}
		f, err := t.factByNumber(ctx, number)
		if errors.Is(err, sql.ErrNoRows) {
			continue // a passage without its fact, which another check tells
		}
		if err != nil {
			return nil, err
		}
		if len(neardup.Of(f.Text).Keys) == 0 {
			continue
		}
		without = append(without, number)
	}
	return check.Checker{Conn: t.conn}.OfNumbers(ctx, "fact_without_keys", "the fact is not found by others that say nearly the same", without)
}
