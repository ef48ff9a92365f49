package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// RevertOptions control Revert. The zero value undoes the decision.
type RevertOptions struct {
	DryRun bool // return the decision that would be made, change nothing
	Reason string
	Origin strata.Origin
}

// errDryRun rolls back a transaction that was only tried.
var errDryRun = errors.New("dry run")

// Revert undoes a decision: an added fact is deleted, an updated one gets its former text
// back, and a superseded or deleted one becomes current again, in its original scope if
// it was moved. A new file is deleted, a changed one gets its previous version, and a
// deleted one is restored. Nothing is erased: the revert is a decision of its own that
// can be reverted.
//
// It returns conflict if the revert would overwrite a later change, forgotten if the text
// is gone for good, and rejected_secret if the previous version of a file held a secret,
// which memory did not keep.
func (e *Engine) Revert(ctx context.Context, view strata.View, decision string, o RevertOptions) (strata.Decision, error) {
	if err := view.Validate(); err != nil {
		return strata.Decision{}, err
	}
	target, err := e.Decision(ctx, view, decision)
	if err != nil {
		return strata.Decision{}, err
	}
	if err := revertible(target); err != nil {
		return strata.Decision{}, err
	}
	if target.Document != nil {
		return e.revertDocument(ctx, view, target, o)
	}
	var vectors store.Vectors
	if target.Before != nil {
		sets, _ := e.models.ForWrite(ctx, []string{recall.FactText(*target.Before)})
		vectors = sets[0]
	}
	d, err := e.undo(ctx, view, decision, o, func(w store.Writer, target strata.Decision, d *strata.Decision) error {
		return e.revertFact(ctx, w, target, d, vectors)
	})
	if err != nil || o.DryRun {
		return d, err
	}
	if target.Before != nil && e.models.Incomplete(vectors) {
		e.embeds.Wake()
	}
	return d, nil
}

// undo reverts a decision in one transaction, together with the other half of a move.
// apply changes memory and completes decision d, which records the revert. A dry run is
// rolled back, and its decision has no id.
func (e *Engine) undo(ctx context.Context, view strata.View, decision string, o RevertOptions,
	apply func(w store.Writer, target strata.Decision, d *strata.Decision) error) (strata.Decision, error) {
	var made, left []strata.Decision // the first is the requested one
	err := e.store.Update(ctx, func(w store.Writer) error {
		// What was read before the transaction may be out of date.
		target, err := w.Decision(ctx, view.Scopes, decision)
		if err != nil {
			return err
		}
		others, err := documents.Move(ctx, w, view, target)
		if err != nil {
			return err
		}
		for _, target := range append([]strata.Decision{target}, others...) {
			if err := revertible(target); err != nil {
				return err
			}
			d := e.revertDecision(target, o, w.Now())
			if len(others) > 0 {
				d.Notes = []string{"undoes a move that " + decision + " was a part of"}
			}
			if err := apply(w, target, &d); err != nil {
				return err
			}
			if err := w.AppendDecision(ctx, d); err != nil {
				return err
			}
			also, err := e.recordLeft(ctx, w, d)
			if err != nil {
				return err
			}
			made, left = append(made, d), append(left, also...)
			if err := w.LinkRevert(ctx, target.Scope, target.ID, d.ID); err != nil {
				return err
			}
			event := strata.Event{Kind: strata.EventReverted, Scope: d.Scope, Ref: d.ID, Detail: target.ID, At: d.DecidedAt}
			if err := w.AppendEvent(ctx, event); err != nil {
				return err
			}
		}
		if o.DryRun {
			return errDryRun
		}
		return nil
	})
	if errors.Is(err, errDryRun) {
		made[0].ID = ""
		return made[0], nil
	}
	if err != nil {
		return strata.Decision{}, err
	}
	e.projector.Decided(append(left, made...)...)
	return made[0], nil
}

// RevertedWith returns the decisions that a revert of d also undoes: the other half of a
// move.
func (e *Engine) RevertedWith(ctx context.Context, view strata.View, d strata.Decision) ([]strata.Decision, error) {
	return store.Read(ctx, e.store, func(r store.Reader) ([]strata.Decision, error) { return documents.Move(ctx, r, view, d) })
}

// revertible reports whether a decision can be undone at all.
func revertible(d strata.Decision) error {
	const op = "revert"
	switch {
	case d.Op == strata.OpForget:
		return &strata.Error{Code: strata.CodeForgotten, Op: op, Message: "forgetting cannot be undone",
			Hint: "save the statement again if you want it back"}
	case !d.Op.Changed():
		return strata.Invalid(op, "decision "+d.ID+" changed nothing ("+string(d.Op)+")", "revert a decision that added, updated, superseded or deleted")
	case d.RevertedBy != "":
		return &strata.Error{Code: strata.CodeConflict, Op: op, Message: "decision " + d.ID + " was reverted by " + d.RevertedBy,
			Hint: "revert that one to undo the revert"}
	case d.Document != nil:
		return documents.Revertible(d)
	case d.Before == nil && d.After == nil,
		d.Before != nil && d.Before.Text == strata.ForgottenText, d.After != nil && d.After.Text == strata.ForgottenText:
		return &strata.Error{Code: strata.CodeForgotten, Op: op, Message: "the text of decision " + d.ID + " was forgotten",
			Hint: "save the statement again if you want it back"}
	}
	return nil
}

// revertDecision returns the part that reverts of facts and documents share.
func (e *Engine) revertDecision(target strata.Decision, o RevertOptions, now time.Time) strata.Decision {
	d := strata.Decision{
		ID: e.ids.New(id.Decision, now), Scope: target.Scope,
		Reason: "reverts " + target.ID, Rules: []string{"revert"}, Confidence: 1,
		Origin: cmp.Or(o.Origin, strata.OriginAPI), Reverts: target.ID, DecidedAt: now,
	}
	if o.Reason != "" {
		d.Reason += ": " + said(o.Reason)
	}
	return d
}

// revertFact retires what the decision stored and restores what it retired.
func (e *Engine) revertFact(ctx context.Context, w store.Writer, target strata.Decision, d *strata.Decision, vectors store.Vectors) error {
	d.FactID = target.FactID
	if !e.followed() {
		d.AppliedAt = &d.DecidedAt
	}
	if target.After != nil {
		f, err := stillSaid(ctx, w, *target.After)
		if err != nil {
			return err
		}
		next := ""
		if target.Op == strata.OpSupersede {
			next = target.Before.ID
		}
		if err := e.retire(ctx, w, &f, next); err != nil {
			return err
		}
		d.Op, d.Before = strata.OpDelete, &f
	}
	if target.Before == nil {
		return nil
	}
	f, err := e.bringBack(ctx, w, *target.Before)
	if err != nil {
		return err
	}
	f.RecordedAt = d.DecidedAt
	d.Scope = f.Scope // another scope if the decision moved it
	seen := newLookups(e, w)
	categories, err := seen.categoriesOf(ctx, f.Scope)
	if err != nil {
		return err
	}
	f.Category = categories.Chosen(f.Category)
	if err := e.keep(ctx, w, seen, f, recall.FactText(f), nil, vectors); err != nil {
		return err
	}
	d.FactID, d.After = f.ID, &f
	d.Op = strata.OpAdd
	switch {
	case d.Before != nil && d.Before.ID == f.ID:
		d.Op = strata.OpUpdate
	case d.Before != nil:
		d.Op = strata.OpSupersede
	}
	return nil
}

// stillSaid returns the current version of a fact if it says the same as f: f itself, or
// what came back when a later change was undone. Otherwise a revert of f would overwrite
// a change, and stillSaid returns conflict.
func stillSaid(ctx context.Context, r store.Reader, f strata.Fact) (strata.Fact, error) {
	latest, err := r.Fact(ctx, []strata.Scope{f.Scope}, f.ID)
	if err != nil {
		return f, err
	}
	same := latest.Text == f.Text && latest.Type == f.Type && latest.Category == f.Category &&
		latest.Entity == f.Entity && latest.Attribute == f.Attribute
	if !latest.Current() || latest.Generation != f.Generation && !same {
		return f, &strata.Error{Code: strata.CodeConflict, Op: "revert", Message: "fact " + f.ID + " changed since",
			Hint: "look at its later decisions and revert those first"}
	}
	return latest, nil
}

// bringBack returns the next version of a fact that is to become current again.
func (e *Engine) bringBack(ctx context.Context, r store.Reader, f strata.Fact) (strata.Fact, error) {
	const op = "revert"
	latest, err := r.Fact(ctx, []strata.Scope{f.Scope}, f.ID)
	if err != nil {
		return f, err
	}
	if latest.Current() {
		return f, &strata.Error{Code: strata.CodeConflict, Op: op, Message: "fact " + f.ID + " is current again",
			Hint: "look at its later decisions and revert those first"}
	}
	same, err := r.FactsByText(ctx, f.Scope, text.Analyze(f.Text))
	if err != nil {
		return f, err
	}
	if len(same) > 0 {
		return f, &strata.Error{Code: strata.CodeConflict, Op: op, Message: "the text was saved again as " + same[0].ID,
			Hint: "nothing needs to be brought back"}
	}
	f.Generation = latest.Generation + 1
	f.RetiredAt, f.SupersededBy = nil, ""
	return f, nil
}

// said returns somebody's reason as it is stored: with secrets redacted, and at most 200
// bytes.
func said(reason string) string {
	kept, _ := secrets.Redact(reason)
	return text.Clip(kept, 200)
}
