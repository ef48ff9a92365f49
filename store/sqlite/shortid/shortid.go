// Package shortid has the statements by which the ids of a kind are found by how they
// begin or end.
package shortid

import "github.com/strata-memory/strata/internal/id"

// tables are where ids of a kind are the keys.
var tables = map[string]string{
	id.Fact: "fact", id.Turn: "turn", id.Decision: "decision", id.Trace: "trace", id.Session: "session", id.Learning: "learning", id.Document: "document",
	id.Dream: "dream", id.Question: "question",
}

// Forgotten is the statement that reads the ids of what was forgotten in a scope. Its
// arguments are those of [Select], and how the ids of the kind begin.
const Forgotten = `SELECT DISTINCT fact_id FROM tombstone
	WHERE scope_no = ?1 AND (substr(fact_id, 1, length(?2)) = ?2 OR substr(fact_id, -length(?3)) = ?3) AND substr(fact_id, 1, length(?5)) = ?5
	ORDER BY fact_id LIMIT ?4`

// Select returns the statement that reads, in order, the ids of a kind in a scope that begin
// with one text or end with another; false for a kind that has no table. Its arguments
// are the scope's number, both texts, and how many ids are read at most. Every table has
// an index that covers it.
func Select(kind string) (query string, ok bool) {
	table, ok := tables[kind]
	return `SELECT DISTINCT id FROM ` + table + ` WHERE scope_no = ?1 AND (substr(id, 1, length(?2)) = ?2 OR substr(id, -length(?3)) = ?3)
		ORDER BY id LIMIT ?4`, ok
}
