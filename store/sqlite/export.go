package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// outstanding is the condition of index session_unexported.
const outstanding = `x.closed_at IS NOT NULL AND x.exported_at IS NULL AND x.export_aside = ''`

// unexportedSelect reads sessions for scanUnexported. A condition on x follows.
const unexportedSelect = `
	SELECT x.id, s.key, x.kind, x.parent, x.started_at, x.closed_at, x.turns, x.revision
	FROM session x
	JOIN scope s ON s.no = x.scope_no
	WHERE ` + outstanding

func scanUnexported(scan scanner) (store.Unexported, error) {
	var u store.Unexported
	var err error
	u.Session, err = scanSession(func(dest ...any) error { return scan(append(dest, &u.Revision)...) })
	return u, err
}

// Unexported lists closed sessions whose transcript is outstanding.
func (t *tx) Unexported(ctx context.Context, limit int) ([]store.Unexported, error) {
	const op = "list sessions without transcript"
	rows, err := t.query(ctx, unexportedSelect+` ORDER BY x.scope_no, x.id LIMIT ?`, clampLimit(limit))
	if err != nil {
		return nil, wrap(op, err)
	}
	list, err := collect(rows, scanUnexported)
	return list, wrap(op, err)
}

// UnexportedSession returns a session if its transcript is outstanding.
func (t *tx) UnexportedSession(ctx context.Context, scope strata.Scope, session string) (store.Unexported, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read session", "session without transcript", session,
		func(no int64) (store.Unexported, error) {
			return scanUnexported(t.queryRow(ctx, unexportedSelect+` AND x.scope_no = ? AND x.id = ?`, no, session).Scan)
		})
}

// TranscriptsAside lists the sessions whose transcript was given up.
func (t *tx) TranscriptsAside(ctx context.Context, scope strata.Scope) (map[string]string, error) {
	const op = "list transcripts given up"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, wrap(op, err)
	}
	rows, err := t.query(ctx, `SELECT id, export_aside FROM session WHERE scope_no = ? AND export_aside <> ''`, no)
	if err != nil {
		return nil, wrap(op, err)
	}
	out := make(map[string]string)
	_, err = collect(rows, func(scan scanner) (struct{}, error) {
		var id, reason string
		err := scan(&id, &reason)
		out[id] = reason
		return struct{}{}, err
	})
	return out, wrap(op, err)
}

// StampTranscript records what became of a transcript.
func (t *tx) StampTranscript(ctx context.Context, scope strata.Scope, session string, revision int64, setAside string) (bool, error) {
	const op = "stamp transcript"
	no, err := t.sessionScope(ctx, op, scope, session)
	if err != nil {
		return false, err
	}
	var now any
	if setAside == "" {
		now = micros(t.now)
	}
	var stamped int
	err = t.queryRow(ctx, `
		UPDATE session AS x SET exported_at = ?, export_aside = ?
		WHERE x.scope_no = ? AND x.id = ? AND x.revision = ? AND x.closed_at IS NOT NULL
		RETURNING 1`, now, setAside, no, session, revision).Scan(&stamped)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, wrap(op, err)
}
