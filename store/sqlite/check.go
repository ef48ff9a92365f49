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
	"github.com/strata-memory/strata/store/sqlite/check"
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

// checkRows looks for rows that contradict others.
func (t *tx) checkRows(ctx context.Context) ([]store.Problem, error) {
	var out []store.Problem
	for _, c := range check.Rows {
		rows, err := t.query(ctx, c.Query+` LIMIT ?`, maxProblems)
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
			p := store.Problem{Kind: c.Kind, Ref: f.ref, Detail: c.Detail}
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
