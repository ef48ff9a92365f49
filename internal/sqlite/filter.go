package sqlite

import (
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// passes is the condition that a passage p lies in a scope and passes a filter, as
// [passage.Filter] defines it. Its parameters, ?1 to ?7, are those of filterArgs; a
// statement's own begin at ?8. The text is constant, so that statements stay
// prepared.
const passes = `p.number BETWEEN ?1 AND ?2
	AND ((?3 >> p.kind) & (?4 >> p.type) & 1)
	AND (?5 = 0 OR p.parent = ?5)
	AND CASE WHEN ?6 IS NULL THEN p.retired_at IS NULL
		ELSE p.recorded_at <= ?6 AND (p.retired_at IS NULL OR p.retired_at > ?6) END
	AND (?7 IS NULL OR p.kind <> 2 OR EXISTS (
		SELECT 1 FROM parent AS g CROSS JOIN session AS x ON x.scope_no = g.scope_no AND x.id = g.name
		WHERE g.number = p.parent AND x.kind = ?7))`

// filterArgs returns the parameters of passes, followed by more.
func filterArgs(scopeNo int64, f store.Filter, more ...any) []any {
	low, high := passage.Numbers(scopeNo)
	var asOf any
	if f.AsOf != nil {
		asOf = f.AsOf.UnixMicro()
	}
	args := []any{low, high, passage.KindMask(f.Kinds), passage.TypeMask(f), f.Parent, asOf, nullIfEmpty(string(f.SessionKind))}
	return append(args, more...)
}

// nullIfEmpty returns null for an empty string.
func nullIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}
