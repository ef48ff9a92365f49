package sqlite

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// tombstoneHash returns what a tombstone stores of a text: a keyed hash.
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

// Forgotten reports whether there is a tombstone for the normal form of a text, and
// since when.
func (t *tx) Forgotten(ctx context.Context, scope strata.Scope, said *text.Analysis) (time.Time, bool, error) {
	const op = "look for tombstone"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return time.Time{}, false, wrap(op, err)
	}
	normal := said.Normal()
	hash, err := t.tombstoneHash(ctx, normal)
	if err != nil {
		return time.Time{}, false, wrap(op, err)
	}
	other, err := t.tombstoneHash(ctx, trimEndMark(normal))
	if err != nil {
		return time.Time{}, false, wrap(op, err)
	}
	var at int64
	err = t.queryRow(ctx, `SELECT at FROM tombstone WHERE scope_no = ? AND hash IN (?, ?) ORDER BY at LIMIT 1`, no, hash, other).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, false, nil
	}
	return fromMicros(at), err == nil, wrap(op, err)
}

// trimEndMark returns a normalized text without the punctuation that ends its sentence,
// which does not change what it says.
func trimEndMark(normal string) string { return strings.TrimRight(normal, ".!…") }

// putTombstone marks a normalized text as forgotten. A tombstone that exists keeps
// its time, but takes the new id.
func (t *tx) putTombstone(ctx context.Context, scopeNo int64, normalized, factID string) error {
	for _, s := range slices.Compact([]string{normalized, trimEndMark(normalized)}) {
		hash, err := t.tombstoneHash(ctx, s)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, `
			INSERT INTO tombstone (scope_no, hash, fact_id, at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET fact_id = excluded.fact_id`,
			scopeNo, hash, factID, micros(t.now))
		if err != nil {
			return err
		}
	}
	return nil
}

// Tombstones returns what was forgotten in a scope under a name or id.
func (t *tx) Tombstones(ctx context.Context, scope strata.Scope, name string) (store.Tombstones, error) {
	const op = "look for tombstones"
	out := store.Tombstones{ID: name}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return store.Tombstones{}, wrap(op, err)
	}
	named, err := t.tombstoneHash(ctx, text.Normalize(name))
	if err != nil {
		return store.Tombstones{}, wrap(op, err)
	}
	hashes := make(map[string]bool)
	err = t.eachRow(ctx, `SELECT hash, fact_id FROM tombstone WHERE scope_no = ?1
		AND fact_id = coalesce((SELECT fact_id FROM tombstone WHERE scope_no = ?1 AND hash = ?2), ?3)`, []any{no, named, name},
		func(scan scanner) error {
			var hash []byte
			err := scan(&hash, &out.ID)
			hashes[string(hash)] = true
			return err
		})
	if err != nil || len(hashes) == 0 {
		return store.Tombstones{}, wrap(op, err)
	}
	mac := hmac.New(sha256.New, *t.db.tombstoneKey.Load())
	out.Is = func(s string) bool {
		mac.Reset()
		mac.Write([]byte(text.Normalize(s))) // never fails
		return hashes[string(mac.Sum(nil))]
	}
	return out, nil
}
