package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
)

// Workspace returns the id kept for a workspace key; empty if none is.
func (t *tx) Workspace(ctx context.Context, key string) (string, error) {
	var id string
	err := t.queryRow(ctx, `SELECT id FROM workspace WHERE key = ?`, key).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, wrap("read workspace", err)
}

// WorkspaceKeys lists the keys that an id is kept for, in their order.
func (t *tx) WorkspaceKeys(ctx context.Context, id string) ([]string, error) {
	return collect(ctx, t, `SELECT key FROM workspace WHERE id = ? ORDER BY key`, []any{id}, scanText)
}

// PutWorkspace keeps the id of a workspace key. A key that has another id
// already is a conflict: whoever lost the race uses the id that is kept.
func (t *tx) PutWorkspace(ctx context.Context, key, id string) error {
	const op = "put workspace"
	if key == "" {
		return strata.Invalid(op, "the workspace key is empty", "name the workspace")
	}
	if err := strata.ValidateName("workspace id", id); err != nil {
		return err
	}
	kept, err := t.Workspace(ctx, key)
	switch {
	case err != nil:
		return err
	case kept == id:
		return nil
	case kept != "":
		return conflict(op, "the workspace has an id already")
	}
	_, err = t.exec(ctx, `INSERT INTO workspace (key, id, at) VALUES (?, ?, ?)`, key, id, micros(t.now))
	return wrap(op, err)
}
