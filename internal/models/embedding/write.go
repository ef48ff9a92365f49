package embedding

import (
	"context"
	"slices"
	"sync"

	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// ForWrite makes the vectors that a write stores, for the serving model, the target and
// the base, within one time limit. A vector that fails is missing from the result: the
// write does not wait longer, and the passage goes to the queue. whole is false if any
// vector is missing.
func (ms *Models) ForWrite(ctx context.Context, texts []string) (sets []store.Vectors, whole bool) {
	sets = make([]store.Vectors, len(texts))
	if len(texts) == 0 {
		return sets, true
	}
	use, whole := ms.forWrite()
	answers := make([][][]float32, len(use))
	errs := make([]error, len(use))
	var wg sync.WaitGroup
	for i, emb := range use[min(1, len(use)):] {
		wg.Go(func() { answers[i+1], errs[i+1] = ms.embed(ctx, emb, texts) })
	}
	if len(use) > 0 {
		answers[0], errs[0] = ms.embed(ctx, use[0], texts)
	}
	wg.Wait()
	for i, emb := range use {
		if errs[i] != nil {
			whole = false
			ms.opts.Logger.Warn("embedding failed; the passages wait in the queue", "error", errs[i])
			continue
		}
		for j, v := range answers[i] {
			sets[j] = append(sets[j], store.ModelVector{Model: store.Model{Name: emb.Model(), Dim: len(v)}, Vector: v})
		}
	}
	return sets, whole
}

// forWrite returns the embedders of the wanted models. whole is false if one of them is
// not available.
func (ms *Models) forWrite() (use []llm.Embedder, whole bool) {
	st := ms.known.Load()
	if st.Serving.IsZero() {
		if emb := ms.atHand.current(); emb != nil {
			return []llm.Embedder{emb}, true
		}
		return nil, false
	}
	whole = true
	for _, m := range []store.Model{st.Serving, st.Target} {
		if m.IsZero() {
			continue
		}
		if emb := ms.atHand.of(m); emb != nil {
			use = append(use, emb)
		} else {
			whole = false
		}
	}
	if ms.keepsBase(*st) && st.Target != st.Base {
		use = append(use, ms.base())
	}
	return use, whole
}

// Put puts a passage into the index, with those of its vectors that the home wants
// according to st, which the caller read in the same transaction.
func Put(ctx context.Context, w store.Writer, st store.Embedding, p store.Passage, vectors store.Vectors) error {
	var rest store.Vectors
	for _, x := range vectors {
		switch {
		case !st.Wants(x.Model) && !st.Serving.IsZero():
		case p.Vector == nil:
			p.Model, p.Vector = x.Model.Name, x.Vector
		default:
			rest = append(rest, x)
		}
	}
	if err := w.PutPassage(ctx, p); err != nil {
		return err
	}
	for _, x := range rest {
		if err := w.PutVector(ctx, p.Number, x.Model.Name, x.Vector); err != nil {
			return err
		}
	}
	return nil
}

// Incomplete reports whether vectors lacks that of a wanted model.
func (ms *Models) Incomplete(vectors store.Vectors) bool {
	st := ms.known.Load()
	if st.Serving.IsZero() {
		return ms.atHand.current() != nil
	}
	return slices.ContainsFunc([]store.Model{st.Serving, st.Target, st.Base}, func(m store.Model) bool {
		return !m.IsZero() && vectors.Of(m) == nil
	})
}

// InProcess reports whether all embedders of a write run in this process.
func (ms *Models) InProcess() bool {
	use, _ := ms.forWrite()
	for _, emb := range use {
		if _, ok := emb.(llm.InProcess); !ok {
			return false
		}
	}
	return true
}
