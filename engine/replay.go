package engine

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/failpoint"
	"github.com/strata-memory/strata/store"
)

// Projector renders what a decision did into files. It is called for each
// decision in the order they were made within a scope, possibly more than
// once: rendering the same decision again must change nothing. A file that a
// person changed since is left alone.
//
// An error with code invalid, corrupt, conflict or forgotten sets the decision
// aside with that reason; any other error leaves it for a later try.
type Projector interface {
	Project(ctx context.Context, d strata.Decision) error
}

// replayBatch is how many outstanding decisions are read at a time.
const replayBatch = 256

// replay renders every decision whose projection is outstanding. One that
// cannot be rendered is set aside and blocks nothing behind it.
func (e *Engine) replay(ctx context.Context) error {
	if e.opts.Projector == nil {
		return nil
	}
	scopes, err := e.Scopes(ctx)
	if err != nil {
		return err
	}
	for _, s := range scopes {
		if err := e.replayScope(ctx, s); err != nil {
			return fmt.Errorf("scope %s: %w", s, err)
		}
	}
	return nil
}

func (e *Engine) replayScope(ctx context.Context, scope strata.Scope) error {
	for {
		var pending []strata.Decision
		err := e.store.View(ctx, func(r store.Reader) error {
			var err error
			pending, err = r.Decisions(ctx, scope, strata.DecisionFilter{Pending: true, Limit: replayBatch})
			return err
		})
		if err != nil || len(pending) == 0 {
			return err
		}
		for _, d := range pending {
			if err := e.projectOne(ctx, d); err != nil {
				return fmt.Errorf("decision %s: %w", d.ID, err)
			}
		}
	}
}

// projectOne renders one decision and stamps it.
func (e *Engine) projectOne(ctx context.Context, d strata.Decision) error {
	failpoint.Hit(failpoint.ProjectBegun)
	setAside := ""
	if err := e.opts.Projector.Project(ctx, d); err != nil {
		switch strata.CodeOf(err) {
		case strata.CodeInvalid, strata.CodeCorrupt, strata.CodeConflict, strata.CodeForgotten:
			setAside = clip(err.Error(), 200)
			e.opts.Logger.Warn("a decision was set aside", "decision", d.ID, "error", err)
		default:
			return err
		}
	}
	failpoint.Hit(failpoint.ProjectDone)
	return e.store.Update(ctx, func(w store.Writer) error {
		if err := w.StampDecision(ctx, d.Scope, d.ID, setAside); err != nil {
			return err
		}
		if setAside == "" {
			return nil
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventSetAside, Scope: d.Scope, Ref: d.ID, Detail: setAside, At: w.Now()})
	})
}
