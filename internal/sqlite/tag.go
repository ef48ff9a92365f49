package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/store"
)

// TagCounts counts the concept tags of current facts, the most frequent first.
func (t *tx) TagCounts(ctx context.Context, scope strata.Scope, limit int) ([]store.TagCount, error) {
	return inScope(ctx, t, scope, "count tags", func(no int64) ([]store.TagCount, error) {
		return collect(ctx, t, `
			SELECT t.value, count(*) FROM fact AS f, json_each(iif(f.tags = '', '[]', f.tags)) AS t
			WHERE f.scope_no = ? AND f.retired_at IS NULL GROUP BY t.value ORDER BY count(*) DESC, t.value LIMIT ?`, []any{no, clampLimit(limit)},
			func(scan scanner) (c store.TagCount, err error) { return c, scan(&c.Tag, &c.Facts) })
	})
}

// Untagged lists current facts whose concept tags are not known to be of a version,
// in order of number.
func (t *tx) Untagged(ctx context.Context, scope strata.Scope, version, limit int) ([]store.Source, error) {
	return inScope(ctx, t, scope, "list untagged facts", func(no int64) ([]store.Source, error) {
		low, high := passage.Numbers(no)
		through, err := t.queryInteger(ctx, `SELECT through FROM tagging WHERE scope_no = ? AND version = ?`, no, version)
		if err == nil {
			low = through + 1
		} else if !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		numbers, err := t.queryIntegers(ctx, 1, `SELECT number FROM fact WHERE number BETWEEN ? AND ? AND retired_at IS NULL ORDER BY number LIMIT ?`,
			low, high, clampLimit(limit))
		if err != nil {
			return nil, err
		}
		facts, err := t.factsAt(ctx, numbers)
		var out []store.Source
		for _, n := range numbers {
			if f := facts[n]; f != nil {
				out = append(out, store.Source{Number: n, Fact: f})
			}
		}
		return out, err
	})
}

// Retag replaces the concept tags of a fact version.
func (t *tx) Retag(ctx context.Context, p store.Passage, tags []string) error {
	const op = "retag fact"
	list, err := encodeList(tags)
	if err != nil {
		return wrap(op, err)
	}
	if _, err := t.exec(ctx, `UPDATE fact SET tags = ? WHERE number = ?`, list, p.Number); err != nil {
		return wrap(op, err)
	}
	if err := t.sum(ctx, check.Fact, p.Number); err != nil {
		return wrap(op, err)
	}
	return wrap(op, t.PutPassage(ctx, p))
}

// StampTags records that the tags of all facts of a scope up to a number are of a
// version.
func (t *tx) StampTags(ctx context.Context, scope strata.Scope, version int, through int64) error {
	return t.execScope(ctx, "stamp tags", scope, `INSERT OR REPLACE INTO tagging (scope_no, version, through) VALUES (?, ?, ?)`, version, through)
}
