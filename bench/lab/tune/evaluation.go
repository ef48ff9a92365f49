package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// ask is a question that has an answer, with what can be computed beforehand.
type ask struct {
	query    bench.Query
	analysis question.Analysis
	vector   []float32
	base     []float32 // the vector by the built-in embedder; set if model is another one
	reader   *memo
}

// evaluation scores settings of the ranking on all questions of a collection.
type evaluation struct {
	name  string
	c     bench.Collection
	unit  bench.Unit // the unit by which the collection is judged
	model string
	base  *builtin.Embedder
	names bench.Names
	asks  []ask               // the judged queries
	known map[string][]result // results by settings
	plain result              // mean result of BM25
	now   time.Time
}

// result holds the figures of one question: recall at each of bench.Cutoffs, for the unit
// by which the collection is judged and for sessions.
type result struct {
	turns, sessions [len(bench.Cutoffs)]float64
}

// openEvaluation ingests a collection into a home, and calls use within one read
// transaction of its store.
func openEvaluation(ctx context.Context, home, name string, c bench.Collection, emb llm.Embedder, base *builtin.Embedder, use func(*evaluation) error) error {
	st, err := sqlite.Open(ctx, filepath.Join(home, "strata.db"), nil)
	if err != nil {
		return err
	}
	mem, err := engine.Open(ctx, st, &engine.Options{Embedder: emb, Words: fixed{base}})
	if err != nil {
		return err
	}
	defer mem.Close()
	e := &evaluation{name: name, c: c, model: emb.Model(), base: base, known: make(map[string][]result), now: time.Now()}
	if e.unit, err = c.Unit(""); err != nil {
		return err
	}
	if e.names, err = bench.Ingest(ctx, mem, c.Documents, nil); err != nil {
		return err
	}
	if err := mem.Drain(ctx); err != nil {
		return err
	}
	shared := &items{of: make(map[itemKey]*store.Item)}
	return st.View(ctx, func(r store.Reader) error {
		for _, q := range c.Queries {
			if len(c.Relevant[q.ID]) == 0 {
				continue
			}
			v, err := emb.Embed(ctx, []string{q.Text})
			if err != nil {
				return err
			}
			a := ask{q, question.Analyze(q.Text, e.now), v[0], nil, newMemo(r, shared)}
			if emb.Model() != base.Model() {
				own, err := base.Embed(ctx, []string{q.Text})
				if err != nil {
					return err
				}
				a.base = own[0]
			}
			e.asks = append(e.asks, a)
		}
		e.plain = mean(e.results(bench.NewBM25(c.Documents).Ask(c.Queries)))
		return use(e)
	})
}

// score asks every question with the given settings. It caches the results.
func (e *evaluation) score(ctx context.Context, w setting) ([]result, error) {
	key, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	if r, ok := e.known[string(key)]; ok {
		return r, nil
	}
	answers := make([]bench.Answer, len(e.asks))
	errs := make([]error, len(e.asks))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for n := range workers {
		wg.Go(func() {
			for i := n; i < len(e.asks); i += workers {
				answers[i], errs[i] = e.one(ctx, &e.asks[i], w)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	out := e.results(answers)
	e.known[string(key)] = out
	return out, nil
}

// results judges the answers to every question that has one.
func (e *evaluation) results(answers []bench.Answer) []result {
	out := make([]result, len(e.asks))
	for i, q := range bench.Questions(e.c.Judge(e.unit, answers)) {
		out[i].turns = q.Recall
	}
	for i, q := range bench.Questions(e.c.Judge(bench.UnitSession, answers)) {
		out[i].sessions = q.Recall
	}
	return out
}

// one asks one question.
func (e *evaluation) one(ctx context.Context, a *ask, w setting) (bench.Answer, error) {
	weights := w.Weights
	req := recall.Request{
		Query: strata.Query{View: scopeOf(a.query.Scope).View(), Text: a.query.Text, Limit: e.c.HitsNeeded(e.unit), All: true, Quiet: true,
			Sessions: e.unit == bench.UnitSession},
		Analysis: a.analysis, Model: e.model, Vector: a.vector, Base: e.base.Model(), Builtin: e.base, BaseVector: a.base, Now: e.now, Weights: &weights,
	}
	if w.NoVector {
		req.Vector = nil
	}
	out := bench.Answer{Query: a.query}
	found, err := recall.Find(ctx, a.reader, req)
	if err != nil {
		return out, fmt.Errorf("ask %s: %w", a.query.ID, err)
	}
	for _, h := range found.Hits {
		for _, doc := range e.names[h.ID] {
			out.Ranked = append(out.Ranked, bench.Ranked{Document: doc, Score: h.Score})
		}
	}
	return out, nil
}

// scopeOf returns the scope to which bench.Ingest writes documents of that name.
func scopeOf(name string) strata.Scope {
	if name == "" {
		return strata.Global()
	}
	return strata.InWorkspace(name)
}

// fixed provides the words of a built-in embedder and never changes them.
type fixed struct{ embedder *builtin.Embedder }

func (f fixed) Embedder() *builtin.Embedder                          { return f.embedder }
func (f fixed) Words() builtin.Words                                 { return builtin.Words{} }
func (f fixed) Check(context.Context) (builtin.Words, error)         { return f.Words(), nil }
func (f fixed) Remove() (bool, error)                                { return false, nil }
func (f fixed) Keep([]string)                                        {}
func (f fixed) Import(context.Context, io.Reader, func(int64)) error { return errors.ErrUnsupported }
