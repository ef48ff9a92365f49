package embedding

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// Use makes emb the wanted embedder without a restart. The background makes its vectors
// while the old ones serve. Once every passage has one, they take over in a single
// transaction; until then the previous embedder continues to answer. The last call of Use
// counts, in this process or any other. Returning to the serving model ends a
// re-embedding.
//
// Errors: invalid if emb is nil, has no name or makes vectors of another length than it
// says; unavailable if the length of its vectors cannot be found out; read_only.
func (ms *Models) Use(ctx context.Context, emb llm.Embedder) error {
	const op = "use embedder"
	if emb == nil {
		return strata.Invalid(op, "there is no embedder", "pass the embedder that is to make the vectors")
	}
	st, err := ms.refreshNow(ctx)
	if err != nil {
		return err
	}
	if err := ms.check(ctx, op, emb, st); err != nil {
		return err
	}
	m, err := ms.identify(ctx, emb)
	if err != nil {
		return &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "embedder " + emb.Model() + " did not answer",
			Hint: "check that it is there and try again", Err: err}
	}
	if err := ms.want(ctx, m); err != nil {
		return err
	}
	ms.atHand.use(emb)
	if _, err := ms.refreshNow(ctx); err != nil {
		return err
	}
	ms.Wake()
	return nil
}

// probeText is embedded to find out whether an embedder works and how long its vectors
// are.
const probeText = "Is anybody there?"

// identify returns the model of an embedder. If the embedder does not know the length of
// its vectors yet, identify has it make one.
func (ms *Models) identify(ctx context.Context, emb llm.Embedder) (store.Model, error) {
	m := modelOf(emb)
	if m.Dim != 0 {
		return m, nil
	}
	vectors, err := ms.embedWithin(ctx, ms.opts.BatchTimeout, emb, []string{probeText})
	if err != nil {
		return m, err
	}
	m.Dim = len(vectors[0])
	return m, nil
}

// want records in the store that a model is wanted.
func (ms *Models) want(ctx context.Context, m store.Model) error {
	var before, after store.Embedding
	err := ms.store.Update(ctx, func(w store.Writer) error {
		var err error
		if before, err = w.Embedding(ctx); err != nil {
			return err
		}
		if err := w.SetTargetModel(ctx, m); err != nil {
			return err
		}
		if after, err = w.Embedding(ctx); err != nil {
			return err
		}
		if ms.lacksBase(after) {
			if err := w.KeepModel(ctx, ms.baseModel()); err != nil {
				return err
			}
		}
		if before.Serving.IsZero() || before.Target == after.Target {
			return nil
		}
		event := strata.Event{Kind: strata.EventModelWanted, Scope: strata.Global(), At: w.Now(),
			Detail: fmt.Sprintf("%s is to follow %s", m.Name, after.Serving.Name)}
		if after.Target.IsZero() {
			event.Detail = fmt.Sprintf("%s stays, %s was given up", m.Name, before.Target.Name)
		}
		return w.AppendEvent(ctx, event)
	})
	if err == nil && before.Target != after.Target {
		ms.opts.Logger.Info("another embedding model is wanted", "serving", after.Serving.Name, "target", after.Target.Name,
			"passages", after.Total)
	}
	return err
}

// announce records in the store, once, which model this process was opened with. With
// KeepModel it does so only if the home has no model or an earlier version of the
// built-in one. opening is set while a home opens: announce then skips an embedder that
// would have to make a vector first.
func (ms *Models) announce(ctx context.Context, opening bool) error {
	emb, number := ms.atHand.unrecorded()
	if emb == nil || opening && emb.Dimensions() == 0 {
		return nil
	}
	st, err := ms.refreshNow(ctx)
	if err != nil {
		return err
	}
	if ms.opts.KeepModel && !st.Serving.IsZero() && !ms.outdated(st) {
		ms.atHand.nowRecorded(number)
		return nil
	}
	m, err := ms.identify(ctx, emb)
	if err != nil {
		return err
	}
	if m != st.Target && (m != st.Serving || !st.Target.IsZero()) {
		err = ms.want(ctx, m)
	}
	if err != nil && strata.CodeOf(err) != strata.CodeReadOnly {
		return err
	}
	ms.atHand.nowRecorded(number)
	_, err = ms.refreshNow(ctx)
	return err
}
