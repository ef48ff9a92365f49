package contextmgr

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
)

// Expand returns the turns from to to as the ledger has them, whether or not the window
// still shows them.
func (m *Manager) Expand(ctx context.Context, from, to int64) ([]strata.Turn, error) {
	const op = "expand turns"
	if from < 1 || to < from {
		return nil, strata.Invalid(op, fmt.Sprintf("no turns run from %d to %d", from, to), "count turns from 1, the lower number first")
	}
	m.lock()
	defer m.unlock()
	span := to - from + 1
	if span <= 0 || span > strata.MaxBatch {
		return nil, &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "more than 10,000 turns at once", Hint: "ask for fewer"}
	}
	turns, err := m.opt.Ledger.Turns(ctx, from-1, int(span))
	if err != nil {
		return nil, fmt.Errorf("%s %d to %d: %w", op, from, to, err)
	}
	turns, _ = splitAt(turns, to)
	if len(turns) == 0 {
		return nil, strata.NotFound(op, "turn", fmt.Sprint(from))
	}
	return turns, nil
}
