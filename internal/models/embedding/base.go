package embedding

import (
	"context"
	"sync"

	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// Besides the vectors of the serving model, a home keeps those of the built-in embedder.
// Recall then finds with a model whatever it finds without one, and trusts the model as
// far as it proves to know more (package recall). These vectors take some ten
// microseconds a text and need no server.

// shipped returns the built-in embedder with the words that the program ships with. It is
// made once.
var shipped = sync.OnceValue(builtin.New)

// Builtin returns the built-in embedder of the home. Any process may change its words at
// any time.
func (ms *Models) Builtin() *builtin.Embedder {
	if ms.opts.Words == nil {
		return shipped()
	}
	return ms.opts.Words.Embedder()
}

// base returns the built-in embedder in its role beside another model.
func (ms *Models) base() llm.Embedder { return ms.Builtin() }

// baseModel returns the model of base.
func (ms *Models) baseModel() store.Model { return modelOf(ms.base()) }

// lacksBase reports whether another model serves or is to serve while the home does not
// keep the base yet. It returns false while an earlier base serves: the new base would
// replace that one before it has its vectors.
func (ms *Models) lacksBase(st store.Embedding) bool {
	base := ms.baseModel()
	others := st.Serving != base || !st.Target.IsZero()
	return !st.Serving.IsZero() && others && st.Base != base && !ms.servesEarlier(st)
}

// servesEarlier reports whether the serving vectors come from an earlier state of the
// built-in embedder: an earlier version of the program, or other words.
func (ms *Models) servesEarlier(st store.Embedding) bool {
	name := st.Serving.Name
	return name == builtin.Earlier || builtin.HasWords(name) && st.Serving != ms.baseModel()
}

// outdated reports whether the vectors that are to serve, or else those that serve, come
// from an earlier state of the built-in embedder. A target that is another model takes
// precedence.
func (ms *Models) outdated(st store.Embedding) bool {
	if st.Target.IsZero() {
		return ms.servesEarlier(st)
	}
	return builtin.HasWords(st.Target.Name) && st.Target != ms.baseModel()
}

// FollowBuiltin starts to remake the vectors of the built-in embedder if its words have
// changed since, both those that serve and those of the base.
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

// keepBase records that the home keeps the base in addition to other models.
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

// askBase returns the base vector of a query. It returns nil if the home does not keep
// the base in addition to the serving model, or if ctx has ended.
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

// keepsBase reports whether the home keeps the base in addition to the serving model.
func (ms *Models) keepsBase(st store.Embedding) bool {
	return st.Base == ms.baseModel() && st.Serving != st.Base
}
