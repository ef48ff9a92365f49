package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/store"
)

// Save stores a text in a scope. It is [Engine.Write] with only the text.
func (e *Engine) Save(ctx context.Context, scope strata.Scope, text string) (strata.Decision, error) {
	return e.Write(ctx, strata.Candidate{Scope: scope, Content: text})
}

// Write decides about a candidate and applies the decision. If the error is nil, the
// decision is durable.
//
// A text that holds a secret is refused with rejected_secret; Write returns the decision
// along with the error and does not keep the text. An attempt to write what only the
// system may write is refused with denied in the same way. A noop is not an error: its
// reason says why there was nothing to do.
//
// A candidate with a path is about a document: hand edits of the file are recorded first,
// and the file is updated after the decision.
func (e *Engine) Write(ctx context.Context, c strata.Candidate) (strata.Decision, error) {
	decisions, err := e.WriteBatch(ctx, []strata.Candidate{c})
	if err != nil {
		return strata.Decision{}, err
	}
	d := decisions[0]
	if d.Op == strata.OpReject {
		return d, decide.Rejection(d)
	}
	return d, nil
}

// WriteBatch writes candidates in order, in one transaction that concurrent writes may
// share. A model outside this process is asked once for all vectors. Either all decisions
// are durable or, on an error, nothing changed; a [BatchError] names the candidate that
// failed. A rejected candidate is a decision here, not an error.
func (e *Engine) WriteBatch(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error) {
	proposals, err := e.prepare(ctx, cs, nil)
	if err != nil {
		return nil, err
	}
	if err := e.noticeHandEdits(ctx, proposals); err != nil {
		return nil, err
	}
	return e.settle(ctx, proposals)
}

// settle decides about the proposals durably and starts the work that follows.
func (e *Engine) settle(ctx context.Context, proposals []proposal) ([]strata.Decision, error) {
	failpoint.Hit(failpoint.WritePrepared)

	decisions, err := e.commit(ctx, proposals)
	for errors.Is(err, errUndecided) {
		// The transaction is rolled back, because no model is asked inside one.
		e.advise(ctx, proposals)
		decisions, err = e.commit(ctx, proposals)
	}
	if err != nil {
		return nil, err
	}
	failpoint.Hit(failpoint.WriteCommitted)

	e.projector.Decided(decisions...)
	for _, p := range proposals {
		if p.unembedded(e) {
			e.embeds.Wake()
			break
		}
	}
	return decisions, nil
}

// Preview returns the decision that Write would make now, and changes nothing.
func (e *Engine) Preview(ctx context.Context, c strata.Candidate) (strata.Decision, error) {
	proposals, err := e.prepare(ctx, []strata.Candidate{c}, nil)
	if err != nil {
		return strata.Decision{}, err
	}
	var d strata.Decision
	err = e.store.View(ctx, func(r store.Reader) error {
		seen := newLookups(e, r)
		outcome, stored, err := e.decide(ctx, r, seen, &proposals[0])
		if err != nil || stored != nil {
			if stored != nil {
				d = *stored
			}
			return err
		}
		now := e.opts.Now()
		if draft := proposals[0].draft; draft != nil {
			d = e.blankDecision(&proposals[0], outcome, now)
			d.ID = ""
			return seen.docs.Complete(ctx, draft, &d)
		}
		d = e.newDecision(&proposals[0], outcome, now)
		d.ID = "" // nothing was recorded under an id
		if !bringsFact(outcome.Op) {
			return nil
		}
		f, err := e.newFact(ctx, seen, &proposals[0], outcome, now)
		if outcome.Op != strata.OpUpdate {
			f.ID = ""
		}
		d.FactID, d.After = f.ID, &f
		return err
	})
	return d, err
}

// errUndecided rolls back a transaction in which a decision needs advice.
var errUndecided = errors.New("a decision needs advice")

// commit decides and applies the proposals of a batch in one transaction.
func (e *Engine) commit(ctx context.Context, proposals []proposal) ([]strata.Decision, error) {
	var decisions []strata.Decision
	var due []strata.Scope
	err := e.store.Update(ctx, func(w store.Writer) error {
		failpoint.Hit(failpoint.WriteBegun)
		seen := newLookups(e, w)
		defer func() { due = seen.due }()
		if err := e.categories.acquire(ctx, w, seen); err != nil {
			return err
		}
		var err error
		if decisions, err = e.decideAll(ctx, w, seen, proposals); err != nil {
			return err
		}
		failpoint.Hit(failpoint.WriteRecorded)
		return e.categories.release(ctx, w, seen)
	})
	if err != nil {
		return nil, err
	}
	e.regrouper.add(due)
	return decisions, nil
}

// decideAll decides and applies the proposals of a batch.
func (e *Engine) decideAll(ctx context.Context, w store.Writer, seen *lookups, proposals []proposal) ([]strata.Decision, error) {
	decisions := make([]strata.Decision, len(proposals))
	undecided := false
	for i := range proposals {
		p := &proposals[i]
		outcome, stored, err := e.decide(ctx, w, seen, p)
		if err != nil {
			return nil, inBatch(err, i, len(proposals))
		}
		if stored != nil {
			decisions[i] = *stored
			if p.draft != nil {
				if err := seen.docs.RecordQuietly(ctx, w, p.draft); err != nil {
					return nil, inBatch(err, i, len(proposals))
				}
			}
			continue
		}
		if outcome.Ambiguous != nil && e.opts.Adviser != nil && !p.advised {
			p.ambiguity = outcome.Ambiguous
			undecided = true
		}
		if undecided {
			continue // continue only to collect every question of the batch
		}
		failpoint.Hit(failpoint.WriteDecided)
		if p.draft != nil {
			decisions[i], err = e.applyDocument(ctx, w, seen, p, outcome)
		} else {
			decisions[i], err = e.apply(ctx, w, seen, p, outcome)
		}
		if err != nil {
			return nil, inBatch(err, i, len(proposals))
		}
	}
	if undecided {
		return nil, errUndecided
	}
	return decisions, nil
}

// BatchError is the error that ended a batch of several candidates.
type BatchError struct {
	Index, Len int // position of the failing candidate, from 0, and size of the batch
	Err        error
}

// Error names the candidate by its number, from 1.
func (b *BatchError) Error() string {
	return fmt.Sprintf("candidate %d of %d: %v", b.Index+1, b.Len, b.Err)
}

// Unwrap returns the cause.
func (b *BatchError) Unwrap() error { return b.Err }

// inBatch adds the position of a candidate to its error, if there are several.
func inBatch(err error, i, n int) error {
	if n == 1 {
		return err
	}
	return &BatchError{Index: i, Len: n, Err: err}
}

// decide reads the targets of a proposal and has the controller decide. If a decision is
// already stored under the proposal's request id, decide returns that instead.
func (e *Engine) decide(ctx context.Context, r store.Reader, seen *lookups, p *proposal) (decide.Outcome, *strata.Decision, error) {
	if err := p.locate(ctx, r); err != nil {
		return decide.Outcome{}, nil, err
	}
	stored, err := e.replayed(ctx, r, seen, p)
	if err != nil || stored != nil {
		return decide.Outcome{}, stored, err
	}
	return e.decideNew(ctx, r, seen, p)
}

// decideNew decides a proposal as if its request were made for the first time.
func (e *Engine) decideNew(ctx context.Context, r store.Reader, seen *lookups, p *proposal) (decide.Outcome, *strata.Decision, error) {
	c := p.candidate
	if p.draft != nil {
		return seen.docs.Decide(ctx, p.draft)
	}
	in, err := e.targets(ctx, r, seen, p)
	if err != nil {
		return decide.Outcome{}, nil, err
	}
	outcome := decide.Decide(in)
	if outcome.Err != nil {
		return decide.Outcome{}, nil, outcome.Err
	}
	if outcome.Op == strata.OpSupersede && c.Origin == strata.OriginExtractor {
		before, err := saidBefore(ctx, r, p, outcome.Target)
		if err != nil {
			return decide.Outcome{}, nil, err
		}
		if before {
			return decide.SaidBefore(outcome), nil, nil
		}
	}
	return outcome, nil, nil
}

// saidBefore reports whether the turns of an extracted candidate are older than those of
// fact f. It reports false if either has no turns in this memory.
func saidBefore(ctx context.Context, r store.Reader, p *proposal, f *strata.Fact) (bool, error) {
	scopes := append(strata.ViewOf(p.candidate.Workspace, p.candidate.Agent).Scopes, p.candidate.Scope)
	said, err := lastSaidAt(ctx, r, scopes, p.candidate.Sources)
	if err != nil || said.IsZero() {
		return false, err
	}
	known, err := lastSaidAt(ctx, r, scopes, f.Sources)
	return said.Before(known), err
}

// lastSaidAt returns the time of the latest of some turns; zero if none exists.
func lastSaidAt(ctx context.Context, r store.Reader, scopes []strata.Scope, turns []string) (last time.Time, err error) {
	for _, id := range turns {
		t, err := r.Turn(ctx, scopes, id)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return last, err
		}
		if err == nil && t.At.After(last) {
			last = t.At
		}
	}
	return last, nil
}

// advise asks the adviser about every undecided proposal. Without an answer, the default
// of the rules applies.
func (e *Engine) advise(ctx context.Context, proposals []proposal) {
	for i := range proposals {
		p := &proposals[i]
		if p.ambiguity == nil || p.advised {
			continue
		}
		p.advised = true
		askCtx, cancel := context.WithTimeout(ctx, e.opts.AdviseTimeout)
		advice, err := e.opts.Adviser.Advise(askCtx, p.candidate, *p.ambiguity)
		cancel()
		if err != nil {
			p.notes = append(p.notes, "the model gave no advice; decided by rules")
			e.opts.Logger.Warn("no advice", "error", err)
			continue
		}
		p.advice = &advice
	}
}
