package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// learningColumns selects the columns that scanLearning reads.
const learningColumns = `SELECT id, kind, key, tool, session, count, first_at, last_at, forgotten, text, context FROM learning `

func (s usageScope) scanLearning(scan scanner) (strata.Learning, error) {
	l := strata.Learning{Scope: s.of}
	var first, last int64
	err := scan(&l.ID, &l.Kind, &l.Key, &l.Tool, &l.Session, &l.Count, &first, &last, &l.Forgotten, &l.Text, &l.Context)
	l.FirstAt, l.LastAt = fromMicros(first), fromMicros(last)
	return l, err
}

// Learnings lists learnings, the most recently learnt first.
func (s usageScope) Learnings(ctx context.Context, f store.LearningFilter) ([]strata.Learning, error) {
	condition, args := `WHERE scope_no = ?`, []any{s.no}
	if f.Kind != "" {
		condition += ` AND kind = ?`
		args = append(args, f.Kind)
	}
	if !f.Forgotten {
		condition += ` AND NOT forgotten`
	}
	if f.SessionKind != "" {
		condition += ` AND (kind <> ? OR session = '' OR EXISTS (
			SELECT 1 FROM session AS x WHERE x.scope_no = learning.scope_no AND x.id = learning.session AND x.kind = ?))`
		args = append(args, strata.LearningCorrection, f.SessionKind)
	}
	return collect(ctx, s.tx, learningColumns+`INDEXED BY learning_last `+condition+` ORDER BY last_at DESC, number DESC LIMIT ? OFFSET ?`,
		append(args, f.Limit, f.Skip), s.scanLearning)
}

// Learning returns the learning of a kind with a key.
func (s usageScope) Learning(ctx context.Context, kind strata.LearningKind, key string) (strata.Learning, error) {
	return queryOne(ctx, s.tx, learningColumns+`WHERE scope_no = ? AND kind = ? AND key = ?`, []any{s.no, kind, key}, s.scanLearning)
}

// PutLearning stores a learning under a number, or adds to the count of an identical
// one.
func (s usageScope) PutLearning(ctx context.Context, number int64, l strata.Learning) error {
	_, err := s.exec(ctx, `
		INSERT INTO learning (number, scope_no, id, kind, key, tool, session, count, first_at, last_at, forgotten, text, context)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
		ON CONFLICT (scope_no, kind, key) DO UPDATE SET
			count = count + excluded.count, first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at),
			tool = iif(excluded.last_at >= last_at, excluded.tool, tool),
			session = iif(excluded.last_at >= last_at, excluded.session, session),
			text = iif(excluded.last_at >= last_at, excluded.text, text),
			context = iif(excluded.last_at >= last_at, excluded.context, context)`,
		number, s.no, l.ID, l.Kind, l.Key, l.Tool, l.Session, l.Count, micros(l.FirstAt), micros(l.LastAt), l.Text, l.Context)
	return err
}
