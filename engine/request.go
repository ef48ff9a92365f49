package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/store"
)

// replayed returns the decision that the request id of a proposal led to before, marked
// as replayed; nil if the id is new. An id used for another operation, scope or content
// is a conflict. The original request is inferred from what its decision did, so that no
// more of its content needs to be kept.
func (e *Engine) replayed(ctx context.Context, r store.Reader, seen *lookups, p *proposal) (*strata.Decision, error) {
	c := p.candidate
	if c.RequestID == "" {
		return nil, nil
	}
	d, err := r.DecisionByRequest(ctx, c.Scope, c.RequestID)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return nil, e.elsewhere(ctx, r, c)
	}
	if err != nil {
		return nil, err
	}
	if c.Origin.Explicit() { // other origins derive the id from the content
		same, err := e.asked(ctx, r, seen, p, d)
		if err != nil {
			return nil, err
		}
		if !same {
			return nil, strata.RequestConflict("write", d)
		}
	}
	d.Replayed = true
	return &d, nil
}

// elsewhere refuses a request id that led to a decision in another scope visible to the
// caller.
func (e *Engine) elsewhere(ctx context.Context, r store.Reader, c strata.Candidate) error {
	if !c.Origin.Explicit() {
		return nil
	}
	for _, s := range strata.ViewOf(c.Workspace, c.Agent).Scopes {
		if s == c.Scope {
			continue
		}
		d, err := r.DecisionByRequest(ctx, s, c.RequestID)
		if err == nil {
			return strata.RequestConflict("write", d)
		}
		if strata.CodeOf(err) != strata.CodeNotFound {
			return err
		}
	}
	return nil
}

// asked reports whether a proposal asks for the same as a decision. Text that was
// forgotten since cannot be compared and counts as the same.
func (e *Engine) asked(ctx context.Context, r store.Reader, seen *lookups, p *proposal, d strata.Decision) (bool, error) {
	c := p.candidate
	switch {
	case d.Document != nil && d.Document.Path != c.Path, d.Document == nil && c.Path != "" && d.Op != strata.OpReject:
		return false, nil
	case !d.Op.Changed():
		return e.idleAgain(ctx, r, seen, p, d)
	case (c.Action == strata.ActionDelete) != (d.Op == strata.OpDelete):
		return false, nil
	case d.Document != nil && c.Action == strata.ActionDelete:
		return true, nil
	case d.Document != nil:
		after := d.Document.After
		return after == nil || !documents.IsWhole(*after) || after.Content == p.draft.Document.Content, nil
	case c.Target != "" && c.Target != d.FactID && (d.Before == nil || c.Target != d.Before.ID):
		return false, nil
	case c.Action == strata.ActionDelete || d.After == nil || d.After.Text == strata.ForgottenText:
		return true, nil
	}
	return d.After.Text == c.Content && (c.Type == "" || c.Target != "" || d.After.Type == c.Type), nil
}

// idleAgain reports whether a proposal may be the one that led to a noop or rejection.
// The decision holds no text; the fact or file it names does. If that has changed since,
// a repeated call must still do nothing. Otherwise the proposal is the same if it would
// change nothing now either.
func (e *Engine) idleAgain(ctx context.Context, r store.Reader, seen *lookups, p *proposal, d strata.Decision) (bool, error) {
	c := p.candidate
	if d.FactID != "" && c.Path == "" {
		f, err := r.Fact(ctx, []strata.Scope{c.Scope}, d.FactID)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return false, err
		}
		if err != nil || f.Text == c.Content || !f.Current() || f.RecordedAt.After(d.DecidedAt) {
			return true, nil
		}
	}
	if c.Path != "" && d.Op == strata.OpNoop {
		now, err := documents.At(ctx, r, c.Scope, c.Path)
		if err != nil || now == nil {
			return err == nil, err
		}
		if now.Content == p.draft.Document.Content || now.RecordedAt.After(d.DecidedAt) {
			return true, nil
		}
	}
	outcome, _, err := e.decideNew(ctx, r, seen, p)
	if err != nil {
		return false, err
	}
	return !outcome.Op.Changed(), nil
}
