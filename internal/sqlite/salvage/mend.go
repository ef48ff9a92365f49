package salvage

import (
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
)

// mend makes the remaining rows consistent if rows they refer to are lost. If
// nothing is lost, it changes nothing.
func (w *writer) mend() error {
	if err := w.restoreScopes(); err != nil {
		return err
	}
	if err := w.restoreSessions(); err != nil {
		return err
	}
	if err := w.restoreChoices(); err != nil {
		return err
	}
	if err := w.dropStray(); err != nil {
		return err
	}
	for _, step := range []struct {
		needs     []string // tables that must exist
		statement string
	}{
		{[]string{"session"}, `
			UPDATE session SET turns = (SELECT count(*) FROM turn AS u WHERE u.scope_no = session.scope_no AND u.session = session.id)
			WHERE turns <> (SELECT count(*) FROM turn AS u WHERE u.scope_no = session.scope_no AND u.session = session.id)`},
		{[]string{"section"}, `DELETE FROM section WHERE document NOT IN (SELECT number FROM document)`},
		{[]string{"turn_passage"}, `DELETE FROM turn_passage WHERE turn NOT IN (SELECT number FROM turn)`},
		{[]string{"undivided"}, `DELETE FROM undivided WHERE number NOT IN (SELECT number FROM turn)`},
		{[]string{"model", "vector"}, `DELETE FROM vector WHERE place >> 34 & 63 NOT IN (SELECT number FROM model)`},
		{[]string{"model", "embedding"}, `
			UPDATE embedding SET serving = iif(serving IN (SELECT number FROM model), serving, 0),
				target = iif(target IN (SELECT number FROM model), target, 0)
			WHERE serving <> 0 AND serving NOT IN (SELECT number FROM model) OR target <> 0 AND target NOT IN (SELECT number FROM model)`},
	} {
		if !w.has(step.needs...) {
			continue
		}
		if _, err := w.exec(step.statement); err != nil {
			return fmt.Errorf("mend %s: %w", step.needs[0], err)
		}
	}
	if err := w.models(); err != nil {
		return err
	}
	if err := w.column("vector", "sum", `UPDATE vector SET sum = checksum(embedding) WHERE sum IS NULL`); err != nil {
		return err
	}
	if err := w.images(); err != nil {
		return err
	}
	if err := w.decisions(); err != nil {
		return err
	}
	return w.counters()
}

// models repairs which embedding models are wanted. If the serving model is lost,
// the one with the most vectors serves: otherwise no passage would have a vector.
func (w *writer) models() error {
	for _, step := range []struct{ table, column, statement string }{
		{"embedding", "base", `UPDATE embedding SET base = 0 WHERE base <> 0 AND base NOT IN (SELECT number FROM model)`},
		// Any vector may be in the form of an earlier version, since the recorded
		// progress may be lost.
		{"embedding", "wide_from", `UPDATE embedding SET wide_from = (SELECT min(place) FROM vector)`},
		{"model", "stale", `
			UPDATE embedding SET serving = coalesce((SELECT number FROM model WHERE NOT stale AND number <> target
				ORDER BY (SELECT count(*) FROM vector WHERE place >> 34 & 63 = number) DESC, number LIMIT 1), 0)
			WHERE serving = 0`},
		{"embedding", "base", `
			UPDATE model SET stale = 1 WHERE NOT stale
				AND number NOT IN (SELECT serving FROM embedding UNION SELECT target FROM embedding UNION SELECT base FROM embedding)`},
	} {
		if err := w.column(step.table, step.column, step.statement); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether the schema has all of the named tables.
func (w *writer) has(names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(w.survey.schema.tables, func(t *table) bool { return t.name == name }) {
			return false
		}
	}
	return true
}

// column runs a statement if a table has a column.
func (w *writer) column(name, column, statement string) error {
	for _, t := range w.survey.schema.tables {
		if t.name == name && slices.Contains(t.columns, column) {
			_, err := w.exec(statement)
			return err
		}
	}
	return nil
}

// restoreScopes restores lost scopes, whose keys an index has.
func (w *writer) restoreScopes() error {
	for _, lost := range w.survey.Lost {
		if lost.Table != "scope" || lost.known["key"] == nil {
			continue
		}
		n, err := w.exec(`INSERT OR IGNORE INTO scope (no, key, next) VALUES (?, ?, 1)`, lost.number, lost.known["key"])
		if err != nil {
			return err
		}
		w.built.Restored += n
	}
	// A scope whose key is also lost gets a key that says so.
	for _, t := range w.survey.schema.tables {
		if t.class != authority || !slices.Contains(t.columns, "scope_no") {
			continue
		}
		missing, err := w.c.Integers(w.ctx, 1, `SELECT DISTINCT scope_no FROM `+t.name+` WHERE scope_no NOT IN (SELECT no FROM scope)`, nil)
		if err != nil {
			return err
		}
		for _, no := range missing {
			key := strata.InWorkspace(fmt.Sprintf("recovered-%d", no)).Key()
			if _, err := w.exec(`INSERT INTO scope (no, key, next) VALUES (?, ?, 1)`, no, key); err != nil {
				return err
			}
			w.built.Restored++
		}
	}
	return nil
}

// restoreSessions restores lost sessions that turns and other rows refer to.
func (w *writer) restoreSessions() error {
	for _, of := range []struct{ table, at string }{
		{"turn", "min(said_at)"}, {"session_state", "min(at)"}, {"session_state_aside", "min(at)"}, {"snapshot", "min(created_at)"}, {"extraction", "0"},
		{"session_archive", "min(at)"},
	} {
		if !w.has("session", of.table) {
			continue
		}
		n, err := w.exec(`
			INSERT INTO session (scope_no, id, kind, parent, started_at, turns, transcript, export_aside, revision)
			SELECT scope_no, session, 'main', '', ` + of.at + `, 0, '', '', 0 FROM ` + of.table + ` AS x
			WHERE NOT EXISTS (SELECT 1 FROM session AS s WHERE s.scope_no = x.scope_no AND s.id = x.session)
			GROUP BY scope_no, session`)
		if err != nil {
			return err
		}
		w.built.Restored += n
	}
	return nil
}

// restoreChoices keeps facts in their categories if choices were lost: without a
// choice, facts are moved to where they seem to belong.
func (w *writer) restoreChoices() error {
	const choices = "category_choice"
	lost := slices.ContainsFunc(w.survey.Damages, func(d Damage) bool { return d.Table == choices && d.Authority })
	if !lost || !w.has(choices, "fact") {
		return nil
	}
	n, err := w.exec(`
		INSERT OR IGNORE INTO ` + choices + ` (scope_no, topic, name)
		SELECT DISTINCT scope_no, category, category FROM fact WHERE category <> '' AND retired_at IS NULL`)
	w.built.Restored += n
	return err
}

// dropStray leaves out rows that are meaningless without a lost row.
func (w *writer) dropStray() error {
	for _, of := range []struct{ table, name, where string }{
		{"access", "memory_id", `NOT EXISTS (SELECT 1 FROM fact AS f WHERE f.scope_no = access.scope_no AND f.id = memory_id)
			AND NOT EXISTS (SELECT 1 FROM document AS d WHERE d.scope_no = access.scope_no AND d.id = memory_id)
			AND NOT EXISTS (SELECT 1 FROM decision AS c WHERE c.scope_no = access.scope_no AND c.path <> ''
				AND memory_id IN (nullif(c.before, '') ->> '$.id', nullif(c.after, '') ->> '$.id'))`},
		{"turn_image", "'image ' || place || ' of turn number ' || number", `number NOT IN (SELECT number FROM turn)`},
	} {
		if !w.has(of.table, "document") {
			continue
		}
		rows, err := w.c.QueryContext(w.ctx, `SELECT `+of.name+` FROM `+of.table+` WHERE `+of.where)
		if err != nil {
			return err
		}
		for rows.Next() {
			l := LostRow{Table: of.table, Noun: nouns[of.table]}
			if err := rows.Scan(&l.ID); err != nil {
				rows.Close()
				return err
			}
			w.built.Left = append(w.built.Left, l)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if _, err := w.exec(`DELETE FROM ` + of.table + ` WHERE ` + of.where); err != nil {
			return err
		}
	}
	return nil
}

// images corrects the image counts of turns.
func (w *writer) images() error {
	const wrong = `images <> (SELECT count(*) FROM turn_image AS i WHERE i.number = turn.number)`
	if !w.has("turn_image") {
		return nil
	}
	return w.change(check.Turn, `images = (SELECT count(*) FROM turn_image AS i WHERE i.number = turn.number)`,
		`(images > 0 OR number IN (SELECT number FROM turn_image)) AND `+wrong)
}

// decisions removes references to lost facts from decisions.
func (w *writer) decisions() error {
	const lost = `(before_fact IS NOT NULL AND before_fact NOT IN (SELECT number FROM fact)
		OR after_fact IS NOT NULL AND after_fact NOT IN (SELECT number FROM fact))`
	if w.survey.schema.version < 6 { // before these columns existed
		return nil
	}
	return w.change(check.Decision, `before_fact = iif(before_fact IN (SELECT number FROM fact), before_fact, NULL),
		after_fact = iif(after_fact IN (SELECT number FROM fact), after_fact, NULL)`, lost)
}

// change changes the rows that meet a condition. Rows that were undamaged get a new
// checksum; damaged rows remain recognizable as damaged.
func (w *writer) change(t check.Summed, set, where string) error {
	update := `UPDATE ` + t.Table + ` SET ` + set + ` WHERE ` + where
	if w.survey.schema.version < sumsSince { // before there were checksums
		_, err := w.exec(update)
		return err
	}
	for _, statement := range []string{
		`CREATE TEMP TABLE sound AS SELECT number FROM main.` + t.Table + ` WHERE sum IS ` + t.Sum + ` AND ` + where,
		update,
		t.Write + `number IN (SELECT number FROM temp.sound)`,
		`DROP TABLE temp.sound`,
	} {
		if _, err := w.exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// counters sets the counters to numbers that are free.
func (w *writer) counters() error {
	const low, high = `(no << 40)`, `(no + 1 << 40) - 1`
	last := `0`
	for _, name := range []string{"fact", "turn", "turn_passage", "document", "section", "learning", "decision"} {
		if w.has(name) {
			last += `, coalesce((SELECT max(number) FROM ` + name + ` WHERE number BETWEEN ` + low + ` AND ` + high + `), 0)`
		}
	}
	_, err := w.exec(`UPDATE scope SET next = (max(` + last + `) & (1 << 40) - 1) + 1 WHERE no << 40 | next <= max(` + last + `)`)
	if err != nil {
		return err
	}
	if _, err := w.exec(`INSERT OR IGNORE INTO counter VALUES ('change', 0)`); err != nil {
		return err
	}
	change := `number & (1 << 40) - 1`
	if w.survey.schema.version < 16 { // before events had one number each
		change = `change`
	}
	_, err = w.exec(`UPDATE counter SET value = max(value, (SELECT coalesce(max(` + change + `), 0) FROM event)) WHERE name = 'change'`)
	return err
}
