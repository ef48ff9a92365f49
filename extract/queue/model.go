package queue

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/extract/prompt"
	"github.com/strata-memory/strata/store"
)

// modelPage is how many turns of a session are read from the store for the model.
const modelPage = 200

// ByModel has the model read what waits for it and writes what it finds. Progress is
// called with the number of sessions that were read and of those known to wait; it may
// be nil. How far it came is kept: after an error or a kill it goes on there. Without a
// model it does nothing.
func (q *Queue) ByModel(ctx context.Context, progress func(done, waiting int)) ([]strata.Decision, error) {
	if q.model == nil {
		return nil, nil
	}
	var all []strata.Decision
	for done := 0; ; {
		due, err := store.Read(ctx, q.store, func(r store.Reader) ([]store.Extraction, error) {
			return r.Extractions(ctx, store.ExtractionFilter{Extractor: store.ByModel, Limit: page})
		})
		if err != nil || len(due) == 0 {
			return all, err
		}
		for i, x := range due {
			some, err := q.readSession(ctx, x)
			all = append(all, some...)
			if err != nil {
				return all, fmt.Errorf("read session %s: %w", x.Session, err)
			}
			if progress != nil {
				progress(done+i+1, done+len(due))
			}
		}
		done += len(due)
	}
}

// readSession has the model read the turns of a session that wait for it.
func (q *Queue) readSession(ctx context.Context, x store.Extraction) ([]strata.Decision, error) {
	var all []strata.Decision
	for {
		turns, err := store.Read(ctx, q.store, func(r store.Reader) ([]strata.Turn, error) {
			return r.Turns(ctx, x.Scope, x.Session, store.TurnFilter{After: x.After, Limit: modelPage, NoImages: true})
		})
		if err != nil || len(turns) == 0 {
			return all, err
		}
		for _, part := range q.model.Parts(spoken(turns)) {
			some, err := q.readPart(ctx, x, part)
			all = append(all, some...)
			if err != nil {
				return all, err
			}
			if err := q.move(ctx, &x, part[len(part)-1].Seq); err != nil {
				return all, err
			}
		}
		if err := q.move(ctx, &x, turns[len(turns)-1].Seq); err != nil { // those after the last that spoke
			return all, err
		}
	}
}

// readPart has the model read turns and writes what it finds. An answer that cannot be
// used is left at that: the rules have read the turns.
func (q *Queue) readPart(ctx context.Context, x store.Extraction, turns []strata.Turn) ([]strata.Decision, error) {
	known, err := q.memory.Meant(ctx, strata.ViewOf(x.Scope.Workspace, x.Scope.Agent), turns, prompt.MaxFacts)
	if err != nil {
		return nil, err
	}
	found, dropped, err := q.model.Read(ctx, turns, known)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	switch strata.CodeOf(err) {
	case strata.CodeUnavailable, strata.CodeCanceled, strata.CodeDenied, strata.CodeNotFound, strata.CodeBusy:
		return nil, err // the server does not answer now; it is asked again later
	}
	if err != nil || len(dropped) > 0 {
		q.log.Info("not all that a model answered can be used", "session", x.Session, "from", turns[0].Seq, "error", err, "dropped", dropped)
	}
	fresh, err := store.Read(ctx, q.store, func(r store.Reader) ([]strata.Candidate, error) { return q.unseen(ctx, r, found, x.Scope) })
	if err != nil {
		return nil, err
	}
	var out []strata.Decision
	for _, c := range fresh {
		some, err := q.memory.WriteBatch(ctx, []strata.Candidate{c})
		out = append(out, some...)
		switch strata.CodeOf(err) {
		case "":
		case strata.CodeConflict, strata.CodeNotFound, strata.CodeRejectedSecret, strata.CodeForgotten:
			q.log.Info("what a model found was not written", "session", x.Session, "error", err)
		default:
			return out, err
		}
	}
	return out, nil
}
