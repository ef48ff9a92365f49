package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Count counts the rows that a scope owns, except those of the index. unexported is
// the condition that the transcript of session x is still to be written.
func (s usageScope) Count(ctx context.Context, st *store.Stats, unexported string) error {
	low, high := passage.Numbers(s.no)
	var versions int64
	for _, c := range []struct {
		into  *int64
		query string
		args  []any
	}{
		{&st.Facts, `SELECT count(*) FROM fact WHERE scope_no = ? AND retired_at IS NULL`, []any{s.no}},
		{&versions, `SELECT count(*) FROM fact WHERE scope_no = ?`, []any{s.no}},
		{&st.Turns, `SELECT count(*) FROM turn WHERE scope_no = ?`, []any{s.no}},
		{&st.Sessions, `SELECT count(*) FROM session WHERE scope_no = ?`, []any{s.no}},
		{&st.Decisions, `SELECT count(*) FROM decision WHERE scope_no = ?`, []any{s.no}},
		{&st.Pending, `SELECT count(*) FROM decision
			WHERE number BETWEEN ? AND ? AND applied_at IS NULL AND set_aside = ''`, []any{low, high}},
		{&st.Unexported, `SELECT count(*) FROM session x WHERE x.scope_no = ? AND ` + unexported, []any{s.no}},
		{&st.Learnings, `SELECT count(*) FROM learning WHERE scope_no = ? AND NOT forgotten`, []any{s.no}},
		{&st.Outcomes, `SELECT count(*) FROM tool_outcome WHERE scope_no = ?`, []any{s.no}},
		{&st.Snapshots, `SELECT count(*) FROM snapshot WHERE scope_no = ?`, []any{s.no}},
		{&st.Images, `SELECT count(*) FROM turn_image WHERE number BETWEEN ? AND ?`, []any{low, high}},
		{&st.Tombstones, `SELECT count(DISTINCT fact_id) FROM tombstone WHERE scope_no = ?`, []any{s.no}},
		{&st.Documents, `SELECT count(*) FROM document INDEXED BY document_path WHERE scope_no = ?`, []any{s.no}},
		{&st.Sections, `SELECT count(*) FROM section WHERE number BETWEEN ? AND ?`, []any{low, high}},
		{&st.Recalls, `SELECT count(*) FROM recall_event WHERE scope_no = ?`, []any{s.no}},
		{&st.Promotions, `SELECT count(*) FROM promotion WHERE scope_no = ? AND archived_at IS NULL`, []any{s.no}},
	} {
		n, err := queryOne(ctx, s.tx, c.query, c.args, scanNumber)
		if err != nil {
			return err
		}
		*c.into = n
	}
	st.Retired = versions - st.Facts
	return nil
}
