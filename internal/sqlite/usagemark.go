package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata/store"
)

// Mark records what happened to a fact or document of the scope, if it exists.
func (s usageScope) Mark(ctx context.Context, memory string, m store.Mark, now time.Time) error {
	column := "confirmed_at"
	if m == store.MarkOpened {
		column = "opened_at"
	}
	_, err := s.exec(ctx, `
		INSERT INTO access (scope_no, memory_id, accesses, last_access, `+column+`)
		SELECT ?1, ?2, 0, 0, ?3
		WHERE EXISTS (SELECT 1 FROM fact WHERE scope_no = ?1 AND id = ?2)
			OR EXISTS (SELECT 1 FROM document WHERE scope_no = ?1 AND id = ?2)
		ON CONFLICT DO UPDATE SET `+column+` = max(coalesce(`+column+`, 0), excluded.`+column+`)`,
		s.no, memory, micros(now))
	return err
}

// Opened lists the documents that were opened, in order of id.
func (s usageScope) Opened(ctx context.Context) ([]store.Opening, error) {
	return collect(ctx, s.tx, `SELECT memory_id, opened_at FROM access WHERE scope_no = ? AND opened_at IS NOT NULL ORDER BY memory_id`,
		[]any{s.no}, func(scan scanner) (o store.Opening, err error) {
			var at int64
			err = scan(&o.Document, &at)
			o.At = fromMicros(at)
			return o, err
		})
}
