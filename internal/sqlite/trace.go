package sqlite

import (
	"context"
	"encoding/json"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// keptTraces is how many traces a scope keeps: several weeks of a busy agent, at
// about 1 KiB each.
const keptTraces = 10_000

// traceSelect reads traces for readTrace. The caller appends a condition on t.
const traceSelect = `
	SELECT t.id, t.session, t.turn, t.at, t.took, t.query, t.hits FROM trace t
	`

// readTrace reads a row of traceSelect, a trace of a scope.
func readTrace(scope strata.Scope, scan scanner) (store.Trace, error) {
	x := store.Trace{Scope: scope}
	var hits string
	var at, took int64
	if err := scan(&x.ID, &x.Session, &x.Turn, &at, &took, &x.Query, &hits); err != nil {
		return x, err
	}
	x.At, x.Took = fromMicros(at), time.Duration(took)
	if err := json.Unmarshal([]byte(hits), &x.Hits); err != nil {
		return x, database.Corrupt("read trace", "the hits of trace "+x.ID+" are not JSON")
	}
	return x, nil
}

// Trace returns a stored explanation that belongs to one of the scopes.
func (t *tx) Trace(ctx context.Context, scopes []strata.Scope, id string) (store.Trace, error) {
	return inScopes(ctx, t, scopes, "read trace", "trace", id, func(scope strata.Scope, no int64) (store.Trace, error) {
		return readTrace(scope, t.queryRow(ctx, traceSelect+`WHERE t.scope_no = ? AND t.id = ?`, no, id).Scan)
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
		return collect(ctx, t, traceSelect+condition+` ORDER BY t.number DESC LIMIT ?`, append(args, clampLimit(f.Limit)),
			func(scan scanner) (store.Trace, error) { return readTrace(scope, scan) })
	})
}

// PutTrace inserts an explanation; the oldest of the scope make room for it.
func (t *tx) PutTrace(ctx context.Context, x store.Trace) error {
	const op = "put trace"
	if err := strata.ValidateName("trace id", x.ID); err != nil {
		return err
	}
	if x.At.IsZero() {
		x.At = t.now
	}
	err := t.writeScope(ctx, op, x.Scope, func(no int64) error {
		hits, err := json.Marshal(x.Hits)
		if err != nil {
			return strata.Invalid(op, "the trace holds a value that is not a number", "check the scores")
		}
		number, err := t.lastNumber(ctx, "trace", no)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, `
			INSERT INTO trace (number, scope_no, id, session, turn, at, took, query, hits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			number+1, no, x.ID, x.Session, x.Turn, micros(x.At), int64(x.Took), x.Query, string(hits))
		if err != nil {
			return err
		}
		return t.keepNewest(ctx, "trace", no, number+1, keptTraces)
	})
	if database.IsConstraint(err) {
		return conflict(op, "trace "+x.ID+" already exists")
	}
	return err
}
