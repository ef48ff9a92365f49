package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// SessionState returns the saved state of a session.
func (t *tx) SessionState(ctx context.Context, scope strata.Scope, session string) (store.State, error) {
	const op = "read session state"
	return inScopes(ctx, t, []strata.Scope{scope}, op, "state of session", session, func(_ strata.Scope, no int64) (store.State, error) {
		var st store.State
		var at int64
		var sum []byte
		err := t.queryRow(ctx, `SELECT at, sum, data FROM session_state WHERE scope_no = ? AND session = ?`, no, session).
			Scan(&at, &sum, &st.Data)
		if err != nil {
			return st, err
		}
		st.At = fromMicros(at)
		if got := sha256.Sum256(st.Data); !bytes.Equal(got[:], sum) {
			return store.State{}, &strata.Error{Code: strata.CodeCorrupt, Op: op, Message: "the state of session " + session + " is not what was saved",
				Hint: "set it aside and go on from the turns of the session"}
		}
		return st, nil
	})
}

// PutSessionState saves the state of a session.
func (t *tx) PutSessionState(ctx context.Context, scope strata.Scope, session string, data []byte) error {
	const op = "save session state"
	if len(data) > strata.MaxStateBytes {
		return &strata.Error{Code: strata.CodeTooLarge, Op: op,
			Message: fmt.Sprintf("the state has %d bytes, the limit is %d", len(data), strata.MaxStateBytes),
			Hint:    "save less: turns are kept anyway"}
	}
	no, err := t.sessionScope(ctx, op, scope, session)
	if err != nil {
		return err
	}
	if data == nil {
		data = []byte{}
	}
	sum := sha256.Sum256(data)
	_, err = t.exec(ctx, `
		INSERT INTO session_state (scope_no, session, at, sum, data) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET at = excluded.at, sum = excluded.sum, data = excluded.data`,
		no, session, micros(t.now), sum[:], data)
	return wrap(op, err)
}

// SetSessionStateAside removes the state from a session and keeps it among the
// states set aside.
func (t *tx) SetSessionStateAside(ctx context.Context, scope strata.Scope, session, reason string) error {
	const op = "set session state aside"
	no, err := t.sessionScope(ctx, op, scope, session)
	if err != nil {
		return err
	}
	number, err := t.lastNumber(ctx, "session_state_aside", no)
	if err != nil {
		return wrap(op, err)
	}
	res, err := t.exec(ctx, `
		INSERT INTO session_state_aside (number, scope_no, session, at, reason, data)
		SELECT ?, scope_no, session, at, ?, data FROM session_state WHERE scope_no = ? AND session = ?`,
		number+1, reason, no, session)
	if err != nil {
		return wrap(op, err)
	}
	if n, err := res.RowsAffected(); err != nil {
		return wrap(op, err)
	} else if n == 0 {
		return strata.NotFound(op, "state of session", session)
	}
	if _, err := t.exec(ctx, `DELETE FROM session_state WHERE scope_no = ? AND session = ?`, no, session); err != nil {
		return wrap(op, err)
	}
	_, err = t.exec(ctx, `
		DELETE FROM session_state_aside WHERE scope_no = ?1 AND session = ?2 AND number NOT IN (
			SELECT number FROM session_state_aside WHERE scope_no = ?1 AND session = ?2 ORDER BY number DESC LIMIT ?3)`,
		no, session, store.KeptAside)
	return wrap(op, err)
}

// StatesAside lists the states of a session that were set aside, newest first.
func (t *tx) StatesAside(ctx context.Context, scope strata.Scope, session string) ([]store.SetAside, error) {
	return inScope(ctx, t, scope, "list states set aside", func(no int64) ([]store.SetAside, error) {
		return collect(ctx, t, `
			SELECT at, reason, data FROM session_state_aside WHERE scope_no = ? AND session = ? ORDER BY number DESC`,
			[]any{no, session}, func(scan scanner) (store.SetAside, error) {
				var x store.SetAside
				var at int64
				err := scan(&at, &x.Reason, &x.Data)
				x.At = fromMicros(at)
				return x, err
			})
	})
}

// Snapshot returns the latest snapshot of a session.
func (t *tx) Snapshot(ctx context.Context, scope strata.Scope, session string) (strata.Snapshot, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read snapshot", "snapshot of session", session, func(_ strata.Scope, no int64) (strata.Snapshot, error) {
		return t.snapshot(ctx, scope, no, session)
	})
}

func (t *tx) snapshot(ctx context.Context, scope strata.Scope, no int64, session string) (strata.Snapshot, error) {
	x := strata.Snapshot{Scope: scope, Session: session}
	var at int64
	err := t.queryRow(ctx, `
		SELECT generation, created_at, text FROM snapshot
		WHERE scope_no = ? AND session = ? ORDER BY generation DESC LIMIT 1`, no, session).Scan(&x.Generation, &at, &x.Text)
	x.CreatedAt = fromMicros(at)
	return x, err
}

// PutSnapshot stores a snapshot of a session.
func (t *tx) PutSnapshot(ctx context.Context, x strata.Snapshot) (strata.Snapshot, error) {
	const op = "put snapshot"
	if err := x.Validate(); err != nil {
		return strata.Snapshot{}, err
	}
	no, err := t.sessionScope(ctx, op, x.Scope, x.Session)
	if err != nil {
		return strata.Snapshot{}, err
	}
	last, err := t.snapshot(ctx, x.Scope, no, x.Session)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return strata.Snapshot{}, wrap(op, err)
	}
	switch {
	case x.Generation == 0:
		x.Generation = last.Generation + 1
	case x.Generation == last.Generation && x.Text == last.Text:
		return last, nil
	case x.Generation <= last.Generation:
		return strata.Snapshot{}, conflict(op, fmt.Sprintf("session %s has a snapshot of generation %d", x.Session, last.Generation))
	}
	if x.CreatedAt.IsZero() {
		x.CreatedAt = t.now
	}
	x.CreatedAt = fromMicros(micros(x.CreatedAt))
	_, err = t.exec(ctx, `INSERT INTO snapshot (scope_no, session, generation, created_at, text) VALUES (?, ?, ?, ?, ?)`,
		no, x.Session, x.Generation, micros(x.CreatedAt), x.Text)
	if err != nil {
		return strata.Snapshot{}, wrap(op, err)
	}
	_, err = t.exec(ctx, `DELETE FROM snapshot WHERE scope_no = ? AND session = ? AND generation <= ?`,
		no, x.Session, x.Generation-store.KeptSnapshots)
	return x, wrap(op, err)
}
