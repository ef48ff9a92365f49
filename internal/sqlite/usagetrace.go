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

const traceSelect = `
	SELECT t.id, t.session, t.turn, t.at, t.took, t.query, t.hits FROM trace t
	`

func (s usageScope) scanTrace(scan scanner) (store.Trace, error) {
	x := store.Trace{Scope: s.of}
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

// Trace returns the explanation with an id.
func (s usageScope) Trace(ctx context.Context, id string) (store.Trace, error) {
	return queryOne(ctx, s.tx, traceSelect+`WHERE t.scope_no = ? AND t.id = ?`, []any{s.no, id}, s.scanTrace)
}

// Traces lists the newest explanations.
func (s usageScope) Traces(ctx context.Context, f store.TraceFilter) ([]store.Trace, error) {
	low, high := passage.Numbers(s.no)
	condition, args := `WHERE t.number BETWEEN ? AND ?`, []any{low, high}
	if f.Session != "" {
		condition, args = `WHERE t.scope_no = ? AND t.session = ? AND t.session <> ''`, []any{s.no, f.Session}
	}
	if f.Turn != 0 {
		condition += ` AND t.turn = ?`
		args = append(args, f.Turn)
	}
	if f.SessionKind != "" {
		condition += ` AND EXISTS (SELECT 1 FROM session AS x WHERE x.scope_no = t.scope_no AND x.id = t.session AND x.kind = ?)`
		args = append(args, f.SessionKind)
	}
	return collect(ctx, s.tx, traceSelect+condition+` ORDER BY t.number DESC LIMIT ?`, append(args, f.Limit), s.scanTrace)
}

// PutTrace inserts an explanation; the oldest of the scope make room for it.
func (s usageScope) PutTrace(ctx context.Context, x store.Trace) error {
	hits, err := json.Marshal(x.Hits)
	if err != nil {
		return strata.Invalid("put trace", "the trace holds a value that is not a number", "check the scores")
	}
	number, err := s.Last(ctx, "trace")
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `
		INSERT INTO trace (number, scope_no, id, session, turn, at, took, query, hits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number+1, s.no, x.ID, x.Session, x.Turn, micros(x.At), int64(x.Took), x.Query, string(hits))
	if err != nil {
		return err
	}
	return s.keep(ctx, "trace", number+1, keptTraces)
}
