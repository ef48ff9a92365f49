// Package extraction keeps the sessions whose turns wait for their facts: what waits, who
// reads it under which lease, and what was given up.
package extraction

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// patience is how long a session waits before it comes ahead of newer ones.
const patience = time.Hour

// Table is the table in one transaction.
type Table struct {
	Query func(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	Exec  func(ctx context.Context, query string, args ...any) (sql.Result, error)
	Now   time.Time // of the transaction
}

// columns are what scan reads.
const columns = `SELECT s.key, x.session, x.extractor, x.after, x.queued_at, x.owner, x.lease_until, x.attempts, x.retry_at, x.last_error, x.dead_at
	FROM extraction x JOIN scope s ON s.no = x.scope_no `

// The parameters of a query that names the moment: ?1 is now, ?2 what patience looks
// back to, ?3 and ?4 the furthest that a lease and a time to try again may lie ahead.
const (
	// due selects what may be claimed. A time that lies too far ahead was set before the
	// clock went back.
	due = `x.dead_at IS NULL AND (x.owner = '' OR x.lease_until <= ?1 OR x.lease_until > ?3) AND (x.retry_at <= ?1 OR x.retry_at > ?4)`
	// inTurn has what waited too long first, the longest before others, then the newest.
	inTurn = ` ORDER BY x.queued_at > ?2, CASE WHEN x.queued_at <= ?2 THEN x.queued_at ELSE -x.queued_at END, x.scope_no, x.session, x.extractor`
)

// moment are the first four parameters of such a query.
func (t Table) moment() []any {
	return []any{
		micros(t.Now), micros(t.Now.Add(-patience)), micros(t.Now.Add(store.MaxExtractionLease)), micros(t.Now.Add(store.MaxExtractionPause)),
	}
}

// List lists up to limit sessions.
func (t Table) List(ctx context.Context, f store.ExtractionFilter, limit int) ([]store.Extraction, error) {
	which := `?1 AND ?2 AND ?3 AND ?4 AND x.dead_at IS NULL`
	switch {
	case f.Dead:
		which = `?1 AND ?2 AND ?3 AND ?4 AND x.dead_at IS NOT NULL`
	case f.Due:
		which = due
	}
	scopes := "" // any
	if f.Scopes != nil {
		keys := make([]string, len(f.Scopes))
		for i, s := range f.Scopes {
			keys[i] = s.Key()
		}
		list, err := json.Marshal(keys)
		if err != nil {
			return nil, err
		}
		scopes = string(list)
	}
	return t.read(ctx, columns+`
		WHERE (?5 = '' OR x.extractor = ?5) AND (?6 = '' OR x.session = ?6) AND (?7 = '' OR s.key IN (SELECT value FROM json_each(?7))) AND `+
		which+inTurn+` LIMIT ?8`, append(t.moment(), f.Extractor, f.Session, scopes, limit)...)
}

// Get returns one session as it stands; not_found if nothing of it waits.
func (t Table) Get(ctx context.Context, x store.Extraction) (store.Extraction, error) {
	list, err := t.read(ctx, columns+`WHERE s.key = ? AND x.session = ? AND x.extractor = ?`, x.Scope.Key(), x.Session, x.Extractor)
	return first("read extraction", x.Session, list, err)
}

// revived are the columns of one that never failed.
const revived = `attempts = 0, last_error = '', dead_at = NULL`

// Queue has an extractor read what follows the last turn of a session, not before a
// time. That of one that waits for its time without having failed is moved.
func (t Table) Queue(ctx context.Context, scopeNo int64, session string, by store.Extractor, from time.Time) error {
	_, err := t.Exec(ctx, `
		INSERT INTO extraction (scope_no, session, extractor, after, queued_at, retry_at)
		VALUES (?1, ?2, ?3, (SELECT coalesce(max(seq), 0) FROM turn WHERE scope_no = ?1 AND session = ?2), ?4, ?5)
		ON CONFLICT DO UPDATE SET `+revived+`, retry_at = ?5 WHERE dead_at IS NOT NULL OR attempts = 0 AND retry_at > 0`,
		scopeNo, session, by, micros(t.Now), micros(from))
	return err
}

// Restart has an extractor read a session from its first turn.
func (t Table) Restart(ctx context.Context, scopeNo int64, session string, by store.Extractor) error {
	_, err := t.Exec(ctx, `
		INSERT INTO extraction (scope_no, session, extractor, after, queued_at) VALUES (?1, ?2, ?3, 0, ?4)
		ON CONFLICT DO UPDATE SET after = 0, queued_at = ?4, owner = '', lease_until = 0, retry_at = 0, `+revived, scopeNo, session, by, micros(t.Now))
	return err
}

// Claim gives the next session to a worker; not_found if there is none.
func (t Table) Claim(ctx context.Context, c store.ExtractionClaim) (store.Extraction, error) {
	scope, session := "", ""
	if c.Only != nil {
		scope, session = c.Only.Scope.Key(), c.Only.Session
	}
	list, err := t.read(ctx, columns+`WHERE x.extractor = ?5 AND (?6 = '' OR s.key = ?6 AND x.session = ?7) AND `+due+inTurn+` LIMIT 1`,
		append(t.moment(), c.Extractor, scope, session)...)
	x, err := first("claim extraction", session, list, err)
	if err != nil {
		return x, err
	}
	x.Owner, x.LeaseUntil = c.Owner, t.until(c.Lease)
	_, err = t.Exec(ctx, `UPDATE extraction SET owner = ?4, lease_until = ?5`+only, append(row(x), x.Owner, micros(x.LeaseUntil))...)
	return x, err
}

// until is when a lease that begins now ends.
func (t Table) until(lease time.Duration) time.Time {
	return t.Now.Add(min(lease, store.MaxExtractionLease))
}

// Hold renews the lease of the owner.
func (t Table) Hold(ctx context.Context, x store.Extraction, lease time.Duration) error {
	return t.changeOwned(ctx, "hold extraction", x, `lease_until = ?5`, micros(t.until(lease)))
}

// Move records how far a session was read, and ends it at its last turn.
func (t Table) Move(ctx context.Context, x store.Extraction) error {
	err := t.changeOwned(ctx, "move extraction", x, `after = max(after, ?5), retry_at = 0, `+revived, x.After)
	if err == nil {
		_, err = t.Exec(ctx, `DELETE FROM extraction`+only+`
			AND after >= (SELECT coalesce(max(seq), 0) FROM turn WHERE scope_no = extraction.scope_no AND session = ?2)`, row(x)...)
	}
	return err
}

// Release gives the lease up and records what became of the attempt.
func (t Table) Release(ctx context.Context, x store.Extraction) error {
	var dead any
	if x.DeadAt != nil {
		dead = micros(*x.DeadAt)
	}
	return t.changeOwned(ctx, "release extraction", x, `owner = '', lease_until = 0, attempts = ?5, retry_at = ?6, last_error = ?7, dead_at = ?8`,
		x.Attempts, micros(x.RetryAt), x.LastError, dead)
}

// Revive has one that failed wait as if it had not; not_found if it did not.
func (t Table) Revive(ctx context.Context, x store.Extraction) error {
	return t.changeFailed(ctx, "revive extraction", x, `UPDATE extraction SET queued_at = ?4, retry_at = 0, `+revived+only+` AND (attempts > 0 OR dead_at IS NOT NULL)`, micros(t.Now))
}

// Drop ends one that was given up; not_found if it was not.
func (t Table) Drop(ctx context.Context, x store.Extraction) error {
	return t.changeFailed(ctx, "drop extraction", x, `DELETE FROM extraction`+only+` AND dead_at IS NOT NULL`)
}

// only selects one session, by the parameters that row gives.
const only = ` WHERE scope_no = (SELECT no FROM scope WHERE key = ?1) AND session = ?2 AND extractor = ?3`

func row(x store.Extraction) []any { return []any{x.Scope.Key(), x.Session, x.Extractor} }

// changeOwned changes a session for its owner, by a list of assignments whose parameters begin
// at ?5. Nobody, the empty owner, may find that all is read already; a worker that finds
// another in its place has lost its lease.
func (t Table) changeOwned(ctx context.Context, op string, x store.Extraction, set string, args ...any) error {
	changed, err := t.change(ctx, `UPDATE extraction SET `+set+only+` AND owner = ?4`, append(append(row(x), x.Owner), args...)...)
	if err != nil || changed {
		return err
	}
	if _, err := t.Get(ctx, x); x.Owner == "" && strata.CodeOf(err) == strata.CodeNotFound {
		return nil
	}
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: "session " + x.Session + " is no longer this worker's to read",
		Hint: "leave it to whoever claimed it"}
}

// changeFailed changes one session by a statement that finds it only where it failed.
func (t Table) changeFailed(ctx context.Context, op string, x store.Extraction, query string, args ...any) error {
	changed, err := t.change(ctx, query, append(row(x), args...)...)
	if err == nil && !changed {
		err = strata.NotFound(op, "failed extraction of session", x.Session)
	}
	return err
}

// change runs a statement and reports whether it found a row.
func (t Table) change(ctx context.Context, query string, args ...any) (bool, error) {
	res, err := t.Exec(ctx, query, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// read runs a query of columns.
func (t Table) read(ctx context.Context, query string, args ...any) ([]store.Extraction, error) {
	rows, err := t.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []store.Extraction
	for rows.Next() {
		x, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, rows.Err()
}

// scan reads a row of columns.
func scan(rows *sql.Rows) (x store.Extraction, err error) {
	var key string
	var queued, lease, retry int64
	var gone sql.NullInt64
	err = rows.Scan(&key, &x.Session, &x.Extractor, &x.After, &queued, &x.Owner, &lease, &x.Attempts, &retry, &x.LastError, &gone)
	if err != nil {
		return x, err
	}
	x.QueuedAt, x.LeaseUntil, x.RetryAt = fromMicros(queued), fromMicros(lease), fromMicros(retry)
	if gone.Valid {
		at := fromMicros(gone.Int64)
		x.DeadAt = &at
	}
	x.Scope, err = strata.ParseScope(key)
	return x, err
}

// first is the first of a list; not_found if it is empty.
func first(op, session string, list []store.Extraction, err error) (store.Extraction, error) {
	if err != nil {
		return store.Extraction{}, err
	}
	if len(list) == 0 {
		return store.Extraction{}, strata.NotFound(op, "extraction of session", session)
	}
	return list[0], nil
}

// micros is a time as it is stored; the zero time is 0.
func micros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro()
}

// fromMicros is the inverse of micros.
func fromMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
