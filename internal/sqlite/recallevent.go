package sqlite

import (
	"context"
	"math"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// RecordRecall inserts recall events. Of each scope with a new event, it keeps only
// the newest ones. An event without a time gets that of the transaction.
func (t *tx) RecordRecall(ctx context.Context, events []store.RecallEvent, keep int) error {
	const op = "record recall"
	if keep < 0 {
		return strata.Invalid(op, "the number of events to keep is negative", "keep none or more")
	}
	of := make(map[strata.Scope][]store.RecallEvent)
	for _, e := range events {
		of[e.Scope] = append(of[e.Scope], e)
	}
	for scope, list := range of {
		err := t.writeScope(ctx, op, scope, func(no int64) error {
			number, err := t.lastNumber(ctx, "recall_event", no)
			if err != nil {
				return err
			}
			for _, e := range list {
				if e.At.IsZero() {
					e.At = t.now
				}
				number++
				_, err := t.exec(ctx, `
					INSERT INTO recall_event (number, scope_no, memory_id, query, score, session, automatic, at)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
					number, no, e.Memory, e.Query, e.Score, e.Session, e.Automatic, micros(e.At))
				if err != nil {
					return err
				}
			}
			return t.keepNewest(ctx, "recall_event", no, number, keep)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Recalls lists the recall events of a scope since a time, leaving out automatic
// ones, oldest first.
func (t *tx) Recalls(ctx context.Context, scope strata.Scope, since time.Time) ([]store.RecallEvent, error) {
	least := int64(math.MinInt64)
	if !since.IsZero() {
		least = micros(since)
	}
	return inScope(ctx, t, scope, "list recalls", func(no int64) ([]store.RecallEvent, error) {
		low, high := passage.Numbers(no)
		return collect(ctx, t, `
			SELECT memory_id, query, score, session, at FROM recall_event
			WHERE number BETWEEN ? AND ? AND NOT automatic AND at >= ? ORDER BY number`, []any{low, high, least},
			func(scan scanner) (store.RecallEvent, error) {
				e := store.RecallEvent{Scope: scope}
				var at int64
				err := scan(&e.Memory, &e.Query, &e.Score, &e.Session, &at)
				e.At = fromMicros(at)
				return e, err
			})
	})
}

// PruneRecalls removes the recall events of a scope from before a time.
func (t *tx) PruneRecalls(ctx context.Context, scope strata.Scope, before time.Time) error {
	return t.execScope(ctx, "prune recalls", scope,
		`DELETE FROM recall_event WHERE number BETWEEN ?1 << 40 AND (?1 << 40) + (1 << 40) - 1 AND at < ?2`, micros(before))
}
