package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
)

// AppendEvent inserts an event with the next change number and the time of the
// transaction.
func (t *tx) AppendEvent(ctx context.Context, e strata.Event) error {
	const op = "append event"
	no, _, err := t.scopeNo(ctx, e.Scope, true)
	if err != nil {
		return wrap(op, err)
	}
	change, err := t.nextChange(ctx)
	if err != nil {
		return wrap(op, err)
	}
	_, err = t.exec(ctx, `INSERT INTO event (number, scope_no, kind, ref, detail, at) VALUES (?, ?, ?, ?, ?, ?)`,
		no<<passage.ScopeBits|change, no, e.Kind, e.Ref, e.Detail, micros(t.now))
	return wrap(op, err)
}

// LastChange returns the number of the last change.
func (t *tx) LastChange(ctx context.Context) (int64, error) {
	if t.group != nil && t.group.counters.change > 0 {
		return t.group.counters.change, nil
	}
	last, err := t.queryInteger(ctx, `SELECT value FROM counter WHERE name = 'change'`)
	return last, wrap("read last change", err)
}

// selectEvents selects the events in a range of numbers, in order.
const selectEvents = `
	SELECT number, kind, ref, detail, at FROM event WHERE number > ? AND number <= ? ORDER BY number LIMIT ?`

// Events lists events with a change number greater than since, in order.
func (t *tx) Events(ctx context.Context, scope strata.Scope, since int64, limit int) ([]strata.Event, error) {
	return inScope(ctx, t, scope, "list events", func(no int64) ([]strata.Event, error) {
		low, high := passage.Numbers(no)
		return collect(ctx, t, selectEvents, []any{low + min(max(since, 0), high-low), high, clampLimit(limit)}, func(scan scanner) (strata.Event, error) {
			e := strata.Event{Scope: scope}
			var at int64
			err := scan(&e.Change, &e.Kind, &e.Ref, &e.Detail, &at)
			e.Change -= low
			e.At = fromMicros(at)
			return e, err
		})
	})
}
