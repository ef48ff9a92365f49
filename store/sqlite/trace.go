package sqlite

import (
	"context"
	"encoding/json"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/database"
)

// keptTraces is how many traces a scope keeps: some weeks of a busy agent, at
// about 1 KiB each.
const keptTraces = 10_000

const traceSelect = `
	SELECT t.id, s.key, t.session, t.turn, t.at, t.took, t.query, t.hits
	FROM trace t
	JOIN scope s ON s.no = t.scope_no
	`

func scanTrace(scan scanner) (store.Trace, error) {
	var x store.Trace
	var key, hits string
	var at, took int64
	if err := scan(&x.ID, &key, &x.Session, &x.Turn, &at, &took, &x.Query, &hits); err != nil {
		return x, err
	}
	x.At, x.Took = fromMicros(at), time.Duration(took)
	if err := json.Unmarshal([]byte(hits), &x.Hits); err != nil {
		return x, database.Corrupt("read trace", "the hits of trace "+x.ID+" are not JSON")
	}
	var err error
	x.Scope, err = strata.ParseScope(key)
	return x, err
}

// Trace returns a stored explanation that was made in one of the scopes.
func (t *tx) Trace(ctx context.Context, scopes []strata.Scope, id string) (store.Trace, error) {
	return inScopes(ctx, t, scopes, "read trace", "trace", id, func(no int64) (store.Trace, error) {
		return scanTrace(t.queryRow(ctx, traceSelect+`WHERE t.scope_no = ? AND t.id = ?`, no, id).Scan)
	})
}

// Traces lists the newest traces of a scope.
func (t *tx) Traces(ctx context.Context, scope strata.Scope, f store.TraceFilter) ([]store.Trace, error) {
	return inScope(ctx, t, scope, "list traces", func(no int64) ([]store.Trace, error) {
		low, high := passage.Numbers(no)
		condition, args := `WHERE t.number BETWEEN ? AND ?`, []any{low, high}
		if f.Session != "" {
			condition, args = `WHERE t.scope_no = ? AND t.session = ? AND t.session <> ''`, []any{no, f.Session}
		}
		if f.Turn != 0 {
			condition += ` AND t.turn = ?`
			args = append(args, f.Turn)
		}
		if f.SessionKind != "" {
			condition += ` AND EXISTS (SELECT 1 FROM session AS x WHERE x.scope_no = t.scope_no AND x.id = t.session AND x.kind = ?)`
			args = append(args, f.SessionKind)
		}
		rows, err := t.query(ctx, traceSelect+condition+` ORDER BY t.number DESC LIMIT ?`, append(args, clampLimit(f.Limit))...)
		if err != nil {
			return nil, err
		}
		return collect(rows, scanTrace)
	})
}

// PutTrace inserts an explanation; the oldest of the scope make room for it.
func (t *tx) PutTrace(ctx context.Context, x store.Trace) error {
	const op = "put trace"
	if err := strata.ValidateName("trace id", x.ID); err != nil {
		return err
	}
	hits, err := json.Marshal(x.Hits)
	if err != nil {
		return strata.Invalid(op, "the trace holds a number that is none", "check the scores")
	}
	if x.At.IsZero() {
		x.At = t.now
	}
	no, _, err := t.scopeNo(ctx, x.Scope, true)
	if err != nil {
		return wrap(op, err)
	}
	number, err := t.lastOf(ctx, `SELECT coalesce(max(number), ?) FROM trace WHERE number BETWEEN ? AND ?`, no)
	if err != nil {
		return wrap(op, err)
	}
	_, err = t.exec(ctx, `
		INSERT INTO trace (number, scope_no, id, session, turn, at, took, query, hits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number+1, no, x.ID, x.Session, x.Turn, micros(x.At), int64(x.Took), x.Query, string(hits))
	if database.IsConstraint(err) {
		return conflict(op, "trace "+x.ID+" is there already")
	}
	if err != nil {
		return wrap(op, err)
	}
	low, _ := passage.Numbers(no)
	_, err = t.exec(ctx, `DELETE FROM trace WHERE number BETWEEN ? AND ?`, low, number+1-keptTraces)
	return wrap(op, err)
}

// lastOf returns the greatest number a table has in a scope. Traces and recall
// events follow on (forgetting may leave gaps), so that those beyond the number
// to keep are found by arithmetic.
func (t *tx) lastOf(ctx context.Context, query string, scopeNo int64) (int64, error) {
	low, high := passage.Numbers(scopeNo)
	var last int64
	err := t.queryRow(ctx, query, low, low, high).Scan(&last)
	return last, err
}

// RecordAccess adds one access to each fact and document that exists.
func (t *tx) RecordAccess(ctx context.Context, scope strata.Scope, ids []string) error {
	const op = "record access"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return wrap(op, err)
	}
	for _, id := range ids {
		_, err := t.exec(ctx, `
			INSERT INTO access (scope_no, memory_id, accesses, last_access)
			SELECT ?1, ?2, 1, ?3
			WHERE EXISTS (SELECT 1 FROM fact WHERE scope_no = ?1 AND id = ?2)
				OR EXISTS (SELECT 1 FROM document WHERE scope_no = ?1 AND id = ?2)
			ON CONFLICT DO UPDATE SET accesses = accesses + 1, last_access = max(last_access, excluded.last_access)`,
			no, id, micros(t.now))
		if err != nil {
			return wrap(op, err)
		}
	}
	return nil
}

// RecordRecall inserts recall events and keeps the newest of each scope that
// has a new one.
func (t *tx) RecordRecall(ctx context.Context, events []store.RecallEvent, keep int) error {
	const op = "record recall"
	if keep < 0 {
		return strata.Invalid(op, "the number of events to keep is negative", "keep none or more")
	}
	last := make(map[int64]int64) // by scope
	for _, e := range events {
		no, _, err := t.scopeNo(ctx, e.Scope, true)
		if err != nil {
			return wrap(op, err)
		}
		if _, ok := last[no]; !ok {
			last[no], err = t.lastOf(ctx, `SELECT coalesce(max(number), ?) FROM recall_event WHERE number BETWEEN ? AND ?`, no)
			if err != nil {
				return wrap(op, err)
			}
		}
		last[no]++
		if e.At.IsZero() {
			e.At = t.now
		}
		_, err = t.exec(ctx, `
			INSERT INTO recall_event (number, scope_no, memory_id, query, score, session, automatic, at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			last[no], no, e.Memory, e.Query, e.Score, e.Session, e.Automatic, micros(e.At))
		if err != nil {
			return wrap(op, err)
		}
	}
	for no, number := range last {
		low, _ := passage.Numbers(no)
		_, err := t.exec(ctx, `DELETE FROM recall_event WHERE number BETWEEN ? AND ?`, low, number-int64(keep))
		if err != nil {
			return wrap(op, err)
		}
	}
	return nil
}
