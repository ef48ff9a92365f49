package sqlite

import (
	"context"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/check"
	"github.com/strata-memory/strata/store/sqlite/erase"
)

// uses takes the text out of what memory keeps of its own use.
func (f *forgetting) uses(ctx context.Context) (err error) {
	e := erase.Eraser{Query: f.query, Exec: f.exec, Subject: f.subject, ScopeNo: f.scopeNo, Within: f.within}
	if f.out.Traces, err = e.Questions(ctx, f.turnsGone); err != nil {
		return err
	}
	if f.out.Snapshots, err = e.Snapshots(ctx); err != nil {
		return err
	}
	if f.out.States, err = e.States(ctx, f.sessions); err != nil {
		return err
	}
	if err := f.usage(f.scope, f.scopeNo).Forget(ctx, f.subject.ID); err != nil {
		return err
	}
	low, high := passage.Numbers(f.scopeNo)
	learnt, err := e.Learnings(ctx, low, high)
	if err != nil {
		return err
	}
	if learnt > 0 {
		if _, err := f.exec(ctx, check.Learning.Write+`number BETWEEN ? AND ? AND forgotten`, low, high); err != nil {
			return err
		}
	}
	if err := e.Failures(ctx); err != nil {
		return err
	}
	failed, err := e.Outcomes(ctx)
	f.out.Learnings = learnt + failed
	return err
}
