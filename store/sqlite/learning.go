package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/check"
	"github.com/strata-memory/strata/store/sqlite/database"
	"github.com/strata-memory/strata/store/sqlite/usage"
)

// learningColumns are what scanLearning reads.
const learningColumns = `id, kind, key, tool, session, count, first_at, last_at, forgotten, text, context`

func scanLearning(scope strata.Scope, scan scanner) (strata.Learning, error) {
	l := strata.Learning{Scope: scope}
	var first, last int64
	err := scan(&l.ID, &l.Kind, &l.Key, &l.Tool, &l.Session, &l.Count, &first, &last, &l.Forgotten, &l.Text, &l.Context)
	l.FirstAt, l.LastAt = fromMicros(first), fromMicros(last)
	return l, err
}

// Learnings lists the learnings of a scope, those learnt last first.
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
		rows, err := t.query(ctx, `SELECT `+learningColumns+` FROM learning INDEXED BY learning_last `+condition+
			` ORDER BY last_at DESC, number DESC LIMIT ? OFFSET ?`, append(args, clampLimit(f.Limit), f.Skip)...)
		if err != nil {
			return nil, err
		}
		return collect(rows, func(scan scanner) (strata.Learning, error) { return scanLearning(scope, scan) })
	})
}

// LearningByKey returns the learning of a kind with a key.
func (t *tx) LearningByKey(ctx context.Context, scope strata.Scope, kind strata.LearningKind, key string) (strata.Learning, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read learning", "learning with key", key, func(no int64) (strata.Learning, error) {
		return t.learning(ctx, scope, no, kind, key)
	})
}

func (t *tx) learning(ctx context.Context, scope strata.Scope, no int64, kind strata.LearningKind, key string) (strata.Learning, error) {
	return scanLearning(scope, t.queryRow(ctx,
		`SELECT `+learningColumns+` FROM learning WHERE scope_no = ? AND kind = ? AND key = ?`, no, kind, key).Scan)
}

// PutLearning keeps a learning, or counts up the one that is the same.
func (t *tx) PutLearning(ctx context.Context, l strata.Learning) (strata.Learning, error) {
	const op = "put learning"
	if err := l.Validate(); err != nil {
		return strata.Learning{}, err
	}
	if err := strata.ValidateName("learning id", l.ID); err != nil {
		return strata.Learning{}, err
	}
	no, _, err := t.scopeNo(ctx, l.Scope, true)
	if err != nil {
		return strata.Learning{}, wrap(op, err)
	}
	l.Count = max(l.Count, 1)
	if l.LastAt.IsZero() {
		l.LastAt = t.now
	}
	if l.FirstAt.IsZero() || l.FirstAt.After(l.LastAt) {
		l.FirstAt = l.LastAt
	}
	number, err := t.nextNumber(ctx, no)
	if err != nil {
		return strata.Learning{}, wrap(op, err)
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
	if database.IsConstraint(err) {
		return strata.Learning{}, conflict(op, "learning "+l.ID+" is there already")
	}
	if err != nil {
		return strata.Learning{}, wrap(op, err)
	}
	_, err = t.exec(ctx, check.Learning.Write+`scope_no = ? AND kind = ? AND key = ?`, no, l.Kind, l.Key)
	if err != nil {
		return strata.Learning{}, wrap(op, err)
	}
	kept, err := t.learning(ctx, l.Scope, no, l.Kind, l.Key)
	if errors.Is(err, sql.ErrNoRows) {
		err = database.Corrupt(op, "a learning that was just kept is not there")
	}
	return kept, wrap(op, err)
}

// Outcomes lists the runs of tools of a scope, newest first.
func (t *tx) Outcomes(ctx context.Context, scope strata.Scope, f store.OutcomeFilter) ([]strata.ToolOutcome, error) {
	return inScope(ctx, t, scope, "list tool outcomes", func(no int64) ([]strata.ToolOutcome, error) {
		f.Limit = clampLimit(f.Limit)
		return t.usage(scope, no).Outcomes(ctx, f)
	})
}

// PutOutcome keeps a run of a tool; the oldest of the tool makes room for it.
func (t *tx) PutOutcome(ctx context.Context, o strata.ToolOutcome) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o.At.IsZero() {
		o.At = t.now
	}
	return t.changeUsage(ctx, "put tool outcome", o.Scope, func(s usage.Scope) error { return s.PutOutcome(ctx, o) })
}
