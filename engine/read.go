package engine

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store"
)

// Recall answers a question from everything in a view. It is [Engine.Query] with only the
// text.
func (e *Engine) Recall(ctx context.Context, view strata.View, text string) (*strata.Result, error) {
	return e.Query(ctx, strata.Query{View: view, Text: text})
}

// Search explores a view. Unlike Recall it also returns turns that repeat a fact, and
// what a deeper scope shadows.
func (e *Engine) Search(ctx context.Context, view strata.View, text string) (*strata.Result, error) {
	return e.Query(ctx, strata.Query{View: view, Text: text, Search: true})
}

// Query answers a query: analysis and embedding first, then one read transaction, then
// the explanation. A result without hits is not an error.
//
// Unless the query is quiet, the hits are recorded in the background as recall events, on
// which salience and consolidation depend.
func (e *Engine) Query(ctx context.Context, q strata.Query) (*strata.Result, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	begin := time.Now()
	now := e.opts.Now()
	res := &strata.Result{Hits: []strata.Hit{}}
	req := recall.Request{Query: q, Analysis: question.Analyze(q.Text, now), Builtin: e.models.Builtin(), Now: now}
	analyzed := time.Now()

	var embeddedAt time.Time
	var ranking recall.Ranking
	var change int64
	err := e.models.View(ctx, q.Text, func(r store.Reader, asked embedding.Query, st store.Embedding) error {
		embeddedAt = time.Now()
		if asked.Vector != nil {
			req.Model, req.Vector = asked.Model.Name, asked.Vector
			res.Embedder = asked.Model.Name
		} else {
			res.Notes = append(res.Notes, asked.Note(st))
		}
		if asked.Base != nil {
			req.Base, req.BaseVector = st.Base.Name, asked.Base
			if asked.Vector == nil {
				res.Embedder = st.Base.Name
			}
		}
		var err error
		if change, err = r.LastChange(ctx); err == nil {
			ranking, err = recall.Find(ctx, r, req)
		}
		if err == nil {
			ranking.Hits, err = documents.ToldHits(ctx, r, ranking.Hits)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if ranking.Hits != nil {
		res.Hits = ranking.Hits
	}
	res.Tokens, res.Next = ranking.Tokens, ranking.Next
	res.Notes = append(res.Notes, ranking.Notes...)
	res.Steps = append([]strata.Step{
		{Name: "analyze", Took: analyzed.Sub(begin)},
		{Name: "embed", Took: embeddedAt.Sub(analyzed)},
	}, ranking.Steps...)
	for i := range res.Hits {
		hit := &res.Hits[i]
		hit.Notes = append(hit.Notes, secrets.Warnings(hit.Text)...) // notes on where it is from are already there
	}
	if !q.Quiet {
		res.Trace = e.ids.New(id.Trace, now)
		kept := *res
		kept.Hits = slices.Clone(res.Hits) // the caller may change its own
		e.recorder.record(shown{query: q, result: &kept, change: change, at: now, took: time.Since(begin)})
	}
	return res, nil
}

// Trace returns the stored explanation of a recall.
func (e *Engine) Trace(ctx context.Context, view strata.View, trace string) (store.Trace, error) {
	if err := view.Validate(); err != nil {
		return store.Trace{}, err
	}
	if err := e.recorder.flush(ctx); err != nil {
		return store.Trace{}, err
	}
	return store.Read(ctx, e.store, func(r store.Reader) (store.Trace, error) {
		t, err := r.Trace(ctx, view.Scopes, trace)
		if err != nil || view.OnlySessions() == "" {
			return t, err
		}
		if _, err = sessions.Find(ctx, r, "read trace", view, t.Session); strata.CodeOf(err) == strata.CodeNotFound {
			err = strata.NotFound("read trace", "trace", trace)
		}
		if err != nil {
			return store.Trace{}, err
		}
		return t, nil
	})
}

// Traces lists the newest explanations of each scope of a view: of all recalls, those of
// one session, or those of one turn. A group session sees only what was asked in group
// sessions of the same scope.
func (e *Engine) Traces(ctx context.Context, view strata.View, f store.TraceFilter) ([]store.Trace, error) {
	if err := e.recorder.flush(ctx); err != nil {
		return nil, err
	}
	f.SessionKind = view.OnlySessions()
	return store.ReadEach(ctx, e.store, view, func(r store.Reader, s strata.Scope) ([]store.Trace, error) {
		return r.Traces(ctx, s, f)
	})
}
