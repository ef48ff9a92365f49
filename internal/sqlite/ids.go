package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
)

// IDs lists ids of a kind that begin or end with given texts. If there are none, it
// lists ids of what was forgotten.
func (t *tx) IDs(ctx context.Context, scope strata.Scope, kind, begin, end string, limit int) ([]string, error) {
	query, ok := selectIDs(kind)
	if !ok || begin == "" || end == "" {
		return nil, nil
	}
	return inScope(ctx, t, scope, "find id", func(no int64) ([]string, error) {
		list, err := collect(ctx, t, query, []any{no, begin, end, clampLimit(limit)}, scanText)
		if err != nil || len(list) > 0 {
			return list, err
		}
		return collect(ctx, t, forgottenIDs, []any{no, begin, end, clampLimit(limit), kind + "_"}, scanText)
	})
}

// idTables maps each kind of id to the table whose key it is.
var idTables = map[string]string{
	id.Fact: "fact", id.Turn: "turn", id.Decision: "decision", id.Trace: "trace", id.Session: "session", id.Learning: "learning", id.Document: "document",
	id.Dream: "dream", id.Question: "question",
}

// forgottenIDs selects the ids of what was forgotten in a scope. Its arguments are
// those of [selectIDs], followed by the prefix of the kind.
const forgottenIDs = `SELECT DISTINCT fact_id FROM tombstone
	WHERE scope_no = ?1 AND (substr(fact_id, 1, length(?2)) = ?2 OR substr(fact_id, -length(?3)) = ?3) AND substr(fact_id, 1, length(?5)) = ?5
	ORDER BY fact_id LIMIT ?4`

// selectIDs returns the statement that lists, in order, the ids of a kind in a scope
// that begin with one text or end with another. It reports false for a kind that has
// no table. Its arguments are the scope's number, the two texts, and the maximum
// number of ids. Every table has an index that covers it.
func selectIDs(kind string) (query string, ok bool) {
	table, ok := idTables[kind]
	return `SELECT DISTINCT id FROM ` + table + ` WHERE scope_no = ?1 AND (substr(id, 1, length(?2)) = ?2 OR substr(id, -length(?3)) = ?3)
		ORDER BY id LIMIT ?4`, ok
}
