package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/internal/extract/saved"
	"github.com/strata-memory/strata/store"
)

// modelPage is how many turns of a session are read from the store for the model.
const modelPage = 200

// ByModel has the model read what waits for it and writes what it finds. Progress is
// called with the number of sessions that were read and of those known to wait; it may
// be nil. How far it came is kept: after an error or a kill it goes on there. A session
// that cannot be read is tried again after a pause, and given up in the end; the others
// are read. The error is that of the store, of ctx, or of a model that does not answer
// now. Without a model it does nothing.
func (q *Queue) ByModel(ctx context.Context, progress func(done, waiting int)) ([]strata.Decision, error) {
	if q.model == nil {
		return nil, nil
	}
	due, err := q.list(ctx, store.ExtractionFilter{Extractor: store.ByModel, Due: true, Limit: 10_000})
	if err != nil {
		return nil, err
	}
	var all []strata.Decision
	for done := 1; ; done++ {
		some, err := q.readNext(ctx, nil)
		all = append(all, some...)
		if strata.CodeOf(err) == strata.CodeNotFound {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		if progress != nil {
			progress(done, max(done, len(due)))
		}
	}
}

// Background is ByModel as the background does it: it returns [ErrLater] if sessions are
// left for another time.
func (q *Queue) Background(ctx context.Context) error {
	if q.model == nil {
		return nil
	}
	if _, err := q.ByModel(ctx, nil); err != nil {
		return err
	}
	return q.later(ctx, store.ByModel)
}

// readNext claims a session, or only the one that is given, and has the model read it.
// If there is none it is not_found.
func (q *Queue) readNext(ctx context.Context, only *store.Extraction) ([]strata.Decision, error) {
	x, err := q.claim(ctx, only)
	if err != nil {
		return nil, err
	}
	failpoint.Hit(failpoint.ExtractClaimed)
	held, stop := q.hold(ctx, x)
	r := reading{Extraction: x}
	err = q.readSession(held, &r)
	lost := errors.Is(err, errLost) || errors.Is(context.Cause(held), errLost)
	stop()
	switch {
	case err == nil:
	case lost:
		q.log.Info("another worker reads on", "session", x.Session)
	case ctx.Err() != nil:
		q.release(ctx, r.Extraction, nil)
		return r.decisions, ctx.Err()
	case passing(err):
		q.release(ctx, r.Extraction, err)
		return r.decisions, fmt.Errorf("read session %s: %w", x.Session, err)
	default:
		return r.decisions, q.fail(ctx, r.Extraction, err)
	}
	return r.decisions, nil
}

// readSession has the model read the turns of a session that wait for it, also those
// that come meanwhile.
func (q *Queue) readSession(ctx context.Context, r *reading) error {
	for {
		before, turns, err := q.turnsAfter(ctx, r, modelPage)
		if err != nil {
			return err
		}
		own := saved.In(turns, isSave)
		for _, part := range q.model.Parts(spoken(turns)) {
			if err := q.readPart(ctx, r, before, part, own); err != nil {
				return err
			}
			failpoint.Hit(failpoint.ExtractWritten)
			if err := q.move(ctx, r, part[len(part)-1].Seq); err != nil {
				return err
			}
			before = lastOf(part)
		}
		if len(turns) > 0 { // those after the last that spoke
			err = q.move(ctx, r, turns[len(turns)-1].Seq)
		} else {
			err = q.move(ctx, r, r.After)
		}
		if err != nil || r.done {
			return err
		}
	}
}

// readPart has the model read turns and writes what it finds. An answer of which some
// can be used is left at that: the rules have read the turns.
func (q *Queue) readPart(ctx context.Context, r *reading, before, turns []strata.Turn, own saved.Texts) error {
	bounded, cancel := context.WithTimeout(ctx, partLimit)
	defer cancel()
	known, err := q.memory.RelatedFacts(bounded, strata.ViewOf(r.Scope.Workspace, r.Scope.Agent), turns, prompt.MaxFacts)
	if err != nil {
		return err
	}
	found, dropped, err := q.model.Read(bounded, before, turns, known)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		switch strata.CodeOf(err) {
		case strata.CodeUnavailable, strata.CodeCanceled, strata.CodeDenied, strata.CodeNotFound, strata.CodeBusy:
			return unanswered{err} // the server does not answer now; it is asked again later
		}
	}
	if err != nil {
		return fmt.Errorf("read the turns %d to %d: %w", turns[0].Seq, turns[len(turns)-1].Seq, err)
	}
	if len(dropped) > 0 {
		q.log.Info("not all that a model answered can be used", "session", r.Session, "from", turns[0].Seq, "dropped", dropped)
	}
	fresh, err := store.Read(ctx, q.store, func(s store.Reader) ([]strata.Candidate, error) {
		return q.unseen(ctx, s, own.Without(found), r.Scope)
	})
	if err != nil || len(fresh) == 0 {
		return err
	}
	failpoint.Hit(failpoint.ExtractFound)
	if err := q.renew(ctx, r.Extraction); err != nil { // whoever lost it writes nothing
		return err
	}
	return q.write(ctx, r, fresh)
}

// write writes candidates one by one, and leaves out what memory refuses for what it
// says.
func (q *Queue) write(ctx context.Context, r *reading, cs []strata.Candidate) error {
	for _, c := range cs {
		some, err := q.memory.WriteBatch(ctx, []strata.Candidate{c})
		r.decisions = append(r.decisions, some...)
		switch strata.CodeOf(err) {
		case "":
		case strata.CodeConflict, strata.CodeNotFound, strata.CodeRejectedSecret, strata.CodeForgotten, strata.CodeInvalid, strata.CodeTooLarge:
			q.log.Info("what was found was not written", "session", r.Session, "by", r.Extractor, "error", err)
		default:
			return err
		}
	}
	return nil
}
