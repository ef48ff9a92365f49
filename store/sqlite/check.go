package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"strconv"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// maxProblems bounds how many problems of one kind Check lists.
const maxProblems = 100

// Check looks for damage and disagreement between tables. It reads everything.
func (db *DB) Check(ctx context.Context) ([]store.Problem, error) {
	var out []store.Problem
	// A connection that has searched before keeps the structure of the
	// full-text index in mind, and SQLite's check of that index, unlike a
	// search, does not look whether another connection has changed it since.
	err := db.viewAfresh(ctx, func(t *tx) error {
		for _, look := range []func(context.Context) ([]store.Problem, error){
			t.checkPages, t.checkReferences, t.checkRows, t.checkStates, t.checkTombstones, t.checkIndex,
		} {
			found, err := look(ctx)
			out = append(out, found...)
			if strata.CodeOf(wrap("", err)) == strata.CodeCorrupt {
				out = append(out, damage(err.Error()))
				return nil // what follows would trip over the same pages
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return out, wrap("check store", err)
}

func damage(detail string) store.Problem {
	return store.Problem{Kind: "damage", Detail: detail} // only a backup helps
}

// checkPages has SQLite check its own pages and indexes.
func (t *tx) checkPages(ctx context.Context) ([]store.Problem, error) {
	rows, err := t.query(ctx, `PRAGMA integrity_check(100)`)
	if err != nil {
		return nil, err
	}
	lines, err := collect(rows, func(scan scanner) (s string, err error) { return s, scan(&s) })
	if err != nil || len(lines) == 1 && lines[0] == "ok" {
		return nil, err
	}
	var out []store.Problem
	for _, line := range lines {
		out = append(out, damage(line))
	}
	return out, nil
}

// checkReferences looks for rows that refer to rows that are not there.
func (t *tx) checkReferences(ctx context.Context) ([]store.Problem, error) {
	rows, err := t.query(ctx, `PRAGMA foreign_key_check`)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (store.Problem, error) {
		var table, parent string
		var rowid, key sql.NullInt64
		err := scan(&table, &rowid, &parent, &key)
		return store.Problem{Kind: "missing_reference", Ref: strconv.FormatInt(rowid.Int64, 10),
			Detail: "a row of " + table + " refers to a row of " + parent + " that is not there"}, err
	})
}

// rowChecks are statements that yield a row (scope number, reference) for each
// problem.
var rowChecks = []struct {
	kind, detail, query string
}{
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
		SELECT scope_no, id FROM turn WHERE forgotten AND (images > 0 OR text <> '` + strata.ForgottenText + `')`},
	{"wrong_section_place", "the sections of the document do not count from 1, or one lies outside of its text", `
		SELECT d.scope_no, d.path FROM document d JOIN section c ON c.document = d.number
		GROUP BY d.number
		HAVING min(c.seq) <> 1 OR max(c.seq) <> count(*) OR count(DISTINCT c.seq) <> count(*)
			OR max(c.start + c.size) > octet_length(d.content) OR max(c.scope_no <> d.scope_no)`},
	// A document that is gone may come back, and a decision remembers its id.
	{"stray_access", "accesses are counted of a fact or document that never was", `
		SELECT a.scope_no, a.memory_id FROM access a
		WHERE NOT EXISTS (SELECT 1 FROM fact f WHERE f.scope_no = a.scope_no AND f.id = a.memory_id)
			AND NOT EXISTS (SELECT 1 FROM document d WHERE d.scope_no = a.scope_no AND d.id = a.memory_id)
			AND NOT EXISTS (SELECT 1 FROM decision c WHERE c.scope_no = a.scope_no AND c.path <> ''
				AND a.memory_id IN (nullif(c.before, '') ->> '$.id', nullif(c.after, '') ->> '$.id'))`},
}

func (t *tx) checkRows(ctx context.Context) ([]store.Problem, error) {
	var out []store.Problem
	for _, c := range rowChecks {
		rows, err := t.query(ctx, c.query+` LIMIT ?`, maxProblems)
		if err != nil {
			return out, err
		}
		type found struct {
			scopeNo int64
			ref     string
		}
		list, err := collect(rows, func(scan scanner) (f found, err error) { return f, scan(&f.scopeNo, &f.ref) })
		if err != nil {
			return out, err
		}
		for _, f := range list {
			p := store.Problem{Kind: c.kind, Ref: f.ref, Detail: c.detail}
			if f.scopeNo != 0 {
				if p.Scope, err = t.scopeKey(ctx, f.scopeNo); err != nil {
					return out, err
				}
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// checkStates looks for saved states that are not what was saved.
func (t *tx) checkStates(ctx context.Context) ([]store.Problem, error) {
	rows, err := t.query(ctx, `
		SELECT s.key, x.session, x.sum, x.data FROM session_state x JOIN scope s ON s.no = x.scope_no`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []store.Problem
	for rows.Next() && len(out) < maxProblems {
		var key, session string
		var sum, data []byte
		if err := rows.Scan(&key, &session, &sum, &data); err != nil {
			return out, err
		}
		if got := sha256.Sum256(data); !bytes.Equal(got[:], sum) {
			out = append(out, store.Problem{Kind: "damaged_state", Scope: key, Ref: session,
				Detail: "the saved state of the session is damaged; it will be set aside, and the session goes on from its turns"})
		}
	}
	return out, rows.Err()
}

// scopeKey names a scope for a report; empty if it is not there.
func (t *tx) scopeKey(ctx context.Context, no int64) (string, error) {
	var key string
	err := t.queryRow(ctx, `SELECT key FROM scope WHERE no = ?`, no).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return key, err
}

// checkTombstones looks for forgotten texts that came back by themselves.
func (t *tx) checkTombstones(ctx context.Context) ([]store.Problem, error) {
	rows, err := t.query(ctx, factSelect+`
		WHERE f.retired_at IS NULL AND f.scope_no IN (SELECT scope_no FROM tombstone)`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []store.Problem
	for rows.Next() && len(out) < maxProblems {
		f, err := scanFact(rows.Scan)
		if err != nil {
			return out, err
		}
		if f.Origin.Explicit() {
			continue
		}
		if _, forgotten, err := t.Forgotten(ctx, f.Scope, f.Text); err != nil {
			return out, err
		} else if forgotten {
			out = append(out, store.Problem{Kind: "forgotten_text_returned", Scope: f.Scope.Key(), Ref: f.ID,
				Detail: "a text that was forgotten is current again, and nobody asked for it",
				Repair: "strata forget " + f.ID})
		}
	}
	return out, rows.Err()
}
