package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// Learnings lists the learnings of a scope, the most recently learnt first.
func (t *tx) Learnings(ctx context.Context, scope strata.Scope, f store.LearningFilter) ([]strata.Learning, error) {
	return inScope(ctx, t, scope, "list learnings", func(no int64) ([]strata.Learning, error) {
		f.Limit = clampLimit(f.Limit)
		return t.usage(scope, no).Learnings(ctx, f)
	})
}

// LearningByKey returns the learning of a kind with a key.
func (t *tx) LearningByKey(ctx context.Context, scope strata.Scope, kind strata.LearningKind, key string) (strata.Learning, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read learning", "learning with key", key, func(no int64) (strata.Learning, error) {
		return t.usage(scope, no).Learning(ctx, kind, key)
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
	err = t.usage(l.Scope, no).PutLearning(ctx, number, l)
	if database.IsConstraint(err) {
		return strata.Learning{}, conflict(op, "learning "+l.ID+" already exists")
	}
	if err != nil {
		return strata.Learning{}, wrap(op, err)
	}
	_, err = t.exec(ctx, check.Learning.Write+`scope_no = ? AND kind = ? AND key = ?`, no, l.Kind, l.Key)
	if err != nil {
		return strata.Learning{}, wrap(op, err)
	}
	kept, err := t.usage(l.Scope, no).Learning(ctx, l.Kind, l.Key)
	if errors.Is(err, sql.ErrNoRows) {
		err = database.Corrupt(op, "a learning that was just kept is not there")
	}
	return kept, wrap(op, err)
}

// Outcomes lists the tool runs of a scope, newest first.
func (t *tx) Outcomes(ctx context.Context, scope strata.Scope, f store.OutcomeFilter) ([]strata.ToolOutcome, error) {
	return inScope(ctx, t, scope, "list tool outcomes", func(no int64) ([]strata.ToolOutcome, error) {
		f.Limit = clampLimit(f.Limit)
		return t.usage(scope, no).Outcomes(ctx, f)
	})
}

// PutOutcome stores a tool run; the oldest of the tool makes room for it.
func (t *tx) PutOutcome(ctx context.Context, o strata.ToolOutcome) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o.At.IsZero() {
		o.At = t.now
	}
	return t.changeUsage(ctx, "put tool outcome", o.Scope, func(s usageScope) error { return s.PutOutcome(ctx, o) })
}
