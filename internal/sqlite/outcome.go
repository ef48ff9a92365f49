package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Outcomes lists the tool runs of a scope, newest first.
func (t *tx) Outcomes(ctx context.Context, scope strata.Scope, f store.OutcomeFilter) ([]strata.ToolOutcome, error) {
	return inScope(ctx, t, scope, "list tool outcomes", func(no int64) ([]strata.ToolOutcome, error) {
		low, high := passage.Numbers(no)
		condition, args := `WHERE number BETWEEN ? AND ?`, []any{low, high}
		if f.Tool != "" {
			condition, args = `WHERE scope_no = ? AND tool = ?`, []any{no, f.Tool}
		}
		if f.Params != "" {
			condition += ` AND params = ?`
			args = append(args, f.Params)
		}
		if f.Session != "" {
			condition += ` AND session = ?`
			args = append(args, f.Session)
		}
		return collect(ctx, t, `SELECT session, tool, params, ok, error, at FROM tool_outcome `+condition+
			` ORDER BY number DESC LIMIT ? OFFSET ?`, append(args, clampLimit(f.Limit), f.Skip),
			func(scan scanner) (strata.ToolOutcome, error) {
				o := strata.ToolOutcome{Scope: scope}
				var at int64
				err := scan(&o.Session, &o.Tool, &o.Params, &o.OK, &o.Error, &at)
				o.At = fromMicros(at)
				return o, err
			})
	})
}

// PutOutcome stores a tool run; the oldest of the tool makes room for it.
func (t *tx) PutOutcome(ctx context.Context, o strata.ToolOutcome) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o.At.IsZero() {
		o.At = t.now
	}
	return t.writeScope(ctx, "put tool outcome", o.Scope, func(no int64) error {
		number, err := t.lastNumber(ctx, "tool_outcome", no)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, `
			INSERT INTO tool_outcome (number, scope_no, session, tool, params, ok, at, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			number+1, no, o.Session, o.Tool, o.Params, o.OK, micros(o.At), o.Error)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, `
			DELETE FROM tool_outcome WHERE scope_no = ?1 AND tool = ?2 AND number <= (
				SELECT number FROM tool_outcome WHERE scope_no = ?1 AND tool = ?2 ORDER BY number DESC LIMIT 1 OFFSET ?3)`,
			no, o.Tool, store.KeptOutcomes)
		return err
	})
}
