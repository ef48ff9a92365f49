package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide/neardup"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/text"
)

// sketchRows bounds the rows compared for each key of a sketch. If more facts share a
// key, the newest are compared. Each key has its own bound: facts that share a frequent
// key must not keep out the few that share a rare one.
const sketchRows = 72

// sketchesOfKey selects the rows of scope ?1 that share a key.
var sketchesOfKey = fmt.Sprintf(
	`SELECT * FROM (SELECT number, bits FROM sketch WHERE scope_no = ?1 AND key = ? ORDER BY number DESC LIMIT %d)`, sketchRows)

// FactsLike returns current facts whose content terms equal those of a sketch's text
// or differ only in one term that was added, removed or changed.
func (t *tx) FactsLike(ctx context.Context, scope strata.Scope, like neardup.Sketch, limit int) ([]strata.Fact, error) {
	return inScope(ctx, t, scope, "find facts like", func(no int64) ([]strata.Fact, error) {
		numbers, err := t.sketched(ctx, no, like)
		if err != nil {
			return nil, err
		}
		return t.factsOf(ctx, numbers[:min(limit, len(numbers))])
	})
}

// sketched returns the facts that share a key with a sketch and differ from it in
// few bits: closest first, then newest.
func (t *tx) sketched(ctx context.Context, scopeNo int64, s neardup.Sketch) ([]int64, error) {
	if len(s.Keys) == 0 {
		return nil, nil
	}
	args := []any{scopeNo}
	for _, key := range s.Keys {
		args = append(args, key)
	}
	query := sketchesOfKey + strings.Repeat(` UNION ALL `+sketchesOfKey, len(s.Keys)-1)
	found, err := t.queryIntegers(ctx, 2, query, args...)
	if err != nil {
		return nil, err
	}
	apart := make(map[int64]int) // by fact: in how many bits it differs
	for row := range slices.Chunk(found, 2) {
		if n := neardup.Apart(s.Bits, uint64(row[1])); n <= neardup.MaxApart {
			apart[row[0]] = n
		}
	}
	return slices.SortedFunc(maps.Keys(apart), func(a, b int64) int {
		return cmp.Or(cmp.Compare(apart[a], apart[b]), cmp.Compare(b, a))
	}), nil
}

// putSketch adds the sketch of a fact's text.
func (t *tx) putSketch(ctx context.Context, number int64, s neardup.Sketch) error {
	for _, key := range s.Keys {
		_, err := t.exec(ctx, `INSERT INTO sketch (scope_no, key, number, bits) VALUES (?, ?, ?, ?)`,
			passage.Scope(number), key, number, int64(s.Bits))
		if err != nil {
			return err
		}
	}
	return nil
}

// dropSketch removes the keys of a fact, which it derives from the fact's text.
func (t *tx) dropSketch(ctx context.Context, number int64) error {
	f, err := t.factByNumber(ctx, number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, key := range neardup.Of(text.Analyze(f.Text)).Keys {
		_, err := t.exec(ctx, `DELETE FROM sketch WHERE scope_no = ? AND key = ? AND number = ?`, passage.Scope(number), key, number)
		if err != nil {
			return err
		}
	}
	return nil
}
