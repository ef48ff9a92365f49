package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
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
	return wrap(op, t.keep(ctx, keptEvents, no<<passage.ScopeBits|change, no, e.Kind, e.Ref, e.Detail, micros(t.now)))
}

const insertEvents = `
	INSERT INTO event (number, scope_no, kind, ref, detail, at) SELECT c0, c1, c2, c3, c4, c5 FROM unpack(?)`

// LastChange is the number of the last change.
func (t *tx) LastChange(ctx context.Context) (int64, error) {
	if t.group != nil && t.group.change > 0 {
		return t.group.change, nil
	}
	last, err := t.lookInteger(ctx, `SELECT value FROM counter WHERE name = 'change'`)
	if t.group != nil && err == nil {
		t.group.change = last
	}
	return last, wrap("read last change", err)
}

// selectEvents yields the events of a range of numbers, in order.
const selectEvents = `
	SELECT number, kind, ref, detail, at FROM event WHERE number > ? AND number <= ? ORDER BY number LIMIT ?`

// Events lists events with a change number above since, in order.
func (t *tx) Events(ctx context.Context, scope strata.Scope, since int64, limit int) ([]strata.Event, error) {
	return inScope(ctx, t, scope, "list events", func(no int64) ([]strata.Event, error) {
		low, high := passage.Numbers(no)
		rows, err := t.query(ctx, selectEvents, low+min(max(since, 0), high-low), high, clampLimit(limit))
		if err != nil {
			return nil, err
		}
		return collect(rows, func(scan scanner) (strata.Event, error) {
			e := strata.Event{Scope: scope}
			var at int64
			err := scan(&e.Change, &e.Kind, &e.Ref, &e.Detail, &at)
			e.Change -= low
			e.At = fromMicros(at)
			return e, err
		})
	})
}
