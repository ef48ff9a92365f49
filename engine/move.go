package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/store"
)

// MoveOptions control MoveFacts. The zero value moves the facts.
type MoveOptions struct {
	DryRun bool          // return the decisions that would be made, change nothing
	Origin strata.Origin // empty: api
	Agent  string
	Reason string
}

const opMove = "move fact"

// MoveFacts moves facts of a view to another scope, all in one transaction, and returns
// one decision for each. In the new scope a fact gets a new id: it supersedes the old
// one, which stays in the history. Reverting the decision brings the old one back.
//
// If the other scope already has the same fact or a later value for the slot, the fact is
// only retired and its decision says so. An earlier value there is retired by a decision
// of its own.
//
// It returns not_found for a fact that is not in the view, conflict for one that is no
// longer current or changed meanwhile, and invalid for one that is already in the scope.
func (e *Engine) MoveFacts(ctx context.Context, view strata.View, to strata.Scope, facts []string, o MoveOptions) ([]strata.Decision, error) {
	if err := errors.Join(view.Validate(), to.Validate()); err != nil {
		return nil, err
	}
	moved := make([]strata.Fact, len(facts))
	batch := make([]strata.Candidate, len(facts))
	err := e.store.View(ctx, func(r store.Reader) error {
		for i, name := range facts {
			f, err := movable(ctx, r, view, to, name)
			if err != nil {
				return err
			}
			moved[i], batch[i] = f, strata.Candidate{
				Scope: to, Content: f.Text, Type: f.Type, Category: f.Category, Entity: f.Entity, Attribute: f.Attribute,
				Verbatim: f.Verbatim, Sources: f.Sources, Confidence: f.Confidence, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason,
			}
			if f.ValidFrom != nil {
				batch[i].ValidFrom = *f.ValidFrom
			}
			if f.ValidTo != nil {
				batch[i].ValidTo = *f.ValidTo
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	proposals, err := e.prepare(ctx, batch, nil)
	if err != nil {
		return nil, err
	}
	m := mover{engine: e, view: view, to: to}
	err = e.store.Update(ctx, func(w store.Writer) error {
		m.w, m.seen = w, newLookups(e, w)
		if err := e.categories.acquire(ctx, w, m.seen); err != nil {
			return err
		}
		for i := range proposals {
			if err := m.move(ctx, &proposals[i], moved[i]); err != nil {
				return err
			}
		}
		if o.DryRun {
			return errDryRun
		}
		return e.categories.release(ctx, w, m.seen)
	})
	if o.DryRun && errors.Is(err, errDryRun) {
		for i := range m.decisions {
			d := &m.decisions[i]
			d.ID = ""
			if d.After != nil {
				d.FactID, d.After.ID = "", "" // nothing was stored under an id
			}
		}
		return m.decisions, nil
	}
	if err != nil {
		return nil, err
	}
	e.regrouper.add(m.seen.due)
	e.projector.Decided(slices.Concat(m.decisions, m.consequent)...)
	e.embeds.Wake()
	return m.decisions, nil
}

// movable returns the current version of a fact to be moved.
func movable(ctx context.Context, r store.Reader, view strata.View, to strata.Scope, name string) (strata.Fact, error) {
	f, err := r.Fact(ctx, view.Scopes, name)
	switch {
	case err != nil:
		return f, err
	case f.Scope == to:
		return f, strata.Invalid(opMove, "fact "+name+" is already in "+to.Key(), "name a different scope")
	case !f.Current():
		return f, &strata.Error{Code: strata.CodeConflict, Op: opMove, Message: "fact " + name + " is no longer believed",
			Hint: "strata fact show " + name + " shows what took its place"}
	}
	return f, nil
}

// mover moves facts in one transaction.
type mover struct {
	engine *Engine
	view   strata.View
	to     strata.Scope
	w      store.Writer
	seen   *lookups
	// decisions has one for each fact, consequent those that follow from them.
	decisions, consequent []strata.Decision
}

// move decides what to do with a fact and does it.
func (m *mover) move(ctx context.Context, p *proposal, f strata.Fact) error {
	now, err := movable(ctx, m.w, m.view, m.to, f.ID)
	if err != nil {
		return err
	}
	if now.Generation != f.Generation {
		return &strata.Error{Code: strata.CodeConflict, Op: opMove, Message: "fact " + f.ID + " changed meanwhile", Hint: "try again"}
	}
	o, _, err := m.engine.decide(ctx, m.w, m.seen, p)
	switch there := o.Target; {
	case err != nil:
		return err
	case o.Op == strata.OpReject:
		return decide.Rejection(strata.Decision{Op: o.Op, Reason: o.Reason, Rules: o.Rules})
	case o.Op == strata.OpNoop && there == nil:
		return &strata.Error{Code: strata.CodeForgotten, Op: opMove, Message: "what fact " + f.ID + " says was forgotten in " + m.to.Key(), Hint: "save it there if you want it back"}
	case o.Op == strata.OpNoop:
		return m.end(ctx, p, f, m.to.Key()+" already says so: "+there.ID)
	case there != nil && there.RecordedAt.After(f.RecordedAt):
		return m.end(ctx, p, f, m.to.Key()+" has a later value: "+there.ID)
	}
	return m.carry(ctx, p, f, o)
}

// end retires a fact without storing it in the other scope.
func (m *mover) end(ctx context.Context, p *proposal, f strata.Fact, reason string) error {
	o := decide.Outcome{Op: strata.OpDelete, Target: &f, Reason: reason, Rules: []string{"move"}, Confidence: 1}
	return m.retire(ctx, p, o, "", &m.decisions)
}

// carry stores a fact in the other scope and retires the one here.
func (m *mover) carry(ctx context.Context, p *proposal, f strata.Fact, o decide.Outcome) error {
	e, there := m.engine, o.Target
	o.Op, o.Target = strata.OpSupersede, &f
	o.Reason, o.Rules = "moved from "+f.Scope.Key(), append(o.Rules, "move")
	d := e.newDecision(p, o, m.w.Now())
	fact, err := e.newFact(ctx, m.seen, p, o, m.w.Now())
	if err != nil {
		return err
	}
	fact.Origin = f.Origin
	d.FactID, d.After = fact.ID, &fact
	if there != nil {
		room := decide.Outcome{Op: strata.OpDelete, Target: there, Rules: o.Rules, Confidence: 1,
			Reason: "makes room for the later " + fact.ID + ", " + o.Reason}
		if err := m.retire(ctx, p, room, fact.ID, &m.consequent); err != nil {
			return err
		}
	}
	if err := e.retire(ctx, m.w, &f, fact.ID); err != nil {
		return err
	}
	m.seen.retired(f)
	if err := e.keep(ctx, m.w, m.seen, fact, recall.FactText(fact), nil, p.vectors); err != nil {
		return err
	}
	if err := m.record(ctx, d, &m.decisions); err != nil {
		return err
	}
	left, err := e.recordLeft(ctx, m.w, d)
	m.consequent = append(m.consequent, left...)
	return err
}

// retire carries out an outcome that deletes its target.
func (m *mover) retire(ctx context.Context, p *proposal, o decide.Outcome, next string, list *[]strata.Decision) error {
	d := m.engine.newDecision(p, o, m.w.Now())
	d.Scope = o.Target.Scope
	if err := m.engine.retire(ctx, m.w, o.Target, next); err != nil {
		return err
	}
	m.seen.retired(*o.Target)
	return m.record(ctx, d, list)
}

func (m *mover) record(ctx context.Context, d strata.Decision, list *[]strata.Decision) error {
	*list = append(*list, d)
	if err := m.w.AppendDecision(ctx, d); err != nil {
		return err
	}
	return m.w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteCommitted, Scope: d.Scope, Ref: d.ID, Detail: string(d.Op), At: d.DecidedAt})
}

// recordLeft records in a scope that decision d moved one of its facts elsewhere, so that
// its log and files show it. For a decision within one scope it does nothing.
func (e *Engine) recordLeft(ctx context.Context, w store.Writer, d strata.Decision) ([]strata.Decision, error) {
	if d.Before == nil || d.After == nil || d.Before.Scope == d.Scope {
		return nil, nil
	}
	left := d
	left.ID, left.Scope, left.Op = e.ids.New(id.Decision, d.DecidedAt), d.Before.Scope, strata.OpDelete
	left.FactID, left.After, left.Reverts, left.RequestID = d.Before.ID, nil, "", ""
	left.Reason = "moved to " + d.Scope.Key() + " as " + d.After.ID
	return []strata.Decision{left}, w.AppendDecision(ctx, left)
}
