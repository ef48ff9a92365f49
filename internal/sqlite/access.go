package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// isMemory is the condition that a scope, ?1, has a fact or document with an id, ?2.
const isMemory = `(EXISTS (SELECT 1 FROM fact WHERE scope_no = ?1 AND id = ?2) OR EXISTS (SELECT 1 FROM document WHERE scope_no = ?1 AND id = ?2))`

// RecordAccess adds one access to each fact and document that exists.
func (t *tx) RecordAccess(ctx context.Context, scope strata.Scope, ids []string) error {
	const op = "record access"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return wrap(op, err)
	}
	for _, id := range ids {
		_, err := t.exec(ctx, `
			INSERT INTO access (scope_no, memory_id, accesses, last_access) SELECT ?1, ?2, 1, ?3 WHERE `+isMemory+`
			ON CONFLICT DO UPDATE SET accesses = accesses + 1, last_access = max(last_access, excluded.last_access)`, no, id, micros(t.now))
		if err != nil {
			return wrap(op, err)
		}
	}
	return nil
}

// RecordMark records what happened to a fact or document just now, if it exists.
func (t *tx) RecordMark(ctx context.Context, scope strata.Scope, memory string, m store.Mark) error {
	column := "confirmed_at"
	if m == store.MarkOpened {
		column = "opened_at"
	}
	return t.execScope(ctx, "record mark", scope, `
		INSERT INTO access (scope_no, memory_id, accesses, last_access, `+column+`) SELECT ?1, ?2, 0, 0, ?3 WHERE `+isMemory+`
		ON CONFLICT DO UPDATE SET `+column+` = max(coalesce(`+column+`, 0), excluded.`+column+`)`, memory, micros(t.now))
}

// Opened lists when the documents of a scope were last opened, in order of id.
func (t *tx) Opened(ctx context.Context, scope strata.Scope) ([]store.Opening, error) {
	return inScope(ctx, t, scope, "list openings", func(no int64) ([]store.Opening, error) {
		return collect(ctx, t, `SELECT memory_id, opened_at FROM access WHERE scope_no = ? AND opened_at IS NOT NULL ORDER BY memory_id`,
			[]any{no}, func(scan scanner) (o store.Opening, err error) {
				var at int64
				err = scan(&o.Document, &at)
				o.At = fromMicros(at)
				return o, err
			})
	})
}
