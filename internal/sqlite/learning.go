package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// learningColumns selects the columns that readLearning reads.
const learningColumns = `SELECT id, kind, key, tool, session, count, first_at, last_at, forgotten, text, context FROM learning `

// readLearning reads a row of learningColumns, a learning of a scope.
func readLearning(scope strata.Scope, scan scanner) (strata.Learning, error) {
	l := strata.Learning{Scope: scope}
	var first, last int64
	err := scan(&l.ID, &l.Kind, &l.Key, &l.Tool, &l.Session, &l.Count, &first, &last, &l.Forgotten, &l.Text, &l.Context)
	l.FirstAt, l.LastAt = fromMicros(first), fromMicros(last)
	return l, err
}

// Learnings lists the learnings of a scope, the most recently learnt first.
func (t *tx) Learnings(ctx context.Context, scope strata.Scope, f store.LearningFilter) ([]strata.Learning, error) {
	return inScope(ctx, t, scope, "list learnings", func(no int64) ([]strata.Learning, error) {
		condition, args := `WHERE scope_no = ?`, []any{no}
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
		return collect(ctx, t, learningColumns+`INDEXED BY learning_last `+condition+` ORDER BY last_at DESC, number DESC LIMIT ? OFFSET ?`,
			append(args, clampLimit(f.Limit), f.Skip), func(scan scanner) (strata.Learning, error) { return readLearning(scope, scan) })
	})
}

// LearningByKey returns the learning of a kind with a key.
func (t *tx) LearningByKey(ctx context.Context, scope strata.Scope, kind strata.LearningKind, key string) (strata.Learning, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read learning", "learning with key", key, func(_ strata.Scope, no int64) (strata.Learning, error) {
		return readLearning(scope, t.queryRow(ctx, learningColumns+`WHERE scope_no = ? AND kind = ? AND key = ?`, no, kind, key).Scan)
	})
}

// PutLearning stores a learning, or adds to the count of an identical one, and
// returns the stored one.
func (t *tx) PutLearning(ctx context.Context, l strata.Learning) (strata.Learning, error) {
	const op = "put learning"
	if err := l.Validate(); err != nil {
		return strata.Learning{}, err
	}
	if err := strata.ValidateName("learning id", l.ID); err != nil {
		return strata.Learning{}, err
	}
	l.Count = max(l.Count, 1)
	if l.LastAt.IsZero() {
		l.LastAt = t.now
	}
	if l.FirstAt.IsZero() || l.FirstAt.After(l.LastAt) {
		l.FirstAt = l.LastAt
	}
	err := t.writeScope(ctx, op, l.Scope, func(no int64) error {
		number, err := t.nextNumber(ctx, no)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, `
			INSERT INTO learning (number, scope_no, id, kind, key, tool, session, count, first_at, last_at, forgotten, text, context)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
			ON CONFLICT (scope_no, kind, key) DO UPDATE SET
				count = count + excluded.count, first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at),
				tool = iif(excluded.last_at >= last_at, excluded.tool, tool),
				session = iif(excluded.last_at >= last_at, excluded.session, session),
				text = iif(excluded.last_at >= last_at, excluded.text, text),
				context = iif(excluded.last_at >= last_at, excluded.context, context)`,
			number, no, l.ID, l.Kind, l.Key, l.Tool, l.Session, l.Count, micros(l.FirstAt), micros(l.LastAt), l.Text, l.Context)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, check.Learning.Write+`scope_no = ? AND kind = ? AND key = ?`, no, l.Kind, l.Key)
		return err
	})
	if database.IsConstraint(err) {
		return strata.Learning{}, conflict(op, "learning "+l.ID+" already exists")
	}
	if err != nil {
		return strata.Learning{}, err
	}
	kept, err := t.LearningByKey(ctx, l.Scope, l.Kind, l.Key)
	if strata.CodeOf(err) == strata.CodeNotFound {
		err = database.Corrupt(op, "a learning that was just kept is not there")
	}
	return kept, err
}
