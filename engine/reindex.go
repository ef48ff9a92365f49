package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/store"
)

// ReindexReport says what was rebuilt.
type ReindexReport struct {
	Scopes   int   `json:"scopes"`
	Passages int64 `json:"passages"`
	Vectors  int64 `json:"vectors"`
	// Waiting counts passages whose vectors could not be made again because the embedder
	// of the serving model did not answer or is not available. They keep their old
	// vectors; missing ones are made when the embedder answers.
	Waiting int64 `json:"waiting"`
}

// Reindex rebuilds everything derived in the given scopes (all, if none are named) from
// files, facts and turns, after recording hand edits of files. Each scope's words are
// rebuilt in one transaction, so a reader sees either the old index or the new one.
// Vectors are made again by the serving model; each old one stays until it is replaced,
// so none is lost. Facts stay in their categories: see [Engine.Regroup]. progress, which
// may be nil, is called with the passages done and their total.
func (e *Engine) Reindex(ctx context.Context, scopes []strata.Scope, progress func(done, total int64)) (ReindexReport, error) {
	var report ReindexReport
	if progress == nil {
		progress = func(int64, int64) {}
	}
	all, err := e.Scopes(ctx)
	if err != nil {
		return report, err
	}
	if len(scopes) == 0 {
		scopes = all
	}
	if len(scopes) > 0 {
		if _, err := e.Sync(ctx, strata.View{Scopes: scopes}); err != nil {
			return report, fmt.Errorf("read files: %w", err)
		}
	}
	total, err := e.count(ctx, scopes, func(s store.Stats) int64 { return s.Facts + s.Retired + s.Turns + s.Sections })
	if err != nil {
		return report, err
	}
	steps := total
	ready, err := e.models.ServingReady(ctx)
	if err != nil {
		return report, err
	}
	if ready {
		steps *= 2 // words, then vectors
	}
	for _, s := range scopes {
		n, err := e.reindexScope(ctx, s, func(n int64) { progress(report.Passages+n, steps) })
		if err != nil {
			return report, fmt.Errorf("reindex scope %s: %w", s, err)
		}
		report.Passages += n
		report.Scopes++
		e.projector.Want(s, markdown.AllParts)
	}
	err = e.models.FillServing(ctx, func(n int) {
		report.Vectors += int64(n)
		progress(min(report.Passages+report.Vectors, steps), steps)
	})
	e.models.Wake() // for missing vectors, and for a model that will take over
	var down *embedding.Error
	if errors.As(err, &down) && ctx.Err() == nil {
		e.opts.Logger.Warn("the vectors are not made again yet", "error", err)
		err = nil
	}
	if err != nil {
		return report, err
	}
	report.Waiting, err = e.count(ctx, scopes, func(s store.Stats) int64 { return s.Unembedded })
	return report, err
}

// count sums one number from the statistics of each scope.
func (e *Engine) count(ctx context.Context, scopes []strata.Scope, of func(store.Stats) int64) (int64, error) {
	return store.Read(ctx, e.store, func(r store.Reader) (total int64, err error) {
		for _, s := range scopes {
			stats, err := r.Stats(ctx, s)
			if err != nil {
				return 0, err
			}
			total += of(stats)
		}
		return total, nil
	})
}

// reindexBatch is how many sources are read at a time.
const reindexBatch = 1000

func (e *Engine) reindexScope(ctx context.Context, scope strata.Scope, progress func(int64)) (int64, error) {
	var done int64
	err := e.store.Update(ctx, func(w store.Writer) error {
		if err := e.divideAnew(ctx, w, scope); err != nil {
			return err
		}
		if err := e.divideTurnsAnew(ctx, w, scope); err != nil {
			return err
		}
		if err := w.DropIndex(ctx, scope); err != nil {
			return err
		}
		for after := int64(0); ; {
			sources, err := w.Sources(ctx, scope, after, reindexBatch)
			if err != nil {
				return err
			}
			for _, s := range sources {
				if err := e.reindexOne(ctx, w, s); err != nil {
					return fmt.Errorf("passage %d: %w", s.Number, err)
				}
				after = s.Number
				done++
			}
			progress(done)
			if len(sources) < reindexBatch {
				break
			}
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventReindexed, Scope: scope, At: w.Now()})
	})
	return done, err
}

// reindexDocuments is how many documents are read at a time with their content.
const reindexDocuments = 100

// divideAnew divides the documents of a scope into sections as this version of Strata
// does. Documents whose sections are unchanged stay as they are.
func (e *Engine) divideAnew(ctx context.Context, w store.Writer, scope strata.Scope) error {
	docs := newLookups(e, w).docs
	for after := ""; ; {
		page, err := w.Documents(ctx, scope, strata.DocumentFilter{System: true, Content: true, After: after, Limit: reindexDocuments})
		if err != nil {
			return err
		}
		for _, d := range page {
			after = d.Path
			was, err := w.Sections(ctx, scope, d.ID)
			if err != nil {
				return err
			}
			now := markdown.Sections(d.Path, d.Content)
			if slices.EqualFunc(was, now, sameSection) {
				continue
			}
			d.Generation++
			if err := docs.Record(ctx, w, d, now, nil); err != nil {
				return fmt.Errorf("divide %s: %w", d.Path, err)
			}
		}
		if len(page) < reindexDocuments {
			return nil
		}
	}
}

// sameSection reports whether two sections have the same text in the same place.
func sameSection(a, b strata.Section) bool {
	return a.Line == b.Line && a.EndLine == b.EndLine && a.Text == b.Text && slices.Equal(a.Headings, b.Headings)
}

// reindexOne indexes a source again, unless it is a forgotten turn.
func (e *Engine) reindexOne(ctx context.Context, w store.Writer, s store.Source) error {
	text := recall.SourceText(s)
	switch {
	case s.Turn != nil && s.Turn.Forgotten:
		return nil
	case s.Turn != nil:
		return w.PutPassage(ctx, recall.TurnPassage(s.Number, *s.Turn, text))
	case s.Section != nil:
		return w.PutPassage(ctx, recall.SectionPassage(s.Number, *s.Document, *s.Section))
	}
	return w.PutPassage(ctx, recall.FactPassage(s.Number, *s.Fact, text))
}
