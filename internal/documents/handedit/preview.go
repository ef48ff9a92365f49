package handedit

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/store"
)

// PreviewSync returns the report that [Intake.Sync] would return, but changes nothing.
// Its changes have no decision ids.
func (in *Intake) PreviewSync(ctx context.Context, view strata.View) (Report, error) {
	if err := view.Validate(); err != nil || in.o.Tree == nil {
		return Report{}, err
	}
	return in.lookThrough(ctx, view, in.previewScope)
}

// previewScope adds the hand edits in one scope to a report.
func (in *Intake) previewScope(ctx context.Context, scope strata.Scope, report *Report) error {
	found, away, err := in.scan(ctx, scope, report)
	if err != nil || away {
		return err
	}
	if in.watches.Load() > 0 {
		// A watch does not report again what this scan has seen.
		defer func() {
			in.changed.add(scope)
			in.o.Work.Wake()
		}()
	}
	report.skip(found)
	edits := found.edits()
	origins, err := in.origins(ctx, edits)
	if err != nil {
		return err
	}
	return in.o.Store.View(ctx, func(r store.Reader) error {
		tx := documents.NewTx(r, in.o.IDs, in.o.Models)
		var would []strata.Decision
		for i, c := range edits.candidates {
			d, fresh, err := in.previewEdit(ctx, tx, c, origins[i])
			if err != nil {
				return err
			}
			if fresh {
				would = append(would, d)
			}
		}
		report.count(would)
		return nil
	})
}

// previewEdit returns the decision that a hand edit would lead to. fresh is false if the
// edit is nothing new.
func (in *Intake) previewEdit(ctx context.Context, tx *documents.Tx, c strata.Candidate, found documents.Found) (d strata.Decision, fresh bool, err error) {
	if err := c.Validate(); err != nil {
		return d, false, err
	}
	draft, err := documents.NewDraft(c)
	if err != nil {
		return d, false, err
	}
	draft.Origin = found.Origin
	outcome, stored, err := tx.Decide(ctx, draft)
	if err != nil || stored != nil {
		return d, false, err
	}
	d = strata.Decision{Scope: c.Scope, Op: outcome.Op, Origin: c.Origin, DecidedAt: in.o.Now()}
	err = tx.Complete(ctx, draft, &d)
	return d, true, err
}
