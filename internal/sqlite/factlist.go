package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
)

// Facts lists facts of a scope by id, the newest first: ids begin with their
// time. The versions of one fact stay together, the newest first, and a page
// does not part them; so a page with retired versions may be longer than its
// limit, and the last id of a page is where the next goes on.
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

// factCondition returns the part of the statement that selects, from few
// fixed texts.
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
