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

// shipped is the built-in embedder with the words of the program, made once.
var shipped = sync.OnceValue(builtin.New)

// Builtin is the built-in embedder of the home. With which words it is made may
// change at any time, by any process.
func (ms *Models) Builtin() *builtin.Embedder {
	if ms.opts.Words == nil {
		return shipped()
	}
	return ms.opts.Words.Embedder()
}

// base is the built-in embedder where it is one among others.
func (ms *Models) base() llm.Embedder { return ms.Builtin() }

// baseModel is what base makes vectors of.
func (ms *Models) baseModel() store.Model { return modelOf(ms.base()) }

// lacksBase reports whether another model serves or is to serve, and the base is
// not kept yet. Beside an earlier base it is not kept: it would be asked in its
// place before it has its vectors.
func (ms *Models) lacksBase(st store.Embedding) bool {
	base := ms.baseModel()
	others := st.Serving != base || !st.Target.IsZero()
	return !st.Serving.IsZero() && others && st.Base != base && !ms.servesEarlier(st)
}

// servesEarlier reports whether the vectors that serve are of the built-in
// embedder as it was before: in an earlier version of the program, or with other
// words than it has now.
func (ms *Models) servesEarlier(st store.Embedding) bool {
	name := st.Serving.Name
	return name == builtin.Earlier || builtin.HasWords(name) && st.Serving != ms.baseModel()
}

// outdated reports whether the vectors of the built-in embedder, or those that are to
// serve, are of an earlier state of it. A model of others that is to serve has precedence.
func (ms *Models) outdated(st store.Embedding) bool {
	if st.Target.IsZero() {
		return ms.servesEarlier(st)
	}
	return builtin.HasWords(st.Target.Name) && st.Target != ms.baseModel()
}

// FollowBuiltin has the vectors of the built-in embedder made anew where it has
// other words than those that it made them with, in place of those that serve and
// of the base.
func (ms *Models) FollowBuiltin(ctx context.Context) error {
	st, err := ms.refreshNow(ctx)
	if err != nil {
		return err
	}
	_, builtinWanted := ms.atHand.current().(*builtin.Embedder)
	if ms.outdated(st) {
		if err := ms.want(ctx, ms.baseModel()); err != nil {
			return err
		}
		builtinWanted = true
	}
	if builtinWanted {
		ms.atHand.use(ms.base())
	}
	if err := ms.keepBase(ctx); err != nil {
		return err
	}
	_, err = ms.refreshNow(ctx)
	ms.Wake()
	return err
}

// keepBase records that the base is kept in addition to other models.
func (ms *Models) keepBase(ctx context.Context) error {
	if !ms.lacksBase(*ms.known.Load()) {
		return nil
	}
	err := ms.store.Update(ctx, func(w store.Writer) error { return w.KeepModel(ctx, ms.baseModel()) })
	if err == nil {
		_, err = ms.refreshNow(ctx)
	}
	return err
}

// askBase returns a query's vector of the base, where that is kept in addition to the
// model that serves; nil where it is not, or ctx ended.
func (ms *Models) askBase(ctx context.Context, st store.Embedding, text string) []float32 {
	if !ms.keepsBase(st) {
		return nil
	}
	vectors, err := ms.base().Embed(ctx, []string{text})
	if err != nil {
		return nil
	}
	return vectors[0]
}

// keepsBase reports whether the base is kept in addition to the serving model.
func (ms *Models) keepsBase(st store.Embedding) bool {
	return st.Base == ms.baseModel() && st.Serving != st.Base
}
