package sqlite

import (
	"context"
	"database/sql"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
)

// PutQuestion records a question, or the answer to one that exists.
func (t *tx) PutQuestion(ctx context.Context, q strata.Question) error {
	const op = "put question"
	if err := strata.ValidateName("question id", q.ID); err != nil {
		return err
	}
	err := t.execScope(ctx, op, q.Scope, `
		INSERT INTO question (scope_no, id, first_fact, first_generation, second_fact, second_generation, reason, dream,
			asked_at, answer, answered_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (scope_no, id) DO UPDATE SET answer = excluded.answer, answered_at = excluded.answered_at`,
		q.ID, q.Facts[0].ID, q.Facts[0].Generation, q.Facts[1].ID, q.Facts[1].Generation, q.Reason, q.Dream,
		micros(q.AskedAt), q.Answer, nullMicros(q.AnsweredAt))
	if database.IsConstraint(err) {
		return conflict(op, "there is another question about these facts")
	}
	return err
}

// questionSelect reads questions for readQuestion. The caller appends a condition on
// q.
const questionSelect = `
	SELECT q.id, q.first_fact, q.first_generation, q.second_fact, q.second_generation, q.reason, q.dream, q.asked_at, q.answer, q.answered_at
	FROM question AS q
	`

// readQuestion reads a row of questionSelect, a question of a scope.
func readQuestion(scope strata.Scope, scan scanner) (strata.Question, error) {
	q := strata.Question{Scope: scope}
	var asked int64
	var answered sql.NullInt64
	err := scan(&q.ID, &q.Facts[0].ID, &q.Facts[0].Generation, &q.Facts[1].ID, &q.Facts[1].Generation, &q.Reason, &q.Dream,
		&asked, &q.Answer, &answered)
	q.AskedAt, q.AnsweredAt = fromMicros(asked), fromNullMicros(answered)
	return q, err
}

// Question returns a question of one of the scopes.
func (t *tx) Question(ctx context.Context, scopes []strata.Scope, id string) (strata.Question, error) {
	return inScopes(ctx, t, scopes, "read question", "question", id, func(scope strata.Scope, no int64) (strata.Question, error) {
		return readQuestion(scope, t.queryRow(ctx, questionSelect+`WHERE q.scope_no = ? AND q.id = ?`, no, id).Scan)
	})
}

// Questions lists the open questions of a scope, or all of them, the newest first.
func (t *tx) Questions(ctx context.Context, scope strata.Scope, all bool, limit int) ([]strata.Question, error) {
	return inScope(ctx, t, scope, "list questions", func(no int64) ([]strata.Question, error) {
		return collect(ctx, t, questionSelect+`
			WHERE q.scope_no = ? AND (? OR q.answer = '' AND `+isCurrent("first")+` AND `+isCurrent("second")+`)
			ORDER BY q.asked_at DESC, q.id DESC LIMIT ?`, []any{no, all, clampLimit(limit)},
			func(scan scanner) (strata.Question, error) { return readQuestion(scope, scan) })
	})
}

// isCurrent returns the condition that one of the two fact versions of a question is
// current.
func isCurrent(which string) string {
	return `EXISTS (SELECT 1 FROM fact AS f WHERE f.scope_no = q.scope_no AND f.id = q.` + which + `_fact
		AND f.generation = q.` + which + `_generation AND f.retired_at IS NULL)`
}
