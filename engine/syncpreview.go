package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/controller"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/store"
)

// PreviewSync says what [Engine.Sync] would take in now, and changes nothing.
// Its changes have no ids of decisions.
func (e *Engine) PreviewSync(ctx context.Context, view strata.View) (SyncReport, error) {
	if err := view.Validate(); err != nil || e.opts.Tree == nil {
		return SyncReport{}, err
	}
	return e.lookThrough(ctx, view, e.previewScope)
}

// previewScope adds what would be taken in of a scope to a report.
func (e *Engine) previewScope(ctx context.Context, scope strata.Scope, report *SyncReport) error {
	known, pending, err := e.knownFiles(ctx, scope)
	if err != nil {
		return err
	}
	found, away, err := e.scan(ctx, scope, known)
	if err != nil {
		return err
	}
	if away != "" {
		report.Away = append(report.Away, SyncFile{Scope: scope, Reason: away})
		return nil
	}
	if e.watches.Load() > 0 {
		// Who watches is not told again of what this look has seen.
		defer func() {
			e.dirty.add(files.Changed{Scope: scope})
			e.scans.wake()
		}()
	}
	var edits handEdits
	for _, f := range found.Changed {
		if !pending[f.Path] {
			edits.changed(scope, f, baseOf(known, f.Path))
		}
	}
	for _, path := range found.Removed {
		if !pending[path] {
			edits.removed(scope, path, baseOf(known, path))
		}
	}
	report.skip(scope, found.Skipped)
	return e.store.View(ctx, func(r store.Reader) error {
		shelf := newShelf(e, r)
		var would []strata.Decision
		for _, c := range edits.candidates {
			d, taken, err := e.previewEdit(ctx, r, shelf, c)
			if err != nil {
				return err
			}
			if taken {
				would = append(would, d)
			}
		}
		report.count(would)
		return nil
	})
}

// previewEdit returns the decision that a hand edit would lead to; false where
// it is nothing new.
func (e *Engine) previewEdit(ctx context.Context, r store.Reader, shelf *shelf, c strata.Candidate) (d strata.Decision, taken bool, err error) {
	p, err := propose(c)
	if err != nil {
		return d, false, err
	}
	var outcome controller.Outcome
	outcome, stored, err := e.decideDocument(ctx, r, shelf, &p)
	if err != nil || stored != nil {
		return d, false, err
	}
	d, err = e.documentDecision(ctx, r, &p, outcome, e.opts.Now())
	d.ID = ""
	return d, true, err
}
