package check

import "github.com/strata-memory/strata"

// Rows holds statements that return one row (scope number, reference) for each
// problem.
var Rows = []Statement{
	{"duplicate_version", "the fact has two current versions", `
		SELECT scope_no, id FROM fact NOT INDEXED WHERE retired_at IS NULL GROUP BY scope_no, id HAVING count(*) > 1`},
	{"stale_version", "a version with a newer one after it is not retired", `
		SELECT f.scope_no, f.id FROM fact f WHERE f.retired_at IS NULL AND EXISTS (
			SELECT 1 FROM fact n WHERE n.scope_no = f.scope_no AND n.id = f.id AND n.generation > f.generation)`},
	{"decision_without_fact", "the fact version the decision made is not there, or says something else", `
		SELECT d.scope_no, d.id FROM decision d
		WHERE d.op IN ('add', 'update', 'supersede') AND d.path = '' AND d.after <> ''
			AND d.after ->> '$.text' <> '` + strata.ForgottenText + `'
			AND NOT EXISTS (
				SELECT 1 FROM fact f
				WHERE f.scope_no = d.scope_no AND f.id = d.after ->> '$.id'
					AND f.generation = d.after ->> '$.generation' AND f.text = d.after ->> '$.text')`},
	{"decision_without_fact", "a fact version the decision names is not there", `
		SELECT d.scope_no, d.id FROM decision d
		WHERE d.before_fact IS NOT NULL AND NOT EXISTS (SELECT 1 FROM fact f WHERE f.number = d.before_fact)
			OR d.after_fact IS NOT NULL AND NOT EXISTS (SELECT 1 FROM fact f WHERE f.number = d.after_fact)`},
	{"counter_behind", "the next number of the scope is taken already", `
		SELECT s.no, '' FROM scope s WHERE s.no << 40 | s.next <= max(
			coalesce((SELECT max(number) FROM fact WHERE number BETWEEN s.no << 40 AND (s.no + 1 << 40) - 1), 0),
			coalesce((SELECT max(number) FROM turn WHERE number BETWEEN s.no << 40 AND (s.no + 1 << 40) - 1), 0),
			coalesce((SELECT max(number) FROM turn_passage WHERE number BETWEEN s.no << 40 AND (s.no + 1 << 40) - 1), 0),
			coalesce((SELECT max(number) FROM document WHERE number BETWEEN s.no << 40 AND (s.no + 1 << 40) - 1), 0),
			coalesce((SELECT max(number) FROM section WHERE number BETWEEN s.no << 40 AND (s.no + 1 << 40) - 1), 0),
			coalesce((SELECT max(number) FROM learning WHERE number BETWEEN s.no << 40 AND (s.no + 1 << 40) - 1), 0),
			coalesce((SELECT max(number) FROM decision WHERE number BETWEEN s.no << 40 AND (s.no + 1 << 40) - 1), 0))`},
	{"change_behind", "the next change number is taken already", `
		SELECT 0, '' FROM counter WHERE name = 'change' AND value < (SELECT coalesce(max(number & (1 << 40) - 1), 0) FROM event)`},
	{"wrong_turn_count", "the session counts its turns wrongly", `
		SELECT x.scope_no, x.id FROM session x
		WHERE x.turns <> (SELECT count(*) FROM turn u WHERE u.scope_no = x.scope_no AND u.session = x.id)`},
	{"wrong_turn_passages", "the passages of the turn do not follow each other in its text", `
		SELECT u.scope_no, u.id FROM turn AS u JOIN turn_passage AS p ON p.turn = u.number
		GROUP BY u.number
		HAVING u.forgotten OR min(p.number) <> u.number OR min(p.start) <> 0 OR max(p.stop) <> octet_length(u.text)
			OR sum(p.stop - p.start) <> max(p.stop)`},
	{"wrong_image_count", "the turn counts its images wrongly", `
		SELECT u.scope_no, u.id FROM turn u
		WHERE (u.images > 0 OR u.number IN (SELECT number FROM turn_image))
			AND u.images <> (SELECT count(*) FROM turn_image i WHERE i.number = u.number)`},
	{"unreadable_calls", "the tool calls of the turn are not JSON", `
		SELECT scope_no, id FROM turn WHERE calls <> '' AND NOT json_valid(calls)`},
	{"forgotten_content", "the turn was forgotten and still holds content", `
		SELECT scope_no, id FROM turn WHERE forgotten AND (images > 0 OR text NOT IN ('` + strata.ForgottenText + `', '` + strata.PrunedText + `', '` + strata.ArchivedText + `'))`},
	{"wrong_section_place", "the sections of the document do not count from 1, or one lies outside of its text", `
		SELECT d.scope_no, d.path FROM document d JOIN section c ON c.document = d.number
		GROUP BY d.number
		HAVING min(c.seq) <> 1 OR max(c.seq) <> count(*) OR count(DISTINCT c.seq) <> count(*)
			OR max(c.start + c.size) > octet_length(d.content) OR max(c.scope_no <> d.scope_no)`},
	// A document that is gone may come back, and a decision still holds its id.
	{"stray_access", "accesses are counted of a fact or document that never was", `
		SELECT a.scope_no, a.memory_id FROM access a
		WHERE NOT EXISTS (SELECT 1 FROM fact f WHERE f.scope_no = a.scope_no AND f.id = a.memory_id)
			AND NOT EXISTS (SELECT 1 FROM document d WHERE d.scope_no = a.scope_no AND d.id = a.memory_id)
			AND NOT EXISTS (SELECT 1 FROM decision c WHERE c.scope_no = a.scope_no AND c.path <> ''
				AND a.memory_id IN (nullif(c.before, '') ->> '$.id', nullif(c.after, '') ->> '$.id'))`},
}
