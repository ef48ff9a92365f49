// Package retention has the statements for what sessions take up and for what is taken
// from those that are pruned. The store removes the passages of their turns.
package retention

// UseColumns are, of session x, the bytes that its turns hold and whether an extractor
// has yet to read some of them.
const UseColumns = `
	(SELECT coalesce(sum(octet_length(t.text) + octet_length(t.calls) +
			coalesce((SELECT sum(octet_length(i.data)) FROM turn_image i WHERE i.number = t.number), 0)), 0)
		FROM turn t WHERE t.scope_no = x.scope_no AND t.session = x.id AND NOT t.forgotten),
	EXISTS (SELECT 1 FROM extraction e WHERE e.scope_no = x.scope_no AND e.session = x.id)`

// Used selects the sessions of scope ?1 that are closed and have a turn with a text.
const Used = `
	WHERE s.no = ?1 AND x.scope_no = ?1 AND x.closed_at IS NOT NULL
		AND EXISTS (SELECT 1 FROM turn t WHERE t.scope_no = ?1 AND t.session = x.id AND NOT t.forgotten)
	ORDER BY x.closed_at, x.id`

// Turns lists the numbers of the turns of session ?2 in scope ?1 that have a text.
const Turns = `
	SELECT t.number FROM turn t JOIN session x ON x.scope_no = t.scope_no AND x.id = t.session
	WHERE t.scope_no = ?1 AND t.session = ?2 AND NOT t.forgotten AND x.closed_at IS NOT NULL`

// BlankTurn takes the text of turn ?1 away, and ?2 stands in its place.
const BlankTurn = `UPDATE turn SET text = ?2, calls = '', images = 0, forgotten = 1 WHERE number = ?1`

// Images removes those of turn ?1.
const Images = `DELETE FROM turn_image WHERE number = ?1`

// Kept are the statements that remove what session ?2 of scope ?1 was given and saved,
// and have its transcript written anew.
var Kept = []string{
	`DELETE FROM session_state WHERE scope_no = ?1 AND session = ?2`,
	`DELETE FROM session_state_aside WHERE scope_no = ?1 AND session = ?2`,
	`DELETE FROM snapshot WHERE scope_no = ?1 AND session = ?2`,
	`UPDATE session SET exported_at = NULL, export_aside = '', revision = revision + 1 WHERE scope_no = ?1 AND id = ?2`,
}
