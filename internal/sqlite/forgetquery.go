package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
)

// uses removes the text from the records that memory keeps of its own use.
func (f *forgetting) uses(ctx context.Context) (err error) {
	if f.out.Traces, err = f.eraseQuestions(ctx, f.turnsGone); err != nil {
		return err
	}
	if f.out.Snapshots, err = f.eraseSnapshots(ctx); err != nil {
		return err
	}
	if f.out.States, err = f.eraseStates(ctx, f.sessions); err != nil {
		return err
	}
	if err := f.forgetDreams(ctx); err != nil {
		return err
	}
	low, high := passage.Numbers(f.scopeNo)
	learnt, err := f.eraseLearnings(ctx, low, high)
	if err != nil {
		return err
	}
	if learnt > 0 {
		if _, err := f.exec(ctx, check.Learning.Write+`number BETWEEN ? AND ? AND forgotten`, low, high); err != nil {
			return err
		}
	}
	if err := f.eraseFailures(ctx); err != nil {
		return err
	}
	failed, err := f.eraseOutcomes(ctx)
	f.out.Learnings = learnt + failed
	return err
}
