package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
)

// Facts lists facts of a scope, the newest first, ordered by id, which begins with a
// time. The versions of a fact stay together, newest first, and are never split
// between pages. A page with retired versions may therefore be longer than its
// limit, and the next page continues after the last id.
func (t *tx) Facts(ctx context.Context, scope strata.Scope, f strata.FactFilter) ([]strata.Fact, error) {
	return inScope(ctx, t, scope, "list facts", func(no int64) ([]strata.Fact, error) {
		condition, args := factCondition(no, f)
		rows, err := t.query(ctx, factSelect+condition, args...)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		limit := clampLimit(f.Limit)
		var out []strata.Fact
		for rows.Next() {
			fact, err := scanFact(rows.Scan)
			if err != nil {
				return nil, err
			}
			if len(out) >= limit && fact.ID != out[len(out)-1].ID {
				break
			}
			out = append(out, fact)
		}
		return out, wrap("list facts", rows.Err())
	})
}

// factCondition returns the condition and order of the statement. It has only a few
// possible texts, so that statements stay prepared.
func factCondition(scopeNo int64, f strata.FactFilter) (string, []any) {
	condition, args := `WHERE f.scope_no = ?`, []any{scopeNo}
	switch {
	case f.AsOf != nil:
		at := micros(*f.AsOf)
		condition += ` AND f.recorded_at <= ? AND (f.retired_at IS NULL OR f.retired_at > ?)`
		args = append(args, at, at)
	case !f.Retired:
		condition += ` AND f.retired_at IS NULL`
	}
	if f.Type != "" {
		condition += ` AND f.type = ?`
		args = append(args, f.Type)
	}
	if f.Category != "" {
		condition += ` AND f.category = ?`
		args = append(args, f.Category)
	}
	if f.After != "" {
		condition += ` AND f.id < ?`
		args = append(args, f.After)
	}
	return condition + ` ORDER BY f.id DESC, f.generation DESC`, args
}
