package sqlite

import (
	"context"
	"database/sql"

	"github.com/strata-memory/strata"
)

// PutQuestion records a question, or the answer to one that exists.
func (s usageScope) PutQuestion(ctx context.Context, q strata.Question) error {
	_, err := s.exec(ctx, `
		INSERT INTO question (scope_no, id, first_fact, first_generation, second_fact, second_generation, reason, dream,
			asked_at, answer, answered_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (scope_no, id) DO UPDATE SET answer = excluded.answer, answered_at = excluded.answered_at`,
		s.no, q.ID, q.Facts[0].ID, q.Facts[0].Generation, q.Facts[1].ID, q.Facts[1].Generation, q.Reason, q.Dream,
		micros(q.AskedAt), q.Answer, nullMicros(q.AnsweredAt))
	return err
}

const questionSelect = `
	SELECT q.id, q.first_fact, q.first_generation, q.second_fact, q.second_generation, q.reason, q.dream, q.asked_at, q.answer, q.answered_at
	FROM question AS q
	`

func (s usageScope) scanQuestion(scan scanner) (q strata.Question, err error) {
	var asked int64
	var answered sql.NullInt64
	err = scan(&q.ID, &q.Facts[0].ID, &q.Facts[0].Generation, &q.Facts[1].ID, &q.Facts[1].Generation, &q.Reason, &q.Dream,
		&asked, &q.Answer, &answered)
	q.Scope, q.AskedAt, q.AnsweredAt = s.of, fromMicros(asked), fromNullMicros(answered)
	return q, err
}

// Question returns the question with an id.
func (s usageScope) Question(ctx context.Context, id string) (strata.Question, error) {
	return queryOne(ctx, s.tx, questionSelect+`WHERE q.scope_no = ? AND q.id = ?`, []any{s.no, id}, s.scanQuestion)
}

// Questions lists the open questions, or all of them, the newest first.
func (s usageScope) Questions(ctx context.Context, all bool, limit int) ([]strata.Question, error) {
	return collect(ctx, s.tx, questionSelect+`
		WHERE q.scope_no = ? AND (? OR q.answer = '' AND `+isCurrent("first")+` AND `+isCurrent("second")+`)
		ORDER BY q.asked_at DESC, q.id DESC LIMIT ?`, []any{s.no, all, limit}, s.scanQuestion)
}

// isCurrent returns the condition that one of the two fact versions of a question is
// current.
func isCurrent(which string) string {
	return `EXISTS (SELECT 1 FROM fact AS f WHERE f.scope_no = q.scope_no AND f.id = q.` + which + `_fact
		AND f.generation = q.` + which + `_generation AND f.retired_at IS NULL)`
}
