package handedit

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Limits for one transaction, which blocks other writers.
const (
	syncBatch = 500     // files
	syncBytes = 8 << 20 // of their contents
)

// syncTries is how often a scope is scanned because something changed between the scan
// and the transaction.
const syncTries = 3

// Sync records what people did to the files of a view since the last scan: created,
// changed and removed files. Each becomes a decision that can be listed and reverted.
// Before that, files that have yet to follow a decision are written; those that cannot be
// are skipped. If there is no tree, Sync does nothing.
//
// Only files whose size or modification time has changed are read.
func (in *Intake) Sync(ctx context.Context, view strata.View) (Report, error) {
	return in.sync(ctx, view, in.followNow)
}

// SyncSettled is like [Intake.Sync] but does not wait for files to follow decisions: it
// skips those that have yet to. Hand edits of those are found when they are written in
// the background.
func (in *Intake) SyncSettled(ctx context.Context, view strata.View) (Report, error) {
	return in.sync(ctx, view, func(context.Context, ...strata.Scope) error { return nil })
}

// sync calls follow to update files, and then records hand edits.
func (in *Intake) sync(ctx context.Context, view strata.View, follow func(context.Context, ...strata.Scope) error) (Report, error) {
	if err := view.Validate(); err != nil || in.o.Tree == nil {
		return Report{}, err
	}
	if err := follow(ctx, view.Scopes...); err != nil {
		return Report{}, err
	}
	return in.lookThrough(ctx, view, func(ctx context.Context, scope strata.Scope, report *Report) error {
		return in.syncScope(ctx, scope, report, follow)
	})
}

// lookThrough calls look for each scope of a view that has a directory.
func (in *Intake) lookThrough(ctx context.Context, view strata.View, look func(context.Context, strata.Scope, *Report) error) (Report, error) {
	var report Report
	for _, s := range view.Scopes {
		if _, ok := in.o.Tree.Directory(s); !ok {
			continue
		}
		report.Scopes++
		if err := look(ctx, s, &report); err != nil {
			return report, fmt.Errorf("look through the files of %s: %w", s, err)
		}
	}
	return report, nil
}

// followNow updates the files of scopes after the decisions made so far, as far as
// possible. It does not wait for parts that only have to be rendered.
func (in *Intake) followNow(ctx context.Context, scopes ...strata.Scope) error {
	var waiting []strata.Scope
	err := in.o.Store.View(ctx, func(r store.Reader) error {
		for _, s := range scopes {
			pending, err := r.Decisions(ctx, s, strata.DecisionFilter{Pending: true, Limit: 1})
			if err != nil {
				return err
			}
			if len(pending) > 0 {
				waiting = append(waiting, s)
			}
		}
		return nil
	})
	if err != nil || len(waiting) == 0 {
		return err
	}
	if err := in.o.Projector.Scopes(ctx, waiting...); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		in.o.Logger.Warn("files do not follow yet; the others are looked through", "error", err)
	}
	return nil
}

// syncScope records the hand edits of one scope. If it was overtaken by another change,
// it calls follow and scans again.
func (in *Intake) syncScope(ctx context.Context, scope strata.Scope, report *Report, follow func(context.Context, ...strata.Scope) error) error {
	for try := 1; ; try++ {
		found, away, err := in.scan(ctx, scope, report)
		if err != nil || away {
			return err
		}
		in.renderDirty(&found)
		overtaken, err := in.takeAll(ctx, found, report)
		if err != nil {
			return err
		}
		if !overtaken || try == syncTries {
			report.skip(found)
			return in.see(ctx, scope)
		}
		if err := follow(ctx, scope); err != nil {
			return err
		}
	}
}

// takeAll records the hand edits of a scan in batches. overtaken means that some were no
// longer current in the transaction.
func (in *Intake) takeAll(ctx context.Context, found look, report *Report) (overtaken bool, err error) {
	if err := in.touch(ctx, found); err != nil {
		return false, err
	}
	edits := found.edits()
	for len(edits.candidates) > 0 {
		taken, again, err := in.take(ctx, edits.next())
		if err != nil {
			return false, err
		}
		report.count(taken)
		overtaken = overtaken || again
	}
	return overtaken, nil
}
