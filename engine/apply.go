package engine

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// newDecision returns the decision that records an outcome, with Before and After as far
// as the outcome has them.
func (e *Engine) newDecision(p *proposal, o decide.Outcome, now time.Time) strata.Decision {
	d := e.blankDecision(p, o, now)
	if o.Target != nil {
		d.FactID = o.Target.ID
	}
	switch o.Op {
	case strata.OpUpdate, strata.OpSupersede, strata.OpDelete:
		before := *o.Target
		d.Before = &before
	}
	if !e.followed() || !o.Op.Changed() {
		d.AppliedAt = &now // nothing has to follow
	}
	return d
}

// blankDecision returns the part that decisions about facts and documents share.
func (e *Engine) blankDecision(p *proposal, o decide.Outcome, now time.Time) strata.Decision {
	c := p.candidate
	d := strata.Decision{
		ID:         e.ids.New(id.Decision, now),
		RequestID:  c.RequestID,
		Scope:      c.Scope,
		Op:         o.Op,
		Reason:     o.Reason,
		Rules:      o.Rules,
		Confidence: o.Confidence,
		Origin:     c.Origin,
		Agent:      c.Agent,
		Session:    c.Session,
		Notes:      p.notes,
		DecidedAt:  now,
	}
	if d.Origin == "" {
		d.Origin = strata.OriginAPI
	}
	if c.Reason != "" && len(p.secrets) == 0 {
		d.Notes = append(slices.Clone(d.Notes), "proposed because: "+text.Clip(c.Reason, 200))
	}
	return d
}

// apply carries out an outcome and records the decision, within the transaction.
func (e *Engine) apply(ctx context.Context, w store.Writer, seen *lookups, p *proposal, o decide.Outcome) (strata.Decision, error) {
	now := w.Now()
	d := e.newDecision(p, o, now)
	event := strata.Event{Kind: strata.EventWriteCommitted, Scope: d.Scope, Ref: d.ID, Detail: string(d.Op), At: now}
	switch {
	case o.Op == strata.OpReject:
		event.Kind = strata.EventWriteRejected
	case o.Op == strata.OpNoop:
		event.Kind = strata.EventWriteNoop
	case o.Op == strata.OpDelete:
		if err := e.retire(ctx, w, d.Before, ""); err != nil {
			return d, err
		}
		seen.retired(*d.Before)
	case bringsFact(o.Op):
		f, err := e.newFact(ctx, seen, p, o, now)
		if err != nil {
			return d, err
		}
		if d.Before != nil {
			next := ""
			if o.Op == strata.OpSupersede {
				next = f.ID
			}
			if err := e.retire(ctx, w, d.Before, next); err != nil {
				return d, err
			}
			seen.retired(*d.Before)
			failpoint.Hit(failpoint.WriteRetired)
		}
		indexed, analysis, vectors := p.indexed, p.analysis, p.vectors
		if f.Entity != p.candidate.Entity { // it took over a slot
			indexed, analysis, vectors = recall.FactText(f), nil, nil
		}
		if p.candidate.Category != "" && p.candidate.Origin.Explicit() {
			categories, err := seen.categoriesOf(ctx, f.Scope)
			if err != nil {
				return d, err
			}
			if err := categories.Pin(ctx, w, f.Category); err != nil {
				return d, err
			}
		}
		if err := e.keep(ctx, w, seen, f, indexed, analysis, vectors); err != nil {
			return d, err
		}
		if o.Op == strata.OpAdd {
			if err := store.AppendShadowed(ctx, w, f); err != nil {
				return d, err
			}
		}
		d.FactID, d.After = f.ID, &f
	}
	if err := e.confirm(ctx, w, p.candidate, d); err != nil { // before the decision itself counts as one about the fact
		return d, err
	}
	if err := w.AppendDecision(ctx, d); err != nil {
		return d, err
	}
	return d, w.AppendEvent(ctx, event)
}

// bringsFact reports whether an operation stores a new version of a fact.
func bringsFact(op strata.Op) bool {
	return op == strata.OpAdd || op == strata.OpUpdate || op == strata.OpSupersede
}

// newFact returns the version that an add, update or supersede stores.
func (e *Engine) newFact(ctx context.Context, seen *lookups, p *proposal, o decide.Outcome, now time.Time) (strata.Fact, error) {
	c := p.candidate
	f := strata.Fact{
		ID:         e.ids.New(id.Fact, now),
		Scope:      c.Scope,
		Type:       c.Type,
		Category:   c.Category,
		Text:       c.Content,
		Entity:     c.Entity,
		Attribute:  c.Attribute,
		Sources:    c.Sources,
		Tags:       p.tags,
		Confidence: c.Confidence,
		Origin:     c.Origin,
		Generation: 1,
		Verbatim:   c.Verbatim,
		RecordedAt: now,
	}
	if !c.ValidFrom.IsZero() {
		f.ValidFrom = &c.ValidFrom
	}
	if !c.ValidTo.IsZero() {
		f.ValidTo = &c.ValidTo
	}
	if o.Op == strata.OpUpdate {
		inherit(&f, o.Target)
	}
	if o.Op == strata.OpSupersede {
		f.Supersedes = o.Target.ID
	}
	categories, err := seen.categoriesOf(ctx, f.Scope)
	if err != nil {
		return f, err
	}
	if f.Category == "" {
		f.Category = categories.Assign(p.subject, p.vectors.Of(categories.Model()))
	} else {
		f.Category = categories.Chosen(f.Category)
	}
	return f, nil
}

// inherit copies to a new version of a fact what its candidate left open.
func inherit(f *strata.Fact, before *strata.Fact) {
	f.ID = before.ID
	f.Generation = before.Generation + 1
	f.Supersedes = before.Supersedes
	if f.Type == "" {
		f.Type = before.Type
	}
	if f.Category == "" {
		f.Category = before.Category
	}
	if f.Entity == "" {
		f.Entity, f.Attribute = before.Entity, before.Attribute
	}
	if f.ValidFrom == nil {
		f.ValidFrom = before.ValidFrom
	}
	if f.ValidTo == nil {
		f.ValidTo = before.ValidTo
	}
	if len(f.Sources) == 0 {
		f.Sources = before.Sources
	}
}

// retire ends the current version of a fact.
func (e *Engine) retire(ctx context.Context, w store.Writer, f *strata.Fact, supersededBy string) error {
	return w.RetireFact(ctx, f.Scope, f.ID, f.Generation, supersededBy)
}

// keep stores a version and indexes it by indexed, the text of [recall.FactText].
// analysis is that of indexed, or nil.
func (e *Engine) keep(ctx context.Context, w store.Writer, seen *lookups, f strata.Fact, indexed string, analysis *store.Analysis, vectors store.Vectors) error {
	number, err := w.PutFact(ctx, f)
	if err != nil {
		return err
	}
	failpoint.Hit(failpoint.WriteStored)
	st, err := seen.state(ctx)
	if err != nil {
		return err
	}
	passage := recall.FactPassage(number, f, indexed)
	passage.Analysis = analysis
	if err := embedding.Put(ctx, w, st, passage, vectors); err != nil {
		return err
	}
	failpoint.Hit(failpoint.WriteIndexed)
	seen.added(f, vectors.Of(st.Serving))
	return nil
}
