package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// modelVector is a text's vector of one model.
type modelVector struct {
	model store.Model
	v     []float32
}

// embedded are the vectors of one text, one for each model that was at hand.
type embedded []modelVector

// of returns the vector of a model, or nil.
func (x embedded) of(m store.Model) []float32 {
	for _, mv := range x {
		if mv.model == m {
			return mv.v
		}
	}
	return nil
}

// embedForWrite makes the vectors that a write stores, of the serving model,
// of the target and of the base, within one time limit. What fails is missing: a write does
// not wait longer, and the passages wait in the queue. whole is false if
// anything is missing.
func (e *Engine) embedForWrite(ctx context.Context, texts []string) (sets []embedded, whole bool) {
	sets = make([]embedded, len(texts))
	if len(texts) == 0 {
		return sets, true
	}
	use, whole := e.forWrite()
	answers := make([][][]float32, len(use))
	errs := make([]error, len(use))
	var wg sync.WaitGroup
	for i, emb := range use[min(1, len(use)):] {
		wg.Go(func() { answers[i+1], errs[i+1] = e.embed(ctx, emb, texts) })
	}
	if len(use) > 0 {
		answers[0], errs[0] = e.embed(ctx, use[0], texts)
	}
	wg.Wait()
	for i, emb := range use {
		if errs[i] != nil {
			whole = false
			e.opts.Logger.Warn("embedding failed; the passages wait in the queue", "error", errs[i])
			continue
		}
		for j, v := range answers[i] {
			sets[j] = append(sets[j], modelVector{store.Model{Name: emb.Model(), Dim: len(v)}, v})
		}
	}
	return sets, whole
}

// forWrite lists the embedders of the models that are wanted. whole is false
// if one of them is not at hand.
func (e *Engine) forWrite() (use []llm.Embedder, whole bool) {
	st := e.known.Load()
	if st.Serving.IsZero() {
		if emb := e.embedders.current(); emb != nil {
			return []llm.Embedder{emb}, true
		}
		return nil, false
	}
	whole = true
	for _, m := range []store.Model{st.Serving, st.Target} {
		if m.IsZero() {
			continue
		}
		if emb := e.embedders.of(m); emb != nil {
			use = append(use, emb)
		} else {
			whole = false
		}
	}
	if servesBeside(*st) && st.Target != st.Base {
		use = append(use, base())
	}
	return use, whole
}

// index puts a passage into the index with those of its vectors that the home
// wants as the transaction sees it.
func (e *Engine) index(ctx context.Context, w store.Writer, st store.Embedding, p store.Passage, vectors embedded) error {
	var rest embedded
	for _, x := range vectors {
		switch {
		case !st.Wants(x.model) && !st.Serving.IsZero():
		case p.Vector == nil:
			p.Model, p.Vector = x.model.Name, x.v
		default:
			rest = append(rest, x)
		}
	}
	if err := w.PutPassage(ctx, p); err != nil {
		return err
	}
	for _, x := range rest {
		if err := w.PutVector(ctx, p.Number, x.model.Name, x.v); err != nil {
			return err
		}
	}
	return nil
}

// incomplete reports whether a text lacks the vector of a model that is wanted.
func (e *Engine) incomplete(vectors embedded) bool {
	st := e.known.Load()
	if st.Serving.IsZero() {
		return e.embedders.current() != nil
	}
	return slices.ContainsFunc([]store.Model{st.Serving, st.Target, st.Base}, func(m store.Model) bool {
		return !m.IsZero() && vectors.of(m) == nil
	})
}
