package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
)

// turnSelect reads turns for scanTurn. A condition on t follows.
const turnSelect = `SELECT ` + turnColumns + ` FROM turn t ` + turnJoins

// turnColumns are those of scanTurn, turnJoins what they need beside turn t.
const turnColumns = `t.id, s.key, t.session, t.seq, t.role, t.speaker, t.said_at, t.recorded_at, t.redacted, t.forgotten, t.text`

const turnJoins = `
	JOIN scope s ON s.no = t.scope_no
	`

// scanTurn reads a row of turnSelect.
func scanTurn(scan scanner) (strata.Turn, error) {
	var u strata.Turn
	var key string
	var said, recorded int64
	err := scan(&u.ID, &key, &u.Session, &u.Seq, &u.Role, &u.Speaker, &said, &recorded, &u.Redacted, &u.Forgotten, &u.Text)
	if err != nil {
		return u, err
	}
	u.At, u.RecordedAt = fromMicros(said), fromMicros(recorded)
	u.Scope, err = strata.ParseScope(key)
	return u, err
}

// Turn returns a turn that one of the scopes owns.
func (t *tx) Turn(ctx context.Context, scopes []strata.Scope, id string) (strata.Turn, error) {
	return inScopes(ctx, t, scopes, "read turn", "turn", id, func(no int64) (strata.Turn, error) {
		return scanTurn(t.queryRow(ctx, turnSelect+`WHERE t.id = ? AND t.scope_no = ?`, id, no).Scan)
	})
}

// Turns returns up to limit turns of a session after a sequence number.
func (t *tx) Turns(ctx context.Context, scope strata.Scope, session string, after int64, limit int) ([]strata.Turn, error) {
	if limit <= 0 {
		limit = -1 // SQLite's word for all
	}
	return inScope(ctx, t, scope, "list turns", func(no int64) ([]strata.Turn, error) {
		rows, err := t.query(ctx, turnSelect+`WHERE t.scope_no = ? AND t.session = ? AND t.seq > ? ORDER BY t.seq LIMIT ?`,
			no, session, after, limit)
		if err != nil {
			return nil, err
		}
		return collect(rows, scanTurn)
	})
}

// AppendTurn inserts a turn into an open session and returns it with its
// sequence number and times set, and its passage number. At and RecordedAt are
// set to the time of the transaction where they are zero.
func (t *tx) AppendTurn(ctx context.Context, u strata.Turn) (strata.Turn, int64, error) {
	const op = "append turn"
	number, err := t.appendTurn(ctx, &u)
	if err != nil {
		return strata.Turn{}, 0, wrap(op, err)
	}
	return u, number, nil
}

func (t *tx) appendTurn(ctx context.Context, u *strata.Turn) (int64, error) {
	const op = "append turn"
	if err := u.Validate(); err != nil {
		return 0, err
	}
	if err := strata.ValidateName("turn id", u.ID); err != nil {
		return 0, err
	}
	no, ok, err := t.scopeNo(ctx, u.Scope, false)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, strata.NotFound(op, "session", u.Session)
	}
	if u.Seq == 0 {
		err := t.queryRow(ctx, `SELECT coalesce(max(seq), 0) + 1 FROM turn WHERE scope_no = ? AND session = ?`,
			no, u.Session).Scan(&u.Seq)
		if err != nil {
			return 0, err
		}
	}
	if u.At.IsZero() {
		u.At = t.now
	}
	if u.RecordedAt.IsZero() {
		u.RecordedAt = t.now
	}
	// The caller gets the times as they are stored.
	u.At, u.RecordedAt = fromMicros(micros(u.At)), fromMicros(micros(u.RecordedAt))
	res, err := t.exec(ctx, `UPDATE session SET turns = turns + 1 WHERE scope_no = ? AND id = ?`, no, u.Session)
	if err != nil {
		return 0, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return 0, strata.NotFound(op, "session", u.Session)
	}
	number, err := t.nextNumber(ctx, no)
	if err != nil {
		return 0, err
	}
	_, err = t.exec(ctx, `
		INSERT INTO turn (number, scope_no, id, session, seq, role, speaker, said_at, recorded_at, redacted, forgotten, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number, no, u.ID, u.Session, u.Seq, u.Role, u.Speaker, micros(u.At), micros(u.RecordedAt), u.Redacted, u.Forgotten, u.Text)
	if isConstraint(err) {
		return 0, conflict(op, "the session has a turn with this number or id already")
	}
	return number, err
}

const sessionSelect = `
	SELECT x.id, s.key, x.kind, x.started_at, x.closed_at, x.turns
	FROM session x
	JOIN scope s ON s.no = x.scope_no
	`

func scanSession(scan scanner) (strata.Session, error) {
	var x strata.Session
	var key string
	var started int64
	var closed sql.NullInt64
	if err := scan(&x.ID, &key, &x.Kind, &started, &closed, &x.Turns); err != nil {
		return x, err
	}
	x.StartedAt, x.ClosedAt = fromMicros(started), fromNullMicros(closed)
	var err error
	x.Scope, err = strata.ParseScope(key)
	return x, err
}

// Session returns a session of the scope.
func (t *tx) Session(ctx context.Context, scope strata.Scope, id string) (strata.Session, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read session", "session", id, func(no int64) (strata.Session, error) {
		return scanSession(t.queryRow(ctx, sessionSelect+`WHERE x.scope_no = ? AND x.id = ?`, no, id).Scan)
	})
}

// Sessions lists the sessions of a scope, newest first.
func (t *tx) Sessions(ctx context.Context, scope strata.Scope, limit int) ([]strata.Session, error) {
	return inScope(ctx, t, scope, "list sessions", func(no int64) ([]strata.Session, error) {
		rows, err := t.query(ctx, sessionSelect+`WHERE x.scope_no = ? ORDER BY x.started_at DESC, x.id DESC LIMIT ?`,
			no, clampLimit(limit))
		if err != nil {
			return nil, err
		}
		return collect(rows, scanSession)
	})
}

// OpenSession inserts a session unless it exists. StartedAt is set to the time
// of the transaction where it is zero; Turns is not taken from the caller.
func (t *tx) OpenSession(ctx context.Context, x strata.Session) error {
	const op = "open session"
	if err := strata.ValidateName("session", x.ID); err != nil {
		return err
	}
	if err := x.Kind.Validate(); err != nil {
		return err
	}
	if x.Kind == "" {
		x.Kind = strata.SessionMain
	}
	if x.StartedAt.IsZero() {
		x.StartedAt = t.now
	}
	no, _, err := t.scopeNo(ctx, x.Scope, true)
	if err != nil {
		return wrap(op, err)
	}
	_, err = t.exec(ctx, `
		INSERT INTO session (scope_no, id, kind, started_at, closed_at, turns) VALUES (?, ?, ?, ?, ?, 0)
		ON CONFLICT DO NOTHING`, no, x.ID, x.Kind, micros(x.StartedAt), nullMicros(x.ClosedAt))
	return wrap(op, err)
}

// CloseSession sets ClosedAt. A session that is closed already stays as it is.
func (t *tx) CloseSession(ctx context.Context, scope strata.Scope, id string) error {
	const op = "close session"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return wrap(op, err)
	}
	var known int
	if ok {
		err = t.queryRow(ctx, `SELECT 1 FROM session WHERE scope_no = ? AND id = ?`, no, id).Scan(&known)
	}
	if !ok || errors.Is(err, sql.ErrNoRows) {
		return strata.NotFound(op, "session", id)
	}
	if err != nil {
		return wrap(op, err)
	}
	_, err = t.exec(ctx, `UPDATE session SET closed_at = coalesce(closed_at, ?) WHERE scope_no = ? AND id = ?`,
		micros(t.now), no, id)
	return wrap(op, err)
}
