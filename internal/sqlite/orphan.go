package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/index/passage"
)

// Making a vector may need a model that is not available. So the vectors stay when
// an index is dropped, orphaned until the passages are put again.

// dropUnusableVectors removes the vectors of a scope that no passage can take over:
// those of stale models, damaged ones, and those whose source is gone.
func (t *tx) dropUnusableVectors(ctx context.Context, scopeNo int64) error {
	low, high := passage.Numbers(scopeNo)
	_, err := t.exec(ctx, `
		DELETE FROM vector WHERE place IN (
			SELECT v.place FROM vector AS v LEFT JOIN model AS m ON m.number = v.place >> 34 & 63 AND NOT m.stale
			WHERE v.place BETWEEN ? AND ? AND (
				m.number IS NULL OR length(v.embedding) NOT IN (m.dim, 4 + 2 * m.dim)
				OR v.sum IS NOT checksum(v.embedding)
				OR NOT EXISTS (SELECT 1 FROM fact WHERE fact.number = v.place - (m.number << 34))
				AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.number = v.place - (m.number << 34) AND NOT turn.forgotten)
				AND NOT EXISTS (SELECT 1 FROM turn_passage AS u WHERE u.number = v.place - (m.number << 34))
				AND NOT EXISTS (SELECT 1 FROM section WHERE section.number = v.place - (m.number << 34))))`,
		low, high)
	return err
}

// dropOrphans removes the orphaned vectors of a number.
func (t *tx) dropOrphans(ctx context.Context, number int64) error {
	_, err := t.exec(ctx, `DELETE FROM vector WHERE place IN (SELECT ? + (number << 34) FROM model)`, number)
	return err
}

// takeOverOrphans makes the orphaned vectors of a passage part of the index again,
// except that of the model fresh, for which the passage brings a new one.
func (t *tx) takeOverOrphans(ctx context.Context, p passageRow, fresh model) error {
	list, err := t.vectors(ctx, p.number)
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.model.stale || r.model.number == fresh.number {
			_, err = t.exec(ctx, `DELETE FROM vector WHERE place = ?`, r.model.place(p.number))
		} else {
			err = t.spread(ctx, p, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
