package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/store"
)

// Workspace returns the id stored for a workspace key, or "" if there is none.
func (t *tx) Workspace(ctx context.Context, key string) (string, error) {
	var id string
	err := t.queryRow(ctx, `SELECT id FROM workspace WHERE key = ?`, key).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, wrap("read workspace", err)
}

// WorkspaceKeys lists the keys that an id is stored for, in order.
func (t *tx) WorkspaceKeys(ctx context.Context, id string) ([]string, error) {
	return collect(ctx, t, `SELECT key FROM workspace WHERE id = ? ORDER BY key`, []any{id}, scanText)
}

// PutWorkspace stores the id of a workspace key. It fails with conflict if the key
// already has another id, which the caller should then use.
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

// Trusted returns the hashes of the trusted versions of a file, the newest first.
func (t *tx) Trusted(ctx context.Context, scope strata.Scope, path string) ([]string, error) {
	return inScope(ctx, t, scope, "read what is trusted", func(no int64) ([]string, error) {
		return collect(ctx, t, `SELECT hash FROM trusted_file WHERE scope_no = ? AND path = ? ORDER BY at DESC, hash`, []any{no, path}, scanText)
	})
}

// TrustDocument records whether a version of a document is trusted.
func (t *tx) TrustDocument(ctx context.Context, scope strata.Scope, path, hash string, trusted bool) error {
	const op = "trust document"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return wrap(op, err)
	}
	var number int64
	var now string
	if ok {
		err = t.queryRow(ctx, `SELECT number, hash FROM document WHERE scope_no = ? AND path = ?`, no, path).Scan(&number, &now)
	}
	switch {
	case !ok, errors.Is(err, sql.ErrNoRows):
		return strata.NotFound(op, "document", path)
	case err != nil:
		return wrap(op, err)
	case now != hash:
		return conflict(op, path+" has changed since it was shown")
	}
	if _, err = t.exec(ctx, `UPDATE document SET is_foreign = ? WHERE number = ?`, !trusted, number); err != nil {
		return wrap(op, err)
	}
	if err := t.sum(ctx, check.Document, number); err != nil {
		return wrap(op, err)
	}
	if trusted {
		return wrap(op, t.trustFile(ctx, no, path, hash))
	}
	_, err = t.exec(ctx, `DELETE FROM trusted_file WHERE scope_no = ? AND path = ? AND hash = ?`, no, path, hash)
	return wrap(op, err)
}

// trustFile records a version of a file as trusted, as the newest of its path, and
// drops the oldest ones beyond the limit.
func (t *tx) trustFile(ctx context.Context, scopeNo int64, path, hash string) error {
	_, err := t.exec(ctx, `
		INSERT INTO trusted_file (scope_no, path, hash, at) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT DO UPDATE SET at = excluded.at`, scopeNo, path, hash, micros(t.now))
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		DELETE FROM trusted_file WHERE scope_no = ?1 AND path = ?2 AND hash IN (
			SELECT hash FROM trusted_file WHERE scope_no = ?1 AND path = ?2 ORDER BY hash = ?3 DESC, at DESC, hash LIMIT -1 OFFSET ?4)`,
		scopeNo, path, hash, store.TrustedVersions)
	return err
}

// distrustPath forgets which versions of a file are trusted.
func (t *tx) distrustPath(ctx context.Context, scopeNo int64, path string) error {
	_, err := t.exec(ctx, `DELETE FROM trusted_file WHERE scope_no = ? AND path = ?`, scopeNo, path)
	return err
}

// ScopeSeen reports whether the files of a workspace scope were looked at before, or
// were made here.
func (t *tx) ScopeSeen(ctx context.Context, scope strata.Scope) (seen bool, err error) {
	err = t.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM seen_scope WHERE key = ?1 OR key = ?2 AND made)`,
		scope.Key(), strata.InWorkspace(scope.Workspace).Key()).Scan(&seen)
	return seen, wrap("read scope", err)
}

// SeeScope records that the files of a workspace scope were looked at, or were made
// here.
func (t *tx) SeeScope(ctx context.Context, scope strata.Scope, made bool) error {
	const op = "see scope"
	if err := scope.Validate(); err != nil {
		return err
	}
	if scope.Workspace == "" {
		return strata.Invalid(op, scope.Key()+" is of no workspace", "name the scope of a workspace")
	}
	_, err := t.exec(ctx, `
		INSERT INTO seen_scope (key, made, at) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET made = excluded.made OR made`, scope.Key(), made, micros(t.now))
	return wrap(op, err)
}
