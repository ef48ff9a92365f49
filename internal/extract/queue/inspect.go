package queue

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/saved"
	"github.com/strata-memory/strata/store"
)

// Pending is a session that waits for its facts, or was given up.
type Pending struct {
	store.Extraction
	Turns int64 // that were not read yet
}

// Pending lists sessions that wait, or were given up, in the order in which they are
// read.
func (q *Queue) Pending(ctx context.Context, f store.ExtractionFilter) ([]Pending, error) {
	return store.Read(ctx, q.store, func(r store.Reader) ([]Pending, error) {
		list, err := r.Extractions(ctx, f)
		if err != nil {
			return nil, err
		}
		out := make([]Pending, len(list))
		for i, x := range list {
			session, err := r.Session(ctx, x.Scope, x.Session)
			if err != nil {
				return nil, err
			}
			out[i] = Pending{Extraction: x, Turns: max(session.Turns-x.After, 0)}
		}
		return out, nil
	})
}

// HasModel reports whether a model reads after the rules.
func (q *Queue) HasModel() bool { return q.model != nil }

// Explanation is what the rules make of some turns.
type Explanation struct {
	Found []strata.Candidate // what is to be decided about
	Known int                // how many statements were decided about before
	Left  []extract.Left     // what was said besides, and why nothing is remembered of it
}

// Explain says what the rules make of the turns of a session that follow one of them, and
// writes nothing.
func (q *Queue) Explain(ctx context.Context, scope strata.Scope, session string, after int64) (Explanation, error) {
	var out Explanation
	r := reading{Extraction: store.Extraction{Scope: scope, Session: session, Extractor: store.ByRules, After: after}}
	before, turns, err := q.turnsAfter(ctx, &r, 0)
	if err != nil {
		return out, err
	}
	found, left := extract.Explain(before, spoken(turns))
	out.Left = left
	own := saved.In(turns, isSave)
	var all []strata.Candidate
	for _, c := range found {
		if own.Has(c) {
			out.Left = append(out.Left, extract.Left{Source: c.Sources[len(c.Sources)-1], Text: c.Content, Reason: extract.LeftSaved})
			continue
		}
		all = append(all, c)
	}
	out.Found, err = store.Read(ctx, q.store, func(s store.Reader) ([]strata.Candidate, error) { return q.unseen(ctx, s, all, scope) })
	out.Known = len(all) - len(out.Found)
	return out, err
}

// Replay reads a session again from its first turn, by rules and by the model if there is
// one. What was decided before yields nothing.
func (q *Queue) Replay(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	out, err := q.Extract(ctx, scope, session)
	if err != nil || q.model == nil {
		return out, err
	}
	err = q.store.Update(ctx, func(w store.Writer) error { return w.RestartExtraction(ctx, scope, session, store.ByModel) })
	if err != nil {
		return out, err
	}
	some, err := q.readNext(ctx, &store.Extraction{Scope: scope, Session: session})
	if strata.CodeOf(err) == strata.CodeNotFound {
		err = nil // a worker of the background was faster
	}
	return append(out, some...), err
}

// mostDrained bounds the sessions of one [Queue.Drain].
const mostDrained = 10_000

// Drain reads now what waits in some scopes, nil for all, also what waits for another
// attempt after a failure. What another worker reads is left to it, what was given up
// stays so. Progress is called with the number of sessions that were seen to and of all.
func (q *Queue) Drain(ctx context.Context, scopes []strata.Scope, progress func(done, total int64)) ([]strata.Decision, error) {
	list, err := q.list(ctx, store.ExtractionFilter{Scopes: scopes, Limit: mostDrained})
	if err != nil {
		return nil, err
	}
	var out []strata.Decision
	for i, x := range list {
		if x.Attempts > 0 && x.Owner == "" {
			if err := q.revive(ctx, x); err != nil {
				return out, err
			}
		}
		some, err := q.drainOne(ctx, x)
		out = append(out, some...)
		if err != nil {
			return out, err
		}
		progress(int64(i+1), int64(len(list)))
	}
	return out, nil
}

// drainOne reads one session by its extractor.
func (q *Queue) drainOne(ctx context.Context, x store.Extraction) ([]strata.Decision, error) {
	switch {
	case x.Extractor == store.ByRules:
		out, err := q.ExtractNew(ctx, x.Scope, x.Session)
		if err != nil && !passing(err) && ctx.Err() == nil {
			err = q.fail(ctx, x, err)
		}
		return out, err
	case q.model == nil:
		return nil, nil
	}
	out, err := q.readNext(ctx, &x)
	if strata.CodeOf(err) == strata.CodeNotFound {
		err = nil // another worker reads it, or has
	}
	return out, err
}

// revive has one that failed wait as if it had not. One that is gone is read.
func (q *Queue) revive(ctx context.Context, x store.Extraction) error {
	err := q.store.Update(ctx, func(w store.Writer) error { return w.ReviveExtraction(ctx, x) })
	if strata.CodeOf(err) == strata.CodeNotFound {
		return nil
	}
	return err
}

// Retry has sessions of some scopes that were given up wait again, only the one that is
// named if one is, and returns them.
func (q *Queue) Retry(ctx context.Context, scopes []strata.Scope, session string) ([]store.Extraction, error) {
	list, err := q.list(ctx, store.ExtractionFilter{Scopes: scopes, Session: session, Dead: true, Limit: mostDrained})
	if err != nil {
		return nil, err
	}
	err = q.store.Update(ctx, func(w store.Writer) error {
		for _, x := range list {
			if err := w.ReviveExtraction(ctx, x); err != nil && strata.CodeOf(err) != strata.CodeNotFound {
				return err
			}
		}
		return nil
	})
	return list, err
}

// Drop gives sessions that were given up, in some scopes and of one name, up for good,
// and returns them. Only turns that are said later are read.
func (q *Queue) Drop(ctx context.Context, scopes []strata.Scope, session string, dryRun bool) ([]store.Extraction, error) {
	list, err := q.list(ctx, store.ExtractionFilter{Scopes: scopes, Session: session, Dead: true, Limit: mostDrained})
	if err != nil || dryRun {
		return list, err
	}
	err = q.store.Update(ctx, func(w store.Writer) error {
		for _, x := range list {
			if err := w.DropExtraction(ctx, x); err != nil && strata.CodeOf(err) != strata.CodeNotFound {
				return err
			}
		}
		return nil
	})
	return list, err
}
