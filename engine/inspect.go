package engine

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Scopes lists every scope that owns anything. It is for maintenance: reads on behalf of
// an agent use a view.
func (e *Engine) Scopes(ctx context.Context) ([]strata.Scope, error) {
	return store.Read(ctx, e.store, func(r store.Reader) ([]strata.Scope, error) { return r.Scopes(ctx) })
}

// Fact returns all versions of a fact in a view, oldest first.
func (e *Engine) Fact(ctx context.Context, view strata.View, fact string) ([]strata.Fact, error) {
	if err := view.Validate(); err != nil {
		return nil, err
	}
	return store.Read(ctx, e.store, func(r store.Reader) ([]strata.Fact, error) {
		f, err := r.Fact(ctx, view.Scopes, fact)
		if err != nil {
			return nil, err
		}
		if view.Hides(f) {
			return nil, strata.NotFound("show fact", "fact", fact)
		}
		return r.FactVersions(ctx, f.Scope, f.ID)
	})
}

// Facts lists the facts of each scope of a view, newest first within a scope.
func (e *Engine) Facts(ctx context.Context, view strata.View, f strata.FactFilter) ([]strata.Fact, error) {
	return store.ReadEach(ctx, e.store, view, func(r store.Reader, s strata.Scope) ([]strata.Fact, error) {
		facts, err := r.Facts(ctx, s, f)
		return slices.DeleteFunc(facts, view.Hides), err
	})
}

// SourceTurns returns the turns of a view by their ids, to name the sources of facts. It
// leaves out ids that the view does not hold.
func (e *Engine) SourceTurns(ctx context.Context, view strata.View, ids []string) (map[string]strata.Turn, error) {
	return store.Read(ctx, e.store, func(r store.Reader) (map[string]strata.Turn, error) { return store.TurnsByID(ctx, r, view.Scopes, ids) })
}

// AllFacts lists all facts of a view that a filter selects, scope by scope, and ignores
// the limit of the filter.
func (e *Engine) AllFacts(ctx context.Context, view strata.View, f strata.FactFilter) ([]strata.Fact, error) {
	return store.ReadEach(ctx, e.store, view, func(r store.Reader, s strata.Scope) ([]strata.Fact, error) {
		facts, err := store.AllFacts(ctx, r, s, f)
		return slices.DeleteFunc(facts, view.Hides), err
	})
}

// Decision returns a decision in a view.
func (e *Engine) Decision(ctx context.Context, view strata.View, decision string) (strata.Decision, error) {
	if err := view.Validate(); err != nil {
		return strata.Decision{}, err
	}
	return store.Read(ctx, e.store, func(r store.Reader) (strata.Decision, error) {
		return r.Decision(ctx, view.Scopes, decision)
	})
}

// Events lists the events in the scopes of a view, in order, and the change after which
// to continue.
func (e *Engine) Events(ctx context.Context, view strata.View, f store.EventFilter) (events []strata.Event, next int64, err error) {
	if err := view.Validate(); err != nil {
		return nil, 0, err
	}
	err = e.store.View(ctx, func(r store.Reader) error {
		events, next, err = store.ListEvents(ctx, r, view.Scopes, f)
		return err
	})
	return events, next, err
}

// Stats counts what each scope of a view owns.
func (e *Engine) Stats(ctx context.Context, view strata.View) ([]store.Stats, error) {
	return store.ReadEach(ctx, e.store, view, func(r store.Reader, s strata.Scope) ([]store.Stats, error) {
		stats, err := r.Stats(ctx, s)
		return []store.Stats{stats}, err
	})
}

// Report is what Doctor found.
type Report struct {
	Problems []store.Problem `json:"problems"`
	Scopes   int             `json:"scopes"`
	Facts    int64           `json:"facts"`
	Turns    int64           `json:"turns"`
	// Waiting counts passages without a vector, decisions not yet written to files and
	// closed sessions without a transcript: work in progress, not damage.
	Waiting int64 `json:"waiting"`
	// Embedding says which model serves and whether another will replace it.
	Embedding EmbeddingReport `json:"embedding"`
	// Copies are files with copies of the store from before its schema changed.
	Copies []string `json:"copies,omitempty"`
}

// progressAfter is how long a check runs before it reports progress.
const progressAfter = 500 * time.Millisecond

// Doctor checks the store for damage and inconsistencies. A sound store has no problems;
// Doctor then frees the space of deleted rows. It does not change a damaged store, and
// leaves out of the report what the damage keeps it from reading. progress, which may be
// nil, is called with the steps done and their total once the check has taken half a
// second.
func (e *Engine) Doctor(ctx context.Context, progress func(done, total int64)) (Report, error) {
	report := Report{Problems: []store.Problem{}}
	since := time.Now()
	problems, err := e.store.Check(ctx, func(done, total int64) {
		if progress != nil && time.Since(since) >= progressAfter {
			progress(done, total)
		}
	})
	if err != nil {
		return report, err
	}
	report.Problems = append(report.Problems, problems...)
	for _, look := range []func(context.Context, *Report) error{e.inspectScopes, e.inspectModels} {
		err := look(ctx, &report)
		if err != nil && (strata.CodeOf(err) != strata.CodeCorrupt || len(problems) == 0) {
			return report, err
		}
	}
	if len(problems) > 0 {
		return report, nil
	}
	err = e.store.Compact(ctx)
	switch strata.CodeOf(err) {
	case strata.CodeReadOnly, strata.CodeBusy, strata.CodeFull:
		err = nil // others read, or it fails for now: the next doctor does it
	}
	return report, err
}

// inspectScopes counts what the scopes hold and looks for transcripts that were set
// aside.
func (e *Engine) inspectScopes(ctx context.Context, report *Report) error {
	var scopes []strata.Scope
	err := e.store.View(ctx, func(r store.Reader) error {
		var err error
		if scopes, err = r.Scopes(ctx); err != nil {
			return err
		}
		report.Scopes = len(scopes)
		for _, s := range scopes {
			stats, err := r.Stats(ctx, s)
			if err != nil {
				return err
			}
			report.Facts += stats.Facts
			report.Turns += stats.Turns
			report.Waiting += stats.Pending + stats.Unembedded
			if e.opts.Transcripts == nil {
				continue
			}
			report.Waiting += stats.Unexported
			aside, err := r.TranscriptsAside(ctx, s)
			if err != nil {
				return err
			}
			for _, t := range aside {
				report.Problems = append(report.Problems, store.Problem{Kind: "transcript_set_aside", Scope: s.Key(), Ref: t.Session.ID,
					Detail: "the transcript of the session was not written: " + t.SetAside})
			}
		}
		return nil
	})
	if err == nil && e.checkpoints != nil {
		report.Problems = append(report.Problems, e.checkpoints.Problems(ctx, e.opts.Tree, scopes)...)
	}
	return err
}

// inspectModels checks the word vectors and models of the embedders, and looks for
// copies.
func (e *Engine) inspectModels(ctx context.Context, report *Report) error {
	problems, err := e.wordProblems(ctx)
	if err != nil {
		return err
	}
	report.Problems = append(report.Problems, problems...)
	if report.Embedding, err = e.Embedding(ctx); err != nil {
		return err
	}
	report.Copies, err = store.Copies(e.store)
	return err
}
