package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// sessionSelect reads sessions for scanSession. The caller appends a condition on x.
const sessionSelect = `
	SELECT x.id, s.key, x.kind, x.parent, x.started_at, x.closed_at, x.turns
	FROM session x
	JOIN scope s ON s.no = x.scope_no
	`

// scanSession reads a row of sessionSelect.
func scanSession(scan scanner) (strata.Session, error) {
	var x strata.Session
	var key string
	var started int64
	var closed sql.NullInt64
	if err := scan(&x.ID, &key, &x.Kind, &x.Parent, &started, &closed, &x.Turns); err != nil {
		return x, err
	}
	x.StartedAt, x.ClosedAt = fromMicros(started), fromNullMicros(closed)
	var err error
	x.Scope, err = strata.ParseScope(key)
	return x, err
}

// Session returns a session of the scope. It has a short query of its own because it
// is called before every turn.
func (t *tx) Session(ctx context.Context, scope strata.Scope, id string) (strata.Session, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read session", "session", id, func(_ strata.Scope, no int64) (strata.Session, error) {
		x := strata.Session{ID: id, Scope: scope}
		var started int64
		var closed sql.NullInt64
		err := t.queryRow(ctx, `SELECT kind, parent, started_at, closed_at, turns FROM session WHERE scope_no = ? AND id = ?`, no, id).
			Scan(&x.Kind, &x.Parent, &started, &closed, &x.Turns)
		x.StartedAt, x.ClosedAt = fromMicros(started), fromNullMicros(closed)
		return x, err
	})
}

// Sessions lists the sessions of a scope, newest first.
func (t *tx) Sessions(ctx context.Context, scope strata.Scope, f store.SessionFilter) ([]strata.Session, error) {
	const op = "list sessions"
	return inScope(ctx, t, scope, op, func(no int64) ([]strata.Session, error) {
		condition, args := `WHERE x.scope_no = ?`, []any{no}
		if f.Parent != "" {
			condition += ` AND x.parent = ? AND x.parent <> ''`
			args = append(args, f.Parent)
		}
		if f.Kind != "" {
			condition += ` AND x.kind = ?`
			args = append(args, f.Kind)
		}
		if f.After != "" {
			var started int64
			err := t.queryRow(ctx, `SELECT started_at FROM session WHERE scope_no = ? AND id = ?`, no, f.After).Scan(&started)
			if errors.Is(err, sql.ErrNoRows) {
				return nil, strata.NotFound(op, "session", f.After)
			}
			if err != nil {
				return nil, err
			}
			condition += ` AND (x.started_at, x.id) < (?, ?)`
			args = append(args, started, f.After)
		}
		return collect(ctx, t, sessionSelect+condition+` ORDER BY x.started_at DESC, x.id DESC LIMIT ?`, append(args, clampLimit(f.Limit)), scanSession)
	})
}

// OpenSession inserts a session unless it exists. It sets StartedAt to the time of
// the transaction if it is zero, and ignores Turns.
func (t *tx) OpenSession(ctx context.Context, x strata.Session) error {
	if err := x.Validate(); err != nil {
		return err
	}
	if x.Kind == "" {
		x.Kind = strata.SessionMain
	}
	if x.StartedAt.IsZero() {
		x.StartedAt = t.now
	}
	return t.execScope(ctx, "open session", x.Scope, `
		INSERT INTO session (scope_no, id, kind, parent, started_at, closed_at, turns, transcript, export_aside, revision)
		VALUES (?, ?, ?, ?, ?, ?, 0, '', '', 0)
		ON CONFLICT DO NOTHING`, x.ID, x.Kind, x.Parent, micros(x.StartedAt), nullMicros(x.ClosedAt))
}

// CloseSession sets ClosedAt, to the time of the transaction if at is zero. A closed
// session stays as it is.
func (t *tx) CloseSession(ctx context.Context, scope strata.Scope, id string, at time.Time) error {
	const op = "close session"
	no, err := t.sessionScope(ctx, op, scope, id)
	if err != nil {
		return err
	}
	if at.IsZero() {
		at = t.now
	}
	_, err = t.exec(ctx, `UPDATE session SET closed_at = coalesce(closed_at, ?) WHERE scope_no = ? AND id = ?`,
		micros(at), no, id)
	return wrap(op, err)
}

// sessionScope returns the number of the scope that owns a session, or not_found.
func (t *tx) sessionScope(ctx context.Context, op string, scope strata.Scope, id string) (int64, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return 0, wrap(op, err)
	}
	var known int
	if ok {
		err = t.queryRow(ctx, `SELECT 1 FROM session WHERE scope_no = ? AND id = ?`, no, id).Scan(&known)
	}
	if !ok || errors.Is(err, sql.ErrNoRows) {
		return 0, strata.NotFound(op, "session", id)
	}
	return no, wrap(op, err)
}
