package embedding

import (
	"context"
	"sync"

	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// Whichever model serves, the vectors of the built-in embedder are kept in addition to
// its own: what is found without a model is then found with one, too, and the
// model is believed as far as it proves to know more (package recall). They
// take some ten microseconds a text to make and ask nobody.

// base is the built-in embedder, made once: a home that it serves needs no
// second one.
var base = sync.OnceValue(builtin.New)

// Base returns the built-in embedder.
func Base() llm.Embedder { return base() }

// baseModel is what base makes vectors of.
func baseModel() store.Model { return store.Model{Name: builtin.Model, Dim: builtin.Dimensions} }

// lacksBase reports whether another model serves or is to serve, and the base is
// not kept yet. Beside an earlier base it is not kept: it would be asked in its
// place before it has its vectors.
func lacksBase(st store.Embedding) bool {
	others := st.Serving != baseModel() || !st.Target.IsZero()
	return !st.Serving.IsZero() && others && st.Base != baseModel() && !servesEarlier(st)
}

// servesEarlier reports whether the vectors that an earlier version of the
// program made by its built-in embedder serve.
func servesEarlier(st store.Embedding) bool { return st.Serving.Name == builtin.Earlier }

// keepBase records that the base is kept in addition to other models.
func (ms *Models) keepBase(ctx context.Context) error {
	if !lacksBase(*ms.known.Load()) {
		return nil
	}
	err := ms.store.Update(ctx, func(w store.Writer) error { return w.KeepModel(ctx, baseModel()) })
	if err == nil {
		_, err = ms.lookNow(ctx)
	}
	return err
}

// askBase returns a query's vector of the base, where that is kept in addition to the
// model that serves; nil where it is not, or ctx ended.
func (ms *Models) askBase(ctx context.Context, st store.Embedding, text string) []float32 {
	if !keepsBase(st) {
		return nil
	}
	vectors, err := base().Embed(ctx, []string{text})
	if err != nil {
		return nil
	}
	return vectors[0]
}

// keepsBase reports whether the base is kept in addition to the serving model.
func keepsBase(st store.Embedding) bool { return st.Base == baseModel() && st.Serving != st.Base }
