package sqlite

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"errors"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store/sqlite/migration"
)

// tombstoneHash is what a tombstone keeps of a text.
func (t *tx) tombstoneHash(ctx context.Context, normalized string) ([]byte, error) {
	if t.db.tombstoneKey.Load() == nil {
		var key []byte
		if err := t.queryRow(ctx, `SELECT value FROM meta WHERE name = ?`, migration.TombstoneKey).Scan(&key); err != nil {
			return nil, err
		}
		t.db.tombstoneKey.Store(&key)
	}
	mac := hmac.New(sha256.New, *t.db.tombstoneKey.Load())
	mac.Write([]byte(normalized)) // never fails
	return mac.Sum(nil), nil
}

// Forgotten reports whether a tombstone stands for the normalized text of s.
func (t *tx) Forgotten(ctx context.Context, scope strata.Scope, s string) (time.Time, bool, error) {
	const op = "look for tombstone"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return time.Time{}, false, wrap(op, err)
	}
	hash, err := t.tombstoneHash(ctx, text.Normalize(s))
	if err != nil {
		return time.Time{}, false, wrap(op, err)
	}
	var at int64
	err = t.queryRow(ctx, `SELECT at FROM tombstone WHERE scope_no = ? AND hash = ?`, no, hash).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, false, nil
	}
	return fromMicros(at), err == nil, wrap(op, err)
}

// putTombstone marks a normalized text as forgotten. The first time stays.
func (t *tx) putTombstone(ctx context.Context, scopeNo int64, normalized, factID string) error {
	hash, err := t.tombstoneHash(ctx, normalized)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		INSERT INTO tombstone (scope_no, hash, fact_id, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		scopeNo, hash, factID, micros(t.now))
	return err
}
