package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Outcomes lists tool runs, newest first.
func (s usageScope) Outcomes(ctx context.Context, f store.OutcomeFilter) ([]strata.ToolOutcome, error) {
	low, high := passage.Numbers(s.no)
	condition, args := `WHERE number BETWEEN ? AND ?`, []any{low, high}
	if f.Tool != "" {
		condition, args = `WHERE scope_no = ? AND tool = ?`, []any{s.no, f.Tool}
	}
	if f.Params != "" {
		condition += ` AND params = ?`
		args = append(args, f.Params)
	}
	if f.Session != "" {
		condition += ` AND session = ?`
		args = append(args, f.Session)
	}
	return collect(ctx, s.tx, `SELECT session, tool, params, ok, error, at FROM tool_outcome `+condition+
		` ORDER BY number DESC LIMIT ? OFFSET ?`, append(args, f.Limit, f.Skip),
		func(scan scanner) (strata.ToolOutcome, error) {
			o := strata.ToolOutcome{Scope: s.of}
			var at int64
			err := scan(&o.Session, &o.Tool, &o.Params, &o.OK, &o.Error, &at)
			o.At = fromMicros(at)
			return o, err
		})
}

// PutOutcome stores a tool run; the oldest of the tool makes room for it.
func (s usageScope) PutOutcome(ctx context.Context, o strata.ToolOutcome) error {
	number, err := s.Last(ctx, "tool_outcome")
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `
		INSERT INTO tool_outcome (number, scope_no, session, tool, params, ok, at, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		number+1, s.no, o.Session, o.Tool, o.Params, o.OK, micros(o.At), o.Error)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `
		DELETE FROM tool_outcome WHERE scope_no = ?1 AND tool = ?2 AND number <= (
			SELECT number FROM tool_outcome WHERE scope_no = ?1 AND tool = ?2 ORDER BY number DESC LIMIT 1 OFFSET ?3)`,
		s.no, o.Tool, store.KeptOutcomes)
	return err
}
