package sqlite

import (
	"context"
	"math"
	"time"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Record inserts recall events of the scope and keeps only the newest keep of all.
// An event without a time gets the time now.
func (s usageScope) Record(ctx context.Context, events []store.RecallEvent, keep int, now time.Time) error {
	number, err := s.Last(ctx, "recall_event")
	if err != nil {
		return err
	}
	for _, e := range events {
		if e.At.IsZero() {
			e.At = now
		}
		number++
		_, err := s.exec(ctx, `
			INSERT INTO recall_event (number, scope_no, memory_id, query, score, session, automatic, at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			number, s.no, e.Memory, e.Query, e.Score, e.Session, e.Automatic, micros(e.At))
		if err != nil {
			return err
		}
	}
	return s.keep(ctx, "recall_event", number, keep)
}

// Accessed adds one access to each fact and document of the scope that exists.
func (s usageScope) Accessed(ctx context.Context, ids []string, now time.Time) error {
	for _, id := range ids {
		_, err := s.exec(ctx, `
			INSERT INTO access (scope_no, memory_id, accesses, last_access)
			SELECT ?1, ?2, 1, ?3
			WHERE EXISTS (SELECT 1 FROM fact WHERE scope_no = ?1 AND id = ?2)
				OR EXISTS (SELECT 1 FROM document WHERE scope_no = ?1 AND id = ?2)
			ON CONFLICT DO UPDATE SET accesses = accesses + 1, last_access = max(last_access, excluded.last_access)`,
			s.no, id, micros(now))
		if err != nil {
			return err
		}
	}
	return nil
}

// Recalls lists the recall events since a time, leaving out automatic ones, oldest
// first.
func (s usageScope) Recalls(ctx context.Context, since time.Time) ([]store.RecallEvent, error) {
	low, high := passage.Numbers(s.no)
	least := int64(math.MinInt64)
	if !since.IsZero() {
		least = micros(since)
	}
	return collect(ctx, s.tx, `
		SELECT memory_id, query, score, session, at FROM recall_event
		WHERE number BETWEEN ? AND ? AND NOT automatic AND at >= ? ORDER BY number`, []any{low, high, least},
		func(scan scanner) (e store.RecallEvent, err error) {
			var at int64
			err = scan(&e.Memory, &e.Query, &e.Score, &e.Session, &at)
			e.Scope, e.At = s.of, fromMicros(at)
			return e, err
		})
}

// PruneRecalls removes the recall events from before a time.
func (s usageScope) PruneRecalls(ctx context.Context, before time.Time) error {
	low, high := passage.Numbers(s.no)
	_, err := s.exec(ctx, `DELETE FROM recall_event WHERE number BETWEEN ? AND ? AND at < ?`, low, high, micros(before))
	return err
}

// TagCounts counts the concept tags of current facts, the most frequent first.
func (s usageScope) TagCounts(ctx context.Context, limit int) ([]store.TagCount, error) {
	return collect(ctx, s.tx, `
		SELECT t.value, count(*) FROM fact AS f, json_each(iif(f.tags = '', '[]', f.tags)) AS t
		WHERE f.scope_no = ? AND f.retired_at IS NULL GROUP BY t.value ORDER BY count(*) DESC, t.value LIMIT ?`, []any{s.no, limit},
		func(scan scanner) (c store.TagCount, err error) { return c, scan(&c.Tag, &c.Facts) })
}
