package sqlite

import (
	"context"
	"os"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Stats counts what a scope owns. It reads the keys of the rows, which takes a few
// milliseconds for 100,000 of them.
func (t *tx) Stats(ctx context.Context, scope strata.Scope) (store.Stats, error) {
	const op = "count scope"
	st := store.Stats{Scope: scope, Bytes: t.db.size()}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return st, wrap(op, err)
	}
	if st.Change, err = t.LastChange(ctx); err != nil {
		return st, wrap(op, err)
	}
	if !ok {
		return st, nil
	}
	low, high := passage.Numbers(no)
	var versions int64
	for _, c := range []struct {
		into  *int64
		query string
		args  []any
	}{
		{&st.Facts, `SELECT count(*) FROM fact WHERE scope_no = ? AND retired_at IS NULL`, []any{no}},
		{&versions, `SELECT count(*) FROM fact WHERE scope_no = ?`, []any{no}},
		{&st.Turns, `SELECT count(*) FROM turn WHERE scope_no = ?`, []any{no}},
		{&st.Sessions, `SELECT count(*) FROM session WHERE scope_no = ?`, []any{no}},
		{&st.Decisions, `SELECT count(*) FROM decision WHERE scope_no = ?`, []any{no}},
		{&st.Pending, `SELECT count(*) FROM decision
			WHERE number BETWEEN ? AND ? AND applied_at IS NULL AND set_aside = ''`, []any{low, high}},
		{&st.Unexported, `SELECT count(*) FROM session x WHERE x.scope_no = ? AND ` + outstanding, []any{no}},
		{&st.Learnings, `SELECT count(*) FROM learning WHERE scope_no = ? AND NOT forgotten`, []any{no}},
		{&st.Outcomes, `SELECT count(*) FROM tool_outcome WHERE scope_no = ?`, []any{no}},
		{&st.Snapshots, `SELECT count(*) FROM snapshot WHERE scope_no = ?`, []any{no}},
		{&st.Images, `SELECT count(*) FROM turn_image WHERE number BETWEEN ? AND ?`, []any{low, high}},
		{&st.Tombstones, `SELECT count(DISTINCT fact_id) FROM tombstone WHERE scope_no = ?`, []any{no}},
		{&st.Documents, `SELECT count(*) FROM document INDEXED BY document_path WHERE scope_no = ?`, []any{no}},
		{&st.Sections, `SELECT count(*) FROM section WHERE number BETWEEN ? AND ?`, []any{low, high}},
		{&st.Recalls, `SELECT count(*) FROM recall_event WHERE scope_no = ?`, []any{no}},
		{&st.Promotions, `SELECT count(*) FROM promotion WHERE scope_no = ? AND archived_at IS NULL`, []any{no}},
		{&st.Categories, `SELECT count(*) FROM parent WHERE number BETWEEN ? AND ? AND kind = 1 AND passages > 0`, []any{low, high}},
		{&st.Unembedded, `SELECT count(DISTINCT number) FROM embedding_queue WHERE number BETWEEN ? AND ?`, []any{low, high}},
		// Vectors of a base model that is kept besides the serving one do not count.
		{&st.Vectors, `SELECT coalesce(sum(coded + pending), 0) FROM code_head WHERE scope_no = ?
			AND model NOT IN (SELECT base FROM embedding WHERE base NOT IN (serving, target))`, []any{no}},
	} {
		if *c.into, err = t.queryInteger(ctx, c.query, c.args...); err != nil {
			return st, wrap(op, err)
		}
	}
	st.Retired = versions - st.Facts
	return st, nil
}

// size returns how many bytes the database and its log take on disk.
func (db *DB) size() int64 {
	var sum int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(db.file.Path + suffix); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
